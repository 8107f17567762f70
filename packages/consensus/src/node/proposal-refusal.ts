import { InvariantError } from '../assert.ts';
import { RaftError } from '../errors.ts';
import type { ProposalOutcome } from '../raft/output.ts';

/** The error of a proposal that was not appended. */
export function refusalError(outcome: ProposalOutcome & { readonly kind: 'dropped' }): RaftError {
  const { leader, text } = outcome;
  switch (outcome.reason) {
    case 'notLeader':
      return new RaftError('RAFT_NOT_LEADER', { leader });
    case 'transferring':
      return new RaftError('RAFT_TRANSFERRING', { leader });
    case 'uncommittedLogFull':
      return new RaftError('RAFT_UNCOMMITTED_LOG_FULL', {});
    case 'tooLarge':
      throw new InvariantError('no command is proposed that is larger than an entry may be');
    case 'changePending':
      return new RaftError('RAFT_CHANGE_PENDING', {});
    case 'invalidChange':
      return new RaftError('RAFT_INVALID_CHANGE', { problem: text ?? 'it changes nothing' });
    case 'storeFailed':
      return new RaftError('RAFT_STORAGE_FAILED', { isUncertain: false });
    case 'stopped':
      return new RaftError('RAFT_CLOSED', {});
  }
}
