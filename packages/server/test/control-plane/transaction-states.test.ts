import { describe, expect, test } from 'vitest';
import { attachTransaction } from '../../src/control-plane/transactions/attach.ts';
import { sweepTransactions } from '../../src/control-plane/transactions/expire.ts';
import { type ControlNode, LIMITS, openWithRelay } from '../support/control-node.ts';
import { drainTimeout } from '../support/drain-timeout.ts';
import { identityOf } from '../support/users.ts';

const X = 'CREATE SCHEMA x (id I64);';
const Y = 'CREATE SCHEMA y (id I64);';
const STATES = [
  'OPEN',
  'COMMITTING',
  'COMMITTED',
  'FAILED',
  'REVERTED',
  'EXPIRED',
  'removed',
] as const;
type State = (typeof STATES)[number];

/** A transaction that holds one statement and was brought into a state. */
async function transactionIn(state: State): Promise<{ node: ControlNode; id: string }> {
  const node = await openWithRelay();
  const id = await node.begin();
  await node.run(X, { transaction: id });
  const { limits } = node.context;
  switch (state) {
    case 'OPEN':
      break;
    case 'COMMITTING': {
      node.context.effects.activate = () => Promise.reject(new Error('no thread'));
      await node.run('START;', { transaction: id });
      expect(await node.run('COMMIT;', { transaction: id })).toMatchObject({
        disposition: { t: 'OutcomeUnknown' },
      });
      break;
    }
    case 'FAILED': {
      await node.run('CREATE RELAY q SCHEMA s UNBRANCHED;', { transaction: id });
      await node.run('START;');
      node.dataPlane.onPrepare = () => drainTimeout('d', ["emitter 'e'"]);
      // Its own START made the preview stale; the second COMMIT is of what is so now.
      const codes = [await refusedCommit(node, id), await refusedCommit(node, id)];
      expect(codes).toEqual(['PREVIEW_STALE', 'QUIESCE_FAILED']);
      break;
    }
    case 'EXPIRED':
      node.clock.nowMs += limits.transactionIdleTimeoutMs;
      await sweepTransactions(node.context);
      break;
    case 'removed':
      await node.run('REVERT;', { transaction: id });
      node.clock.nowMs += LIMITS.transactionTombstoneRetentionMs;
      await sweepTransactions(node.context);
      break;
    default:
      await node.run(state === 'REVERTED' ? 'REVERT;' : 'COMMIT;', { transaction: id });
  }
  expect(stateOf(node, id)).toBe(state);
  return { node, id };
}

async function refusedCommit(node: ControlNode, transaction: string): Promise<string> {
  return (await node.refuse('COMMIT;', { transaction })).code;
}

function stateOf(node: ControlNode, id: string): State {
  return node.state.transaction(id)?.state ?? 'removed';
}

type Event = (node: ControlNode, id: string) => Promise<unknown>;

const EVENTS: Readonly<Record<string, Event>> = {
  'an accepted append': (node, transaction) => node.execute(Y, { transaction }),
  'a refused append': (node, transaction) => node.execute(X, { transaction }),
  'a stale commit': (node, transaction) => {
    const expected_preview = {
      transaction_id: transaction,
      position: 1,
      planning_basis: 'a'.repeat(64),
    };
    return node.execute('COMMIT;', { transaction, expected_preview });
  },
  'an attach': (node, transaction) =>
    attachTransaction(node.context, {
      principal: identityOf('ada'),
      transaction,
      holder: { kind: 'session' },
      attached: null,
    }),
  'an inspection': (node, id) => node.execute(`DESCRIBE TRANSACTION '${id}';`),
  'a commit': (node, transaction) => node.execute('COMMIT;', { transaction }),
  'a revert': (node, transaction) => node.execute('REVERT;', { transaction }),
  'the idle deadline': (node) => {
    node.clock.nowMs += LIMITS.transactionIdleTimeoutMs;
    return sweepTransactions(node.context);
  },
};

/** Where an event leads from OPEN; nothing that has been decided leads anywhere but out of memory. */
const FROM_OPEN: Readonly<Record<string, State>> = {
  'an accepted append': 'OPEN',
  'a refused append': 'OPEN',
  'a stale commit': 'OPEN',
  'an attach': 'OPEN',
  'an inspection': 'OPEN',
  'a commit': 'COMMITTED',
  'a revert': 'REVERTED',
  'the idle deadline': 'EXPIRED',
};

describe.each(STATES)('CP-41: a transaction that is %s', (state) => {
  test.each(Object.keys(EVENTS))('%s', async (name) => {
    const { node, id } = await transactionIn(state);
    const before = node.state.transaction(id);
    const operations = node.state.operations(id);
    await EVENTS[name]?.(node, id);
    // Tombstones live as long as open transactions do: what has ended is forgotten at the deadline.
    const isForgotten = name === 'the idle deadline' && !['OPEN', 'COMMITTING'].includes(state);
    const expected = state === 'OPEN' ? FROM_OPEN[name] : isForgotten ? 'removed' : state;
    expect(stateOf(node, id)).toBe(expected);
    if (state === 'OPEN' && name === 'an accepted append') return;
    const isKept = expected === 'OPEN' || state !== 'OPEN';
    if (isKept) expect(node.state.operations(id)).toEqual(operations);
    else expect(node.state.operations(id)).toEqual([]);
    if (expected === 'removed') return;
    expect(node.state.transaction(id)?.accepted, 'what was accepted stays counted').toBe(
      before?.accepted,
    );
  });
});

test('CP-41, CP-67: a commit of what is incomplete, under a preview that is current, fails it', async () => {
  const node = await openWithRelay();
  const transaction = await node.begin();
  await node.run('CREATE RELAY lost SCHEMA nowhere UNBRANCHED;', { transaction });
  await node.refuse('COMMIT;', { transaction });
  expect(node.state.transaction(transaction)).toMatchObject({ state: 'FAILED', applied: 0 });
  expect(node.state.transaction(transaction)?.error?.operation).toBe(1);
});
