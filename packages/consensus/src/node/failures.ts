import { isRaftError, RaftError } from '../errors.ts';

/** The error of a call that a failed replica has not begun to carry out. */
export function refusalAfter(failure: Error): Error {
  if (!isRaftError(failure, 'RAFT_STORAGE_FAILED')) return failure;
  return new RaftError('RAFT_STORAGE_FAILED', { isUncertain: false }, { cause: failure });
}

/** Whatever was thrown, as an error. */
export function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
