import { describe, expect, test } from 'vitest';
import { type MemoryDisk, RaftError, type WriteInterceptor } from '../../src/index.ts';
import { encodeCommand } from '../support/ledger-machine.ts';
import { expectRaftError } from '../support/log-storage-suite.ts';
import { openMemoryNode, WriteGate } from '../support/node-fixture.ts';

const put = (key: string): Uint8Array => encodeCommand({ op: 'put', key, value: 'v' });

/** Fails the writes with entries from the `from`-th on, before or after they are durable. */
function failingFrom(from: number, moment: 'before' | 'after'): WriteInterceptor {
  let writes = 0;
  return async (points, commit) => {
    if (points.includes('append')) writes += 1;
    if (writes < from) return commit();
    if (moment === 'after') await commit();
    throw new Error('input/output error');
  };
}

async function reopenedKeys(disk: MemoryDisk): Promise<string[]> {
  return [...(await openMemoryNode({ disk })).machine.published.keys()];
}

describe('a failed write', () => {
  test.each(['before', 'after'] as const)(
    'CS-77 CS-340 %s it is durable: nothing is acknowledged any more, a restart decides',
    async (moment) => {
      const { node, machine, disk } = await openMemoryNode({ intercept: failingFrom(4, moment) });
      await node.propose(put('kept'));
      const inFlight = node.propose(put('lost or not'));
      const error = await expectRaftError(inFlight, 'RAFT_STORAGE_FAILED');
      expect(error.message).toContain('consensus storage');
      expect(error).toMatchObject({ details: { isUncertain: true }, retryable: false });

      const refused = await expectRaftError(node.propose(put('refused')), 'RAFT_STORAGE_FAILED');
      expect(refused).toMatchObject({ details: { isUncertain: false } });
      await expectRaftError(node.read(), 'RAFT_STORAGE_FAILED');
      expect(node.status()).toMatchObject({ role: 'follower', leader: undefined, revision: 1n });
      expect(node.status().failure).toBeInstanceOf(RaftError);
      expect([...machine.published.keys()]).toEqual(['kept']);
      await node.close();
      const expected = moment === 'after' ? ['kept', 'lost or not'] : ['kept'];
      expect(await reopenedKeys(disk)).toEqual(expected);
    },
  );

  test('commands behind the failed write are certain to have no effect', async () => {
    const gate = new WriteGate();
    const failing = failingFrom(3, 'before');
    const { node, disk } = await openMemoryNode({
      intercept: (points, commit) => gate.intercept(points, () => failing(points, commit)),
    });
    gate.shut();
    const first = node.propose(put('first'));
    await gate.arrival();
    const second = node.propose(put('second'));
    const read = node.read();
    gate.open();
    const uncertain = await expectRaftError(first, 'RAFT_STORAGE_FAILED');
    expect(uncertain).toMatchObject({ details: { isUncertain: true } });
    const certain = await expectRaftError(second, 'RAFT_STORAGE_FAILED');
    expect(certain).toMatchObject({ details: { isUncertain: false } });
    // The read needs only what was answered before it, and none of these commands was.
    expect(await read).toMatchObject({ revision: 0n });
    await expectRaftError(node.read(), 'RAFT_STORAGE_FAILED');
    await node.close();
    expect(await reopenedKeys(disk)).toEqual([]);
  });

  test('listeners learn of the failure', async () => {
    const { node } = await openMemoryNode({ intercept: failingFrom(3, 'before') });
    const failed = new Promise<boolean>((resolve) => {
      node.subscribe(({ isFailed, isLeader }) => {
        if (isFailed) resolve(isLeader);
      });
    });
    await expectRaftError(node.propose(put('a')), 'RAFT_STORAGE_FAILED');
    expect(await failed).toBe(false);
  });

  test('a node whose first writes fail does not open', async () => {
    await expectRaftError(
      openMemoryNode({ intercept: failingFrom(1, 'before') }),
      'RAFT_STORAGE_FAILED',
    );
  });
});

test('a state machine that throws stops the node before anything is written', async () => {
  const gate = new WriteGate();
  const { node, disk } = await openMemoryNode({ intercept: gate.intercept });
  const writes = gate.writes.length;
  const outcomes = [
    node.propose(put('same group')),
    node.propose(encodeCommand({ op: 'fail' })),
    node.propose(put('behind')),
  ];
  for (const outcome of outcomes) {
    const error = await expectRaftError(outcome, 'RAFT_LEADERSHIP_LOST');
    expect(error.cause).toMatchObject({ code: 'RAFT_APPLY_FAILED', details: { index: 4n } });
  }
  expect(gate.writes.length).toBe(writes);
  await expectRaftError(node.propose(put('later')), 'RAFT_APPLY_FAILED');
  await node.close();
  expect(await reopenedKeys(disk)).toEqual([]);
});
