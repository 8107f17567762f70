/** What became of one kind of request, and how often. */
export interface RequestCount {
  /** `operationId` of the API's description, or `-` for what is no operation of it. */
  readonly request: string;
  /** `COMPLETED`, or the code of the error answer. */
  readonly result: string;
  readonly count: number;
}

/** Connections and requests of the session listener. */
export class SessionCounts {
  #connections = 0;
  #sessions = 0;
  readonly #requests = new Map<string, { request: string; result: string; count: number }>();

  /** Sessions over WebSocket that are open, each of which is one of the connections. */
  get sessions(): number {
    return this.#sessions;
  }

  sessionOpened(): void {
    this.#sessions += 1;
  }

  sessionClosed(): void {
    this.#sessions -= 1;
  }

  /** Connections that are open. */
  get connections(): number {
    return this.#connections;
  }

  opened(): void {
    this.#connections += 1;
  }

  closed(): void {
    this.#connections -= 1;
  }

  answered(request: string, result: string): void {
    const key = `${request} ${result}`;
    const known = this.#requests.get(key);
    if (known === undefined) this.#requests.set(key, { request, result, count: 1 });
    else known.count += 1;
  }

  requests(): readonly RequestCount[] {
    return [...this.#requests.values()];
  }
}
