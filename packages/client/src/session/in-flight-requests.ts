import { REQUESTS_IN_FLIGHT_MAX } from '@nervix/protocol/session';

/** Room that is kept for what is handled on arrival: cancellations and probes. */
const RESERVED = 2;

/** What became of a request that was given to a session. */
export type RequestEnd<Reply> =
  | { readonly kind: 'replied'; readonly reply: Reply }
  /** The session ended first; `isSent` tells whether the server may have seen the request. */
  | { readonly kind: 'interrupted'; readonly reason: string; readonly isSent: boolean }
  /** The server takes no frame as large as this one, and has read nothing of it. */
  | { readonly kind: 'too_large'; readonly bytes: number }
  | { readonly kind: 'aborted'; readonly isSent: boolean };

/** A request on its way. */
export interface OutgoingRequest {
  readonly id: bigint;
  /** Of its frame. */
  readonly bytes: number;
  /** Called once, after its waiter stands. */
  readonly send: () => void;
}

interface Waiter<Reply> {
  readonly bytes: number;
  readonly settle: (end: RequestEnd<Reply>) => void;
  readonly replied: ((reply: Reply) => void) | undefined;
}

/** How a request is run. */
export interface RunOptions<Reply> {
  /** Whether it takes of the reserved room. */
  readonly isUrgent?: boolean;
  /** Told of the reply before anything else is read, whether or not somebody still waits. */
  readonly replied?: ((reply: Reply) => void) | undefined;
}

/**
 * The requests of one session that wait for a reply, by their ids. What a caller stops waiting for
 * keeps its place until its reply comes, as it does on the server (CL-16, CL-18).
 */
export class InFlightRequests<Reply> {
  readonly #waiters: Map<bigint, Waiter<Reply>> = new Map();
  readonly #waitingForRoom: (() => void)[] = [];
  #lastId = 0n;
  #endReason: string | undefined;

  /** Takes an id, which is never given again. */
  takeId(): bigint {
    this.#lastId += 1n;
    return this.#lastId;
  }

  /** Registers a request, then sends it. Past the limit of a session it waits for room first. */
  async run(
    { id, bytes, send }: OutgoingRequest,
    signal: AbortSignal,
    { isUrgent = false, replied }: RunOptions<Reply> = {},
  ): Promise<RequestEnd<Reply>> {
    while (!isUrgent && this.#endReason === undefined && this.#isFull) {
      await this.#roomOrAbort(signal);
      if (signal.aborted) return { kind: 'aborted', isSent: false };
    }
    if (this.#endReason !== undefined) {
      return { kind: 'interrupted', reason: this.#endReason, isSent: false };
    }
    if (signal.aborted) return { kind: 'aborted', isSent: false };
    return new Promise((resolve) => {
      const abort = (): void => resolve({ kind: 'aborted', isSent: true });
      const settle = (end: RequestEnd<Reply>): void => {
        signal.removeEventListener('abort', abort);
        resolve(end);
      };
      this.#waiters.set(id, { bytes, settle, replied });
      signal.addEventListener('abort', abort, { once: true });
      send();
    });
  }

  /** Whether a request with this id waits for its reply. */
  has(id: bigint): boolean {
    return this.#waiters.has(id);
  }

  /** Hands a reply to whoever waits for it; one that nobody awaits is dropped. */
  reply(id: bigint, reply: Reply): void {
    const waiter = this.#waiters.get(id);
    this.#waiters.delete(id);
    waiter?.replied?.(reply);
    waiter?.settle({ kind: 'replied', reply });
    this.#waitingForRoom.shift()?.();
  }

  /**
   * Interrupts every waiter, and every later request.
   *
   * @param isTooLarge whether a frame was larger than the server takes: the largest one then was
   */
  end(reason: string, isTooLarge = false): void {
    this.#endReason ??= reason;
    const waiters = [...this.#waiters.values()];
    this.#waiters.clear();
    const bytesMax = Math.max(...waiters.map(({ bytes }) => bytes));
    for (const { bytes, settle } of waiters) {
      if (isTooLarge && bytes === bytesMax) settle({ kind: 'too_large', bytes });
      else settle({ kind: 'interrupted', reason, isSent: true });
    }
    for (const resume of this.#waitingForRoom.splice(0)) resume();
  }

  get #isFull(): boolean {
    return this.#waiters.size >= REQUESTS_IN_FLIGHT_MAX - RESERVED;
  }

  #roomOrAbort(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const resume = (): void => {
        signal.removeEventListener('abort', abort);
        resolve();
      };
      const abort = (): void => {
        this.#waitingForRoom.splice(this.#waitingForRoom.indexOf(resume), 1);
        resolve();
      };
      signal.addEventListener('abort', abort, { once: true });
      this.#waitingForRoom.push(resume);
    });
  }
}
