import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CoreStoreJob, type MemberId, RawRaft, type RawRaftState } from '../../src/index.ts';
import { propRuns } from '../support/prop-runs.ts';

const self: MemberId = { nodeId: 'n1', storeId: '01'.repeat(16) };

type Input = 'campaign' | 'propose' | 'read' | 'ready' | 'persisted' | 'apply' | 'storeFailed';

const inputs = fc.array(
  fc.oneof(
    { weight: 20, arbitrary: fc.constantFrom<Input>('campaign', 'propose', 'read') },
    { weight: 30, arbitrary: fc.constantFrom<Input>('ready', 'persisted', 'apply') },
    { weight: 1, arbitrary: fc.constant<Input>('storeFailed') },
  ),
  { maxLength: 120 },
);

const states: fc.Arbitrary<RawRaftState> = fc
  .tuple(fc.nat(5), fc.nat(5), fc.nat(3), fc.nat(3))
  .map(([applied, unapplied, lastTerm, newerTerms]) => ({
    hardState: {
      term: BigInt(lastTerm + newerTerms),
      votedFor: undefined,
      commit: BigInt(applied),
    },
    lastIndex: BigInt(applied + unapplied),
    lastTerm: BigInt(lastTerm),
    applied: BigInt(applied),
  }));

/** Feeds the inputs to a core, checks the invariants after each, and returns what it said. */
function run(state: RawRaftState, script: readonly Input[]): readonly unknown[] {
  const core = new RawRaft(self, state);
  const trace: unknown[] = [];
  const jobs: CoreStoreJob[] = [];
  let durableVoteTerm: bigint | undefined;
  let durableIndex = state.lastIndex;
  let writtenIndex = state.lastIndex;
  let reads = 0n;
  for (const input of script) {
    const before = { term: core.softState.term, commit: core.commit };
    if (input === 'campaign') core.campaign();
    if (input === 'propose') trace.push(core.propose(Uint8Array.of(1)));
    if (input === 'read') core.readIndex(++reads);
    if (input === 'storeFailed') core.storeFailed();
    if (input === 'apply') core.appliedTo(core.commit);
    if (input === 'ready') {
      const ready = core.ready();
      trace.push(ready);
      for (const { index } of ready.storeJob?.entries ?? []) {
        expect(index).toBe(writtenIndex + 1n);
        writtenIndex = index;
      }
      for (const { index } of ready.readStates) expect(index).toBe(core.commit);
      if (ready.storeJob !== undefined) jobs.push(ready.storeJob);
    }
    if (input === 'persisted') {
      const job = jobs.shift();
      if (job !== undefined) {
        if (job.hardState?.votedFor !== undefined) durableVoteTerm = job.hardState.term;
        durableIndex = job.entries.at(-1)?.index ?? durableIndex;
        core.persisted(job.seq);
      }
    }
    expect(core.softState.term).toBeGreaterThanOrEqual(before.term);
    expect(core.commit).toBeGreaterThanOrEqual(before.commit);
    expect(core.commit).toBeLessThanOrEqual(durableIndex);
    if (core.softState.role === 'leader') expect(durableVoteTerm).toBe(core.softState.term);
  }
  trace.push(core.softState, core.commit);
  return trace;
}

test('CS-10 I7 I9 random inputs keep the invariants and repeat exactly', () => {
  fc.assert(
    fc.property(states, inputs, (state, script) => {
      expect(run(state, script)).toEqual(run(state, script));
    }),
    { numRuns: propRuns(300) },
  );
});
