import { assert } from '../assert.ts';
import { encodeConfiguration } from '../raft/configuration-codec.ts';
import { CHAIN_BYTES, type ChainedPosition, type LogPosition } from '../raft/entry.ts';
import { type HardState, isSameVote } from '../raft/hard-state.ts';
import type { LogIndex } from './log-index.ts';
import {
  type AppliedPosition,
  PURGE_ENTRIES_MAX,
  type StoreJob,
  type WritePoint,
} from './log-storage.ts';

/** What is durable before a job. */
export interface JobBase {
  readonly clusterUid: string | undefined;
  readonly incarnation: bigint;
  readonly hardState: HardState;
  readonly log: LogIndex;
  readonly applied: AppliedPosition;
}

/** Asserts everything that a job must satisfy with respect to what is durable before it. */
export function checkJob(base: JobBase, job: StoreJob): void {
  const isUidFree = base.clusterUid === undefined || base.clusterUid === job.clusterUid;
  assert(job.clusterUid === undefined || isUidFree, 'the cluster of a store never changes');
  const isLater = job.incarnation === undefined || job.incarnation > base.incarnation;
  assert(isLater, 'every process run of a store is greater than those before');
  const start = checkTruncation(base, job);
  const last = checkEntries(start, job);
  checkConfigurations(job);
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
  checkPurge(base, job);
}

function checkTruncation({ log, hardState, applied }: JobBase, job: StoreJob): ChainedPosition {
  const from = job.truncateFrom;
  if (from === undefined) return log.last;
  assert(log.holds(from), 'what is cut is stored');
  assert(from > hardState.commit && from > applied.index, 'what is committed is not cut');
  return log.positionAt(from - 1n);
}

function checkEntries(start: LogPosition, job: StoreJob): LogPosition {
  let last = start;
  for (const entry of job.entries) {
    assert(entry.index === last.index + 1n, 'entries follow the stored log without a gap');
    assert(entry.term >= last.term, 'terms never decrease along the log');
    assert(entry.chain.length === CHAIN_BYTES, 'every entry has its chain value');
    last = entry;
  }
  return last;
}

function checkConfigurations({ entries, configurations = [] }: StoreJob): void {
  let found = 0;
  for (const entry of entries) {
    if (entry.kind !== 'configuration') continue;
    const record = configurations[found];
    const isSame =
      record?.index === entry.index &&
      Buffer.compare(encodeConfiguration(record.configuration), entry.payload) === 0;
    assert(isSame, 'every configuration entry comes with its configuration');
    found += 1;
  }
  assert(found === configurations.length, 'every configuration comes with its entry');
}

function checkPurge({ log, applied }: JobBase, { purgeThrough }: StoreJob): void {
  if (purgeThrough === undefined) return;
  assert(log.holds(purgeThrough), 'a purge removes stored entries');
  assert(purgeThrough <= applied.index, 'only applied entries are purged');
  const removed = purgeThrough - log.bounds.purged.index;
  assert(removed <= BigInt(PURGE_ENTRIES_MAX), 'one job purges a bounded number of entries');
}

/** Whether the job removes any of these entries. */
export function removesAny(job: StoreJob, from: bigint, through: bigint): boolean {
  const { purgeThrough, truncateFrom } = job;
  return (
    (purgeThrough !== undefined && from <= purgeThrough) ||
    (truncateFrom !== undefined && through >= truncateFrom)
  );
}

/** What a job consists of, for a write interceptor. */
export function writePointsOf(before: HardState, job: StoreJob): readonly WritePoint[] {
  const points: WritePoint[] = [];
  if (job.clusterUid !== undefined || job.incarnation !== undefined) points.push('format');
  if (isVoteChanged(before, job)) points.push('vote');
  if (job.truncateFrom !== undefined) points.push('truncate');
  if (job.entries.length > 0) points.push('append');
  if (job.applied !== undefined) points.push('apply');
  if (job.purgeThrough !== undefined) points.push('purge');
  return points;
}

/** Whether the job changes term or vote, and not merely the commit index. */
export function isVoteChanged(before: HardState, job: StoreJob): boolean {
  if (job.hardState === undefined) return false;
  return !isSameVote(job.hardState, before);
}
