import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type MergedJob, StoreQueue } from '../../src/node/store-queue.ts';
import type { Entry } from '../../src/raft/entry.ts';
import type { CoreStoreJob } from '../../src/raft/output.ts';
import { propRuns } from '../support/prop-runs.ts';

/** What a store holds: entries by index as (term, payload size), and the newest hard state. */
interface Stored {
  log: { readonly term: bigint; readonly bytes: number }[];
  term: bigint;
}

const step = fc.record({
  cut: fc.nat(6),
  appended: fc.nat(4),
  payload: fc.nat(40),
  isVote: fc.boolean(),
});

function applyJob(
  stored: Stored,
  job: Pick<CoreStoreJob, 'truncateFrom' | 'entries' | 'hardState'>,
): void {
  if (job.truncateFrom !== undefined) stored.log.length = Number(job.truncateFrom - 1n);
  for (const { index, term, payload } of job.entries) {
    expect(Number(index)).toBe(stored.log.length + 1);
    stored.log.push({ term, bytes: payload.length });
  }
  if (job.hardState !== undefined) stored.term = job.hardState.term;
}

/** Jobs as a core makes them: each cuts a suffix, or none, and appends behind what is left. */
function jobsOf(steps: readonly (typeof step extends fc.Arbitrary<infer T> ? T : never)[]) {
  let length = 0;
  let term = 1n;
  return steps.map(({ cut, appended, payload, isVote }, i): CoreStoreJob => {
    const kept = Math.max(0, length - cut);
    const truncateFrom = kept < length ? BigInt(kept + 1) : undefined;
    if (truncateFrom !== undefined || isVote) term += 1n;
    const entries = Array.from({ length: appended }, (_, n): Entry => {
      const index = BigInt(kept + n + 1);
      const chain = new Uint8Array(16);
      return { index, term, kind: 'normal', payload: new Uint8Array(payload), chain };
    });
    length = kept + appended;
    const hardState = isVote ? { term, votedFor: undefined, commit: 0n } : undefined;
    const rest = { commitOnPersist: undefined, installSnapshot: undefined, configurations: [] };
    return { seq: BigInt(i + 1), truncateFrom, entries, hardState, ...rest };
  });
}

test('CS-13 CS-74 merged jobs leave the store as the jobs one by one would', () => {
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 30 }),
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 1, max: 2_000 }),
      fc.integer({ min: 1, max: 5 }),
      (steps, operationsMax, bytesMax, takeEvery) => {
        const jobs = jobsOf(steps);
        const queue = new StoreQueue({ operationsMax, bytesMax });
        const one: Stored = { log: [], term: 0n };
        const merged: Stored = { log: [], term: 0n };
        let seq = 0n;
        const take = (): MergedJob | undefined => {
          const job = queue.take();
          if (job === undefined) return undefined;
          expect(job.seq).toBeGreaterThan(seq);
          seq = job.seq;
          // The driver leaves out cuts of what was never stored.
          const isDeep = Number(job.truncateFrom ?? 0n) <= merged.log.length;
          applyJob(merged, isDeep ? job : { ...job, truncateFrom: undefined });
          return job;
        };
        jobs.forEach((job, i) => {
          applyJob(one, job);
          queue.push(job);
          if (i % takeEvery === 0) take();
        });
        while (!queue.isEmpty) expect(take()).toBeDefined();
        expect(take()).toBeUndefined();
        expect(merged).toEqual(one);
        expect(seq).toBe(BigInt(jobs.length));
      },
    ),
    { numRuns: propRuns(500) },
  );
});

test('CS-74 a job is taken whole, the first whatever its size, and none behind an installation', () => {
  const [first, second, third] = jobsOf([
    { cut: 0, appended: 4, payload: 40, isVote: true },
    { cut: 0, appended: 1, payload: 1, isVote: false },
    { cut: 0, appended: 1, payload: 1, isVote: false },
  ]);
  const queue = new StoreQueue({ operationsMax: 2, bytesMax: 10 });
  for (const job of [first!, second!, third!]) queue.push(job);
  expect(queue.take()?.entries).toHaveLength(4);
  expect(queue.take()?.entries).toHaveLength(1);
  const snapshot = { index: 9n } as never;
  const installing = new StoreQueue({ operationsMax: 100, bytesMax: 10_000 });
  installing.push({ ...first!, installSnapshot: snapshot });
  installing.push(second!);
  expect(installing.take()?.installSnapshot).toBe(snapshot);
  expect(installing.take()?.seq).toBe(2n);
});
