import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Applier } from '../../src/node/applier.ts';
import type { Entry } from '../../src/raft/entry.ts';
import { encodeCommand } from '../../src/simulation/command.ts';
import { RegisterMachine } from '../../src/simulation/register-machine.ts';
import { planOf, runSimulation, SEED_CLASSES } from '../../src/simulation.ts';
import { INITIAL_APPLIED } from '../../src/storage/log-storage.ts';
import { AT_FIRST_LEVEL } from '../support/core-member.ts';
import { propRuns } from '../support/prop-runs.ts';

describe('CS-314: the invariants hold for any plan', () => {
  it('of few steps, so that a failure shrinks to a small one', { timeout: 60_000 }, () => {
    const arbitraryPlan = fc.record({
      seedClass: fc.constantFrom(...SEED_CLASSES),
      seed: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
      steps: fc.integer({ min: 10, max: 1_500 }),
      voters: fc.integer({ min: 3, max: 5 }),
      spares: fc.integer({ min: 1, max: 2 }),
      lossShare: fc.double({ min: 0, max: 0.4, noNaN: true }),
      duplicateShare: fc.double({ min: 0, max: 0.3, noNaN: true }),
      delayMax: fc.integer({ min: 1, max: 120 }),
      writeMax: fc.integer({ min: 1, max: 200 }),
      appendEntriesMax: fc.integer({ min: 1, max: 8 }),
      snapshotEvery: fc.integer({ min: 1, max: 40 }),
      entriesKept: fc.integer({ min: 0, max: 8 }),
    });
    fc.assert(
      fc.property(arbitraryPlan, ({ seedClass, seed, steps, ...changes }) => {
        const plan = { ...planOf(seedClass, seed, steps), ...changes };
        expect(runSimulation(plan).violation).toBeUndefined();
      }),
      { numRuns: propRuns(150) },
    );
  });
});

describe('CS-319: application depends on nothing but the entries', () => {
  it('makes the same records and revisions however the entries are grouped', () => {
    const command = fc.record({
      kind: fc.constantFrom('put' as const, 'compareAndSet' as const, 'increment' as const),
      key: fc.integer({ min: 0, max: 3 }),
      value: fc.integer({ min: 0, max: 4 }),
      expected: fc.integer({ min: 0, max: 4 }),
      isLastOfGroup: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(command, { maxLength: 60 }), (commands) => {
        const apply = (endsGroup: (at: number) => boolean) => {
          const machine = new RegisterMachine([], { applied: () => {}, published: () => {} });
          const applier = new Applier(machine, INITIAL_APPLIED, AT_FIRST_LEVEL);
          const records = new Map<string, string>();
          const results = commands.map((it, at) => {
            const payload = encodeCommand({ ...it, operation: at });
            const index = BigInt(at + 1);
            const head = { index, term: 1n, kind: 'normal' as const, payload };
            const entry: Entry = { ...head, chain: new Uint8Array(16) };
            const { result, revision } = applier.apply(entry);
            if (endsGroup(at)) {
              for (const { key, value } of applier.take()) records.set(key.join(), `${value}`);
              machine.publish(applier.position);
            }
            return `${result} ${revision}`;
          });
          for (const { key, value } of applier.take()) records.set(key.join(), `${value}`);
          machine.publish(applier.position);
          const registers = [0, 1, 2, 3].map((key) => machine.read(key));
          return { records: [...records].sort(), results, registers };
        };
        const together = apply(() => false);
        expect(apply(() => true)).toEqual(together);
        expect(apply((at) => commands[at]?.isLastOfGroup === true)).toEqual(together);
      }),
      { numRuns: propRuns(200) },
    );
  });
});
