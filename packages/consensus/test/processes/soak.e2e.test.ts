import { TestAuthority } from '@nervix/testkit';
import { expect, test } from 'vitest';
import { SeededRandom } from '../../src/raft/seeded-random.ts';
import { checkLinearizability } from '../../src/simulation/linearizability.ts';
import type { CredentialBundle } from '../../src/transport/credentials.ts';
import { progress, smallDisks, startCluster } from '../support/processes/fixture.ts';
import { HistoryClients } from '../support/processes/history.ts';
import type { ProcessCluster } from '../support/processes/process-cluster.ts';
import type { ProcessMemory } from '../support/processes/register-protocol.ts';
import { FAULTS } from '../support/processes/soak-faults.ts';

/** How long faults go on; a soak is `SOAK_MINUTES=30`. */
const MINUTES = Number(process.env['SOAK_MINUTES'] ?? 0.2);
const SEED = Number(process.env['SOAK_SEED'] ?? 1);
const SURVIVOR = 3;
const CLIENTS = 5;
const KEYS_PER_ROUND = 16;
const CHECK_STEPS = 20_000_000;
/** Rounds until caches are warm and everything was compiled. */
const WARM_ROUNDS = 3;
/** What garbage collectors and growing maps of a few thousand registers move it by. */
const HEAP_SLACK_BYTES = 16 * 1_024 * 1_024;
const RETENTION = {
  entriesThreshold: 400,
  bytesThreshold: 1e9,
  entriesKept: 60,
  bytesKept: 1e9,
};

const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

class Soak {
  readonly #cluster: ProcessCluster;
  readonly #random = new SeededRandom(SEED);
  readonly #certificateOf: (nodeId: string) => CredentialBundle;
  readonly #counts = new Map<string, number>();
  readonly #memory = new Map<string, ProcessMemory[]>();
  #rounds = 0;
  #operations = 0;
  #unproved = 0;

  constructor(cluster: ProcessCluster, certificateOf: (nodeId: string) => CredentialBundle) {
    this.#cluster = cluster;
    this.#certificateOf = certificateOf;
  }

  async run(minutes: number): Promise<void> {
    const end = performance.now() + minutes * 60_000;
    const names = Object.keys(FAULTS);
    for (let order: string[] = []; performance.now() < end; this.#rounds += 1) {
      // Every kind once before any comes again.
      if (order.length === 0) order = this.#shuffled(names);
      await this.#round(order.pop() ?? '');
    }
    this.#report();
  }

  /** Heap of the process that was never ended: when it was warm, and at the end. */
  get heap(): { readonly first: number; readonly last: number } {
    const samples = this.#memory.get(`n${SURVIVOR}`) ?? [];
    const first = samples[Math.min(WARM_ROUNDS, samples.length) - 1]?.heapUsed ?? 0;
    return { first, last: samples.at(-1)?.heapUsed ?? 0 };
  }

  /** In how many rounds the history was too long to be proved. */
  get unprovedPart(): number {
    return this.#unproved / this.#rounds;
  }

  async #round(name: string): Promise<void> {
    const where = `round ${this.#rounds} of SOAK_SEED=${SEED}: ${name}`;
    const keys = { first: this.#rounds * KEYS_PER_ROUND, count: KEYS_PER_ROUND };
    const clients = new HistoryClients(this.#cluster, SEED + this.#rounds, keys);
    clients.start(CLIENTS);
    try {
      await progress(clients);
      await this.#fault(name);
      await progress(clients);
      await clients.stop();
      await this.#cluster.settled();
      await clients.readAll();
    } catch (error) {
      const said = await Promise.all(this.#cluster.processes.map((it) => it.describe()));
      throw new Error(`${where}: ${String(error)}\n${said.join('\n')}`, { cause: error });
    } finally {
      await clients.stop();
    }
    const verdict = checkLinearizability(clients.operations, CHECK_STEPS);
    expect(verdict.kind, `${where}: register ${JSON.stringify(verdict)}`).not.toBe('violated');
    if (verdict.kind === 'exceeded') this.#unproved += 1;
    this.#operations += clients.operations.length;
    await this.#measure();
  }

  async #fault(name: string): Promise<void> {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
    await FAULTS[name]?.({
      cluster: this.#cluster,
      survivor: this.#cluster.process(SURVIVOR),
      between: (low, high) => this.#random.between(low, high),
      certificateOf: this.#certificateOf,
    });
  }

  async #measure(): Promise<void> {
    for (const process of this.#cluster.processes) {
      const memory = await process.memory();
      const samples = this.#memory.get(process.nodeId) ?? [];
      if (memory !== undefined) samples.push(memory);
      this.#memory.set(process.nodeId, samples);
    }
  }

  #shuffled(names: readonly string[]): string[] {
    const shuffled = [...names];
    for (let i = shuffled.length - 1; i > 0; i -= 1) {
      const j = this.#random.between(0, i + 1);
      const kept = shuffled[i] ?? '';
      shuffled[i] = shuffled[j] ?? '';
      shuffled[j] = kept;
    }
    return shuffled;
  }

  #report(): void {
    const counts = [...this.#counts].map(([name, count]) => `${name} ${count}`).join(', ');
    say(`SOAK_SEED=${SEED}: ${this.#rounds} rounds, ${this.#operations} operations; ${counts}`);
    say(`histories that were too long to be proved: ${this.#unproved}`);
    for (const [nodeId, samples] of this.#memory) {
      const first = samples[Math.min(WARM_ROUNDS, samples.length) - 1];
      const last = samples.at(-1);
      if (first === undefined || last === undefined) continue;
      const most = Math.max(...samples.map(({ heapUsed }) => heapUsed));
      say(
        `${nodeId}: heap ${megabytes(first.heapUsed)} .. ${megabytes(last.heapUsed)}` +
          ` (most ${megabytes(most)}), rss ${megabytes(first.rss)} .. ${megabytes(last.rss)}`,
      );
    }
  }
}

test('CS-330 CS-332 a cluster outlives faults of every kind, in constant memory', {
  timeout: MINUTES * 60_000 + 180_000,
}, async () => {
  const authority = new TestAuthority();
  const certificateOf = (nodeId: string): CredentialBundle => {
    const uri = `nervix://cluster/registers/node/${nodeId}`;
    return authority.leaf({ names: [uri, `${nodeId}.test`] });
  };
  const cluster = await startCluster({
    retention: RETENTION,
    disks: await smallDisks(1, 2),
    tls: certificateOf,
  });
  const soak = new Soak(cluster, certificateOf);
  await soak.run(MINUTES);
  const { first, last } = soak.heap;
  expect(last).toBeLessThan(first + HEAP_SLACK_BYTES);
  expect(soak.unprovedPart).toBeLessThan(0.1);
});
