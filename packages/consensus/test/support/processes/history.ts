import { SeededRandom } from '../../../src/raft/seeded-random.ts';
import type { RegisterOperation } from '../../../src/simulation/linearizability.ts';
import type { ProcessCluster } from './process-cluster.ts';
import type { RegisterClient } from './register-client.ts';

/** Which registers clients use; each has its first value before anybody has changed it. */
export interface HistoryKeys {
  readonly first: number;
  readonly count: number;
}

/**
 * Clients that change and read registers through any process, and what they saw. Refusals have no
 * effect and are left out; whatever got no answer may have had one at any time.
 */
export class HistoryClients {
  readonly operations: RegisterOperation[] = [];
  readonly #cluster: ProcessCluster;
  readonly #random: SeededRandom;
  readonly #keys: HistoryKeys;
  readonly #running: Promise<void>[] = [];
  #clock = 0;
  #nextValue = 0;
  #isStopping = false;
  /** Changes that were acknowledged. */
  acknowledged = 0;

  constructor(cluster: ProcessCluster, seed: number, keys = { first: 0, count: 64 }) {
    this.#cluster = cluster;
    this.#keys = keys;
    this.#random = new SeededRandom(seed);
  }

  start(count: number): void {
    for (let i = 0; i < count; i += 1) this.#running.push(this.#run());
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all(this.#running);
  }

  /** Reads every register once more, so that whatever was lost shows. After {@link stop}. */
  async readAll(limitMs = 20_000): Promise<void> {
    const deadline = performance.now() + limitMs;
    const { first, count } = this.#keys;
    for (let key = first; key < first + count; ) {
      const client = this.#connect();
      if (client !== undefined && (await this.#perform(client, key, 'read'))) key += 1;
      client?.close();
      if (performance.now() > deadline) throw new Error(`register ${key} was not read in time`);
    }
  }

  async #run(): Promise<void> {
    let client: RegisterClient | undefined;
    while (!this.#isStopping) {
      if (client === undefined || client.isClosed) client = this.#connect();
      const isDone = client !== undefined && (await this.#operate(client));
      if (isDone) continue;
      // The process does not lead, or is not there: ask another one after a moment.
      client?.close();
      client = undefined;
      await new Promise((resolve) => setTimeout(resolve, 5 + this.#random.between(0, 20)));
    }
    client?.close();
  }

  #connect(): RegisterClient | undefined {
    const running = this.#cluster.processes.filter(({ isRunning }) => isRunning);
    return running[this.#random.between(0, running.length)]?.connect();
  }

  #operate(client: RegisterClient): Promise<boolean> {
    const { first, count } = this.#keys;
    const key = first + this.#random.between(0, count);
    const kinds = ['read', 'put', 'increment', 'compareAndSet'] as const;
    return this.#perform(client, key, kinds[this.#random.between(0, kinds.length)] ?? 'read');
  }

  async #perform(
    client: RegisterClient,
    key: number,
    kind: RegisterOperation['kind'],
  ): Promise<boolean> {
    this.#nextValue += 1;
    const value = this.#nextValue;
    const expected = Math.max(0, value - this.#random.between(1, 6));
    const called = this.#tick();
    const { answer, unknown, place } =
      kind === 'read'
        ? await client.request({ op: 'read', key })
        : await client.request({ op: 'change', command: { kind, key, value, expected } });
    const returned = this.#tick();
    const operation = { key, kind, value, expected, called };
    if (typeof answer === 'number') {
      if (kind !== 'read') this.acknowledged += 1;
      this.operations.push({ ...operation, returned, answer, place });
      return true;
    }
    // A read without an answer says nothing.
    if (unknown !== undefined && kind !== 'read') {
      this.operations.push({ ...operation, returned: undefined, answer: undefined });
    }
    return false;
  }

  #tick(): number {
    this.#clock += 1;
    return this.#clock;
  }
}
