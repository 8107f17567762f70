import { SeededRandom } from '../../../src/raft/seeded-random.ts';
import type { RegisterOperation } from '../../../src/simulation/linearizability.ts';
import type { ProcessCluster } from './process-cluster.ts';
import type { RegisterClient } from './register-client.ts';

const KEYS = 64;

/**
 * Clients that change and read registers through any process, and what they saw. Refusals have no
 * effect and are left out; whatever got no answer may have had one at any time.
 */
export class HistoryClients {
  readonly operations: RegisterOperation[] = [];
  readonly #cluster: ProcessCluster;
  readonly #random: SeededRandom;
  readonly #running: Promise<void>[] = [];
  #clock = 0;
  #nextValue = 0;
  #isStopping = false;
  /** Changes that were acknowledged. */
  acknowledged = 0;

  constructor(cluster: ProcessCluster, seed: number) {
    this.#cluster = cluster;
    this.#random = new SeededRandom(seed);
  }

  start(count: number): void {
    for (let i = 0; i < count; i += 1) this.#running.push(this.#run());
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all(this.#running);
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

  async #operate(client: RegisterClient): Promise<boolean> {
    const key = this.#random.between(0, KEYS);
    const kinds = ['read', 'put', 'increment', 'compareAndSet'] as const;
    const kind = kinds[this.#random.between(0, kinds.length)] ?? 'read';
    this.#nextValue += 1;
    const value = this.#nextValue;
    const expected = Math.max(0, value - this.#random.between(1, 6));
    const called = this.#tick();
    const {
      answer,
      unknown,
      place: index,
    } = kind === 'read'
      ? await client.request({ op: 'read', key })
      : await client.request({ op: 'change', command: { kind, key, value, expected } });
    const returned = this.#tick();
    const place = { key, kind, value, expected, called };
    if (typeof answer === 'number') {
      if (kind !== 'read') this.acknowledged += 1;
      this.operations.push({ ...place, returned, answer, place: index });
      return true;
    }
    // A read without an answer says nothing.
    if (unknown !== undefined && kind !== 'read') {
      this.operations.push({ ...place, returned: undefined, answer: undefined });
    }
    return false;
  }

  #tick(): number {
    this.#clock += 1;
    return this.#clock;
  }
}
