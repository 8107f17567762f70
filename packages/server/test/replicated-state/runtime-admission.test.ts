import { RaftError, type ReadBarrier } from '@nervix/consensus';
import { expect, test } from 'vitest';
import { admitRuntime } from '../../src/replicated-state/runtime-admission.ts';

const notLeader = () => new RaftError('RAFT_NOT_LEADER', { leader: undefined });
const overloaded = () =>
  new RaftError('RAFT_OVERLOADED', { queued: 1, queuedBytes: 0, queuedReads: 1 });
const BARRIER: ReadBarrier = { index: 7n, revision: 3n };

/** A log that answers its reads with these in turn, and a clock that only counts. */
function admission(answers: readonly (Error | ReadBarrier)[]) {
  const pauses: number[] = [];
  const left = [...answers];
  const log = {
    read: async (): Promise<ReadBarrier> => {
      const answer = left.shift();
      if (answer === undefined || answer instanceof Error)
        throw answer ?? new Error('too many reads');
      return answer;
    },
  };
  const pause = async (ms: number): Promise<void> => void pauses.push(ms);
  return { pauses, admitted: admitRuntime(log, pause), left };
}

test('CS-53: work is admitted by one read through the leader, at its boundary', async () => {
  const { admitted, pauses, left } = admission([BARRIER, BARRIER]);
  expect(await admitted).toEqual(BARRIER);
  expect(pauses).toEqual([]);
  // The proof is for the process; nobody asks again.
  expect(left).toHaveLength(1);
});

test('CS-53: without a leader it asks again every 500 ms, and nothing runs meanwhile', async () => {
  const { admitted, pauses } = admission([notLeader(), overloaded(), notLeader(), BARRIER]);
  expect(await admitted).toEqual(BARRIER);
  expect(pauses).toEqual([500, 500, 500]);
});

test.each([
  ['a failed store', new RaftError('RAFT_STORAGE_FAILED', { isUncertain: false })],
  ['a closed node', new RaftError('RAFT_CLOSED', {})],
  ['a defect', new TypeError('not a function')],
])('CS-53: %s ends the wait', async (_, error) => {
  const { admitted, pauses } = admission([notLeader(), error, BARRIER]);
  await expect(admitted).rejects.toBe(error);
  expect(pauses).toEqual([500]);
});
