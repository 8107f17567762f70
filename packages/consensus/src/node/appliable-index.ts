import { greater, lesser } from '../raft/big-order.ts';
import type { MergedJob } from './store-queue.ts';

/** Where a job cuts the stored log, which ends at `last`; a cut behind its end cuts nothing. */
export function storedCut(job: MergedJob | undefined, last: bigint): bigint | undefined {
  const truncateFrom = job?.truncateFrom;
  return truncateFrom !== undefined && truncateFrom <= last ? truncateFrom : undefined;
}

/**
 * Newest index whose effects may share the write of `job`: it is committed, or becomes so by this
 * write, and it is stored, in a log that ends at `last`, or is being stored by this write.
 */
export function appliableIndex(commit: bigint, last: bigint, job: MergedJob | undefined): bigint {
  const committed = greater(commit, job?.commitOnPersist ?? 0n);
  const appended = job?.entries.at(-1)?.index;
  if (appended !== undefined) return lesser(committed, appended);
  const cut = storedCut(job, last);
  return lesser(committed, cut === undefined ? last : cut - 1n);
}
