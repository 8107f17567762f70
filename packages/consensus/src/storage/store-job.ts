import { assert } from '../assert.ts';
import { type HardState, isSameHardState } from '../raft/hard-state.ts';
import {
  type AppliedPosition,
  type LogBounds,
  PURGE_ENTRIES_MAX,
  type StoreJob,
  type WritePoint,
} from './log-storage.ts';

/** What is durable before a job. */
export interface JobBase {
  readonly hardState: HardState;
  readonly bounds: LogBounds;
  readonly applied: AppliedPosition;
}

/** Asserts everything that a job must satisfy with respect to what is durable before it. */
export function checkJob(base: JobBase, job: StoreJob): void {
  let { last } = base.bounds;
  for (const entry of job.entries) {
    assert(entry.index === last.index + 1n, 'entries follow the stored log without a gap');
    assert(entry.term >= last.term, 'terms never decrease along the log');
    last = entry;
  }
  const hardState = job.hardState ?? base.hardState;
  assert(hardState.term >= base.hardState.term, 'the term never goes back');
  assert(hardState.commit >= base.hardState.commit, 'the commit index never goes back');
  assert(hardState.commit <= last.index, 'committed entries are stored');
  assert(last.term <= hardState.term, 'no entry is newer than the term');
  const applied = job.applied ?? base.applied;
  assert(applied.index >= base.applied.index, 'the applied index never goes back');
  assert(applied.revision >= base.applied.revision, 'the revision never goes back');
  assert(applied.index <= last.index, 'applied entries are stored');
  assert(job.applied !== undefined || job.writes.length === 0, 'records change only by applying');
  if (job.purgeThrough === undefined) return;
  const { purged } = base.bounds;
  assert(job.purgeThrough > purged.index, 'a purge removes at least one entry');
  assert(job.purgeThrough <= base.bounds.last.index, 'a purge removes stored entries');
  assert(job.purgeThrough <= base.applied.index, 'only applied entries are purged');
  const removed = job.purgeThrough - purged.index;
  assert(removed <= BigInt(PURGE_ENTRIES_MAX), 'one job purges a bounded number of entries');
}

/** What a job consists of, for a write interceptor. */
export function writePointsOf(base: JobBase, job: StoreJob): readonly WritePoint[] {
  const points: WritePoint[] = [];
  if (isVoteChanged(base.hardState, job)) points.push('vote');
  if (job.entries.length > 0) points.push('append');
  if (job.applied !== undefined) points.push('apply');
  if (job.purgeThrough !== undefined) points.push('purge');
  return points;
}

/** Whether the job changes term or vote, and not merely the commit index. */
export function isVoteChanged(before: HardState, job: StoreJob): boolean {
  if (job.hardState === undefined) return false;
  return !isSameHardState({ ...job.hardState, commit: 0n }, { ...before, commit: 0n });
}
