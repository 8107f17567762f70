import type { RaftErrorCode } from '@nervix/consensus';
import { failed, type Outcome } from './outcome.js';

/**
 * What a command answers when its write met a failure of the log; undefined for any other error. A
 * write that may be durable all the same has no definite outcome.
 */
export function storageFailureOutcome(error: unknown): Outcome | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  switch (error.code as RaftErrorCode) {
    case 'RAFT_STORAGE_FAILED':
      return isUncertain(error)
        ? failed('OUTCOME_UNKNOWN', 'the store failed during the write; the outcome is unknown')
        : failed('STORAGE_FAILED', 'the store failed; this node takes no more changes');
    case 'RAFT_APPLY_FAILED':
      return failed('STORAGE_FAILED', 'the command could not be applied; nothing was written');
    case 'RAFT_CLOSED':
      return failed('SERVER_BUSY', 'the node is stopping');
    case 'RAFT_OVERLOADED':
      return failed('SERVER_BUSY', 'too many commands are waiting to be written');
    case 'RAFT_ENTRY_TOO_LARGE':
      return failed('LIMIT_REACHED', error.message);
    default:
      return undefined;
  }
}

function isUncertain(error: Error): boolean {
  const { details } = error as { details?: { isUncertain?: boolean } };
  return details?.isUncertain !== false;
}
