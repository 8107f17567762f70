import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { isOutcomeUnknown, isRaftError, RAFT_ERROR_CODES, RaftError } from '../src/index.ts';

const readme = readFileSync(path.join(import.meta.dirname, '..', 'README.md'), 'utf8');

test('the table of error codes and the README agree both ways', () => {
  const documented = [...readme.matchAll(/^\| `(RAFT_\w+)` \| (yes|no) \|/gm)].map((match) => ({
    code: match[1],
    retryable: match[2] === 'yes',
  }));
  expect(documented).toEqual(RAFT_ERROR_CODES);
});

test('an error carries code, details, retry class and cause', () => {
  const cause = new Error('no space left');
  const error = new RaftError('RAFT_STORAGE_FAILED', { isUncertain: true }, { cause });
  expect(error).toMatchObject({
    name: 'RaftError',
    code: 'RAFT_STORAGE_FAILED',
    details: { isUncertain: true },
    retryable: false,
    cause,
  });
  expect(isRaftError(error, 'RAFT_STORAGE_FAILED')).toBe(true);
  expect(isRaftError(error, 'RAFT_CLOSED')).toBe(false);
  expect(isRaftError(cause, 'RAFT_CLOSED')).toBe(false);
});

test.each([
  [
    new RaftError('RAFT_NOT_LEADER', { leader: undefined }),
    'this node does not lead and knows no leader',
  ],
  [
    new RaftError('RAFT_NOT_LEADER', { leader: { nodeId: 'n2', storeId: '00' } }),
    'this node does not lead; the leader is n2',
  ],
  [
    new RaftError('RAFT_FOREIGN_STORE', {
      directory: 'd',
      field: 'absent',
      expected: 'aa',
      found: '',
    }),
    'consensus storage at d is absent; expected store aa',
  ],
  [
    new RaftError('RAFT_FOREIGN_STORE', {
      directory: 'd',
      field: 'nodeId',
      expected: 'n1',
      found: 'n2',
    }),
    'consensus storage at d has nodeId n2; expected n1',
  ],
  [
    new RaftError('RAFT_STORAGE_UNAVAILABLE', { directory: 'd' }),
    'consensus storage at d cannot be opened',
  ],
  [
    new RaftError('RAFT_OVERLOADED', { queued: 2, queuedBytes: 30 }),
    'proposal dropped: uncommitted log is full (2 proposals, 30 bytes waiting)',
  ],
  [
    new RaftError('RAFT_STORAGE_FAILED', { isUncertain: false }),
    'consensus storage stopped after a failed write; restart the node to recover',
  ],
  [new RaftError('RAFT_CLOSED', {}), 'the consensus node is closed'],
])('CS-77 CS-46 messages say what happened: %s', (error, message) => {
  expect(error.message).toBe(message);
});

test.each([
  [new RaftError('RAFT_LEADERSHIP_LOST', {}), true],
  [new RaftError('RAFT_STORAGE_FAILED', { isUncertain: true }), true],
  [new RaftError('RAFT_STORAGE_FAILED', { isUncertain: false }), false],
  [new RaftError('RAFT_CLOSED', {}), false],
  [new Error('RAFT_LEADERSHIP_LOST'), false],
])('CS-46 whether a command may have an effect: %s', (error, isUnknown) => {
  expect(isOutcomeUnknown(error)).toBe(isUnknown);
});
