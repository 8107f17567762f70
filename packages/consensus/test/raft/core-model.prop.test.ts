import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { MemberChange } from '../../src/raft/configuration.ts';
import { CoreCluster, idOf } from '../support/core-cluster.ts';
import { CoreInvariants } from '../support/core-invariants.ts';
import { CoreDisk, configurationOf, memberOf } from '../support/core-member.ts';
import { propRuns } from '../support/prop-runs.ts';

/** A cluster under test; the model is the history that the invariants keep. */
class Run {
  readonly cluster: CoreCluster;
  readonly invariants = new CoreInvariants();
  contexts = 0n;

  constructor(members: number) {
    const numbers = Array.from({ length: members }, (_, at) => at + 1);
    const options = { appendEntriesMax: 3, cacheBytesMax: 4, inflightBatchesMax: 3 };
    this.cluster = new CoreCluster(numbers, configurationOf(numbers), options);
    this.cluster.start(6, new CoreDisk(undefined));
  }
}

type Act = (run: Run, on: number, at: number) => void;

/** Everything that may happen, on a member that the run chooses. */
const ACTS: Readonly<Record<string, Act>> = {
  tick: ({ cluster }, on) => {
    for (let tick = 0; tick < 4; tick += 1) cluster.of(on).step({ kind: 'tick' });
  },
  campaign: ({ cluster }, on) => {
    // Enough silence for the others to vote.
    for (const member of cluster.members.values()) {
      if (member.core.role === 'leader') continue;
      for (let tick = 0; tick < 9; tick += 1) member.step({ kind: 'tick' });
    }
    cluster.of(on).step({ kind: 'campaign' });
  },
  deliver: ({ cluster }, _, at) => {
    cluster.collect();
    for (let count = 0; count < 6 && cluster.flights.length > 0; count += 1) {
      cluster.deliver(at % cluster.flights.length);
      cluster.collect();
    }
  },
  lose: ({ cluster }, _, at) => {
    cluster.collect();
    cluster.flights.splice(at % Math.max(cluster.flights.length, 1), 1);
  },
  repeat: ({ cluster }, _, at) => {
    const flight = cluster.delivered[at % Math.max(cluster.delivered.length, 1)];
    if (flight !== undefined) cluster.hand(flight);
  },
  persist: ({ cluster }, on, at) => {
    cluster.of(on).persist(1 + (at % 3));
  },
  load: ({ cluster }, on) => {
    cluster.of(on).load();
  },
  propose: ({ cluster }, on, at) => {
    const payloads = [Uint8Array.of(at % 256), Uint8Array.of(1, 2)];
    const leader = cluster.leaders.at(-1) ?? on;
    cluster.of(leader).step({ kind: 'propose', payloads });
  },
  read: (run, on) => {
    run.contexts += 1n;
    run.cluster.of(on).step({ kind: 'readIndex', context: run.contexts });
  },
  change: ({ cluster }, on, at) => {
    const kinds = ['addLearner', 'promote', 'demote', 'remove'] as const;
    const first = { kind: kinds[at % 4], member: memberOf(1 + (at % 6)) } as MemberChange;
    const second = { kind: kinds[(at >> 2) % 4], member: memberOf(6) } as MemberChange;
    const leader = cluster.leaders.at(-1) ?? on;
    const changes = at % 3 === 0 ? [first, second] : [at % 2 === 0 ? first : second];
    cluster.of(leader).step({ kind: 'proposeConfiguration', changes });
  },
  transfer: ({ cluster }, on) => {
    const leader = cluster.leaders.at(-1) ?? on;
    cluster.of(leader).step({ kind: 'transferLeader', target: idOf(on) });
  },
  crash: ({ cluster }, on) => {
    cluster.restart(on);
  },
  unreachable: ({ cluster }, on, at) => {
    cluster.of(on).step({ kind: 'peerUnreachable', peer: idOf(1 + (at % 6)) });
  },
  compact: ({ cluster }, on, at) => {
    cluster.of(on).compact(BigInt(at % 3));
  },
  settle: ({ cluster }) => cluster.settle(),
};

const WEIGHTS: Readonly<Record<string, number>> = { deliver: 12, persist: 8, tick: 3, propose: 4 };

class ActCommand implements fc.Command<Record<string, never>, Run> {
  readonly #name: string;
  readonly #on: number;
  readonly #at: number;

  constructor(name: string, on: number, at: number) {
    this.#name = name;
    this.#on = on;
    this.#at = at;
  }

  check(): boolean {
    return true;
  }

  run(_: Record<string, never>, run: Run): void {
    const numbers = [...run.cluster.members.keys()];
    ACTS[this.#name]?.(run, numbers[this.#on % numbers.length] ?? 1, this.#at);
    run.invariants.check(run.cluster);
  }

  toString(): string {
    return `${this.#name}(${this.#on}, ${this.#at})`;
  }
}

const act = fc.oneof(
  ...Object.keys(ACTS).map((name) => ({
    weight: WEIGHTS[name] ?? 1,
    arbitrary: fc
      .tuple(fc.nat({ max: 5 }), fc.nat({ max: 500 }))
      .map(([on, at]) => new ActCommand(name, on, at)),
  })),
);
const runs = fc.tuple(
  fc.integer({ min: 3, max: 5 }),
  fc.commands([act], { size: 'max', maxCommands: 150 }),
);

test('CS-314 three to five cores keep I1 to I4, I6, I9 and I10 whatever happens', () => {
  let elections = 0;
  let committed = 0;
  fc.assert(
    fc.property(runs, ([members, commands]) => {
      const run = new Run(members);
      fc.modelRun(() => ({ model: {}, real: run }), commands);
      elections += run.invariants.elections;
      committed += run.invariants.committed;
    }),
    { numRuns: propRuns(150) },
  );
  // A network in which nothing is ever decided proves nothing.
  expect(elections).toBeGreaterThan(50);
  expect(committed).toBeGreaterThan(50);
});

test('CS-10 the same inputs give the same outputs', () => {
  fc.assert(
    fc.property(runs, ([members, commands]) => {
      const run = new Run(members);
      fc.modelRun(() => ({ model: {}, real: run }), commands);
      for (const member of run.cluster.members.values()) {
        expect(member.replay()).toEqual(member.outputs);
      }
    }),
    { numRuns: propRuns(20) },
  );
});
