import { RaftError } from '@nervix/consensus';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ReplicatedLog } from '../../src/replicated-state/replicated-log.ts';
import { openWithRelay } from '../support/control-node.ts';

/** Lets the log take so many writes and refuse one for want of room. */
function overloadAfter(writes: number): void {
  const { write } = ReplicatedLog.prototype;
  let taken = 0;
  const spy = vi.spyOn(ReplicatedLog.prototype, 'write').mockImplementation(async function (
    this: ReplicatedLog,
    command,
  ) {
    taken += 1;
    if (taken === writes + 1) throw new RaftError('RAFT_OVERLOADED', { queued: 1, queuedBytes: 1 });
    return write.call(this, command);
  });
  onTestFinished(() => spy.mockRestore());
}

test('CS-77: a store that failed makes one outcome unknown and refuses every later command', async () => {
  let isFull = false;
  const node = await openWithRelay({
    intercept: async (_points, commit) => {
      if (isFull) throw new Error('no space left on device');
      await commit();
    },
  });
  const asked = { execution_reference: node.reference() };
  await node.run('CREATE RELAY kept SCHEMA s UNBRANCHED;', asked);
  isFull = true;
  const first = await node.run('CREATE RELAY lost SCHEMA s UNBRANCHED;');
  expect(first.disposition.t).toBe('OutcomeUnknown');
  for (const statement of ['CREATE RELAY q SCHEMA s UNBRANCHED;', 'START;', 'BEGIN;']) {
    expect((await node.refuse(statement)).code).toBe('STORAGE_FAILED');
  }
  // What is known stays known, and reads go on.
  const again = await node.run('CREATE RELAY kept SCHEMA s UNBRANCHED;', asked);
  expect(again.origin).toBe('Recovered');
  expect(await node.text('SHOW CREATE RELAY kept;')).toContain('CREATE RELAY kept');
});

test('CS-77: a log that takes no write of a command leaves it undone, and says so', async () => {
  const node = await openWithRelay();
  overloadAfter(0);
  expect((await node.refuse('CREATE RELAY q SCHEMA s UNBRANCHED;')).code).toBe('SERVER_BUSY');
  await node.run('CREATE RELAY q SCHEMA s UNBRANCHED;');
});

test('CS-77: a log that refuses the second write of a command leaves its outcome unknown', async () => {
  const node = await openWithRelay();
  node.dataPlane.onInstall = () => 'no room';
  overloadAfter(1);
  expect((await node.run('START;')).disposition.t).toBe('OutcomeUnknown');
  expect(node.dataPlane.plans.size).toBe(0);
});

test('CP-111: a commit whose step the log refused is finished later', async () => {
  const node = await openWithRelay();
  const { execution_reference: transaction } = await node.run('BEGIN;');
  await node.run('CREATE RELAY q SCHEMA s UNBRANCHED;', { transaction });
  overloadAfter(1);
  const cut = await node.run('COMMIT;', { transaction });
  expect(cut.disposition.t).toBe('OutcomeUnknown');
  expect(node.state.transaction(transaction)?.state).toBe('COMMITTING');
  await node.commits.resumeAll();
  expect(node.state.transaction(transaction)?.state).toBe('COMMITTED');
  expect(await node.text('SHOW CREATE RELAY q;')).toContain('CREATE RELAY q');
});
