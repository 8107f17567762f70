import { isRaftError, RaftError } from '../errors.ts';
import type { CoreEvent } from '../raft/output.ts';

/** The error of a call that a failed replica has not begun to carry out. */
export function refusalAfter(failure: Error): Error {
  if (!isRaftError(failure, 'RAFT_STORAGE_FAILED')) return failure;
  return new RaftError('RAFT_STORAGE_FAILED', { isUncertain: false }, { cause: failure });
}

/**
 * The error of a command that is in the log of a replica that fails. Unless a write is what failed,
 * the entry may be durable here and with others, so that it may yet take effect.
 */
export function outcomeAfter(failure: Error): Error {
  const isWrite = isRaftError(failure, 'RAFT_STORAGE_FAILED') && failure.details.isUncertain;
  return isWrite ? failure : new RaftError('RAFT_LEADERSHIP_LOST', {}, { cause: failure });
}

/**
 * Why a node stops whose store cannot be read or written. The same read might succeed if it were
 * made again, but a node that has stopped makes none.
 */
export function storeFailure(error: unknown): unknown {
  if (!isRaftError(error, 'RAFT_STORAGE_UNAVAILABLE')) return error;
  return new RaftError('RAFT_STORAGE_FAILED', { isUncertain: false }, { cause: error });
}

/** Why a core has halted because of what another member said. */
export function violationError({
  text,
  lostThrough,
}: Extract<CoreEvent, { readonly kind: 'invariantViolated' }>): RaftError {
  return lostThrough === undefined
    ? new RaftError('RAFT_LOG_CONTRADICTED', { problem: text })
    : new RaftError('RAFT_ENTRIES_LOST', { through: lostThrough });
}

/** Whatever was thrown, as an error. */
export function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
