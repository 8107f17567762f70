import { isRaftError, type RaftErrorCode } from '@nervix/consensus';
import { failed, type Outcome } from './outcome.js';

/**
 * What a command answers when one of its writes met a failure of the log; undefined for any other
 * error. A command may write more than once, so that even a write which certainly had no effect
 * says nothing about those before it: only what the log refuses to take at all is definite.
 */
export function storageFailureOutcome(error: unknown): Outcome | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  switch (error.code as RaftErrorCode) {
    case 'RAFT_STORAGE_FAILED':
    case 'RAFT_APPLY_FAILED':
      return failed(
        'OUTCOME_UNKNOWN',
        'the store failed during the command; the outcome is unknown',
      );
    case 'RAFT_CLOSED':
      return failed(
        'OUTCOME_UNKNOWN',
        'the node stopped during the command; the outcome is unknown',
      );
    case 'RAFT_NOT_LEADER':
    case 'RAFT_LEADERSHIP_LOST':
      return failed('OUTCOME_UNKNOWN', 'the node does not lead any more; the outcome is unknown');
    case 'RAFT_OVERLOADED':
      return failed('SERVER_BUSY', 'too many commands are waiting to be written');
    case 'RAFT_ENTRY_TOO_LARGE':
      return failed('LIMIT_REACHED', error.message);
    default:
      return undefined;
  }
}

/** Whether an error is one of the log, which says nothing about a command by itself. */
export function isLogFailure(error: unknown): boolean {
  return storageFailureOutcome(error) !== undefined;
}

/** Why the log will never take a write, of which therefore nothing happened; else undefined. */
export function definiteRefusal(
  error: unknown,
): { readonly code: 'LIMIT_REACHED'; readonly message: string } | undefined {
  if (!isRaftError(error, 'RAFT_ENTRY_TOO_LARGE')) return undefined;
  return { code: 'LIMIT_REACHED', message: error.message };
}
