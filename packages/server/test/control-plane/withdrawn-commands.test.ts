import { describe, expect, test } from 'vitest';
import { WithdrawableCommand, WithdrawnError } from '../../src/control-plane/command-admission.ts';
import { type ControlNode, openWithRelay, until } from '../support/control-node.ts';
import { identityOf } from '../support/users.ts';

const holder = { kind: 'session' } as const;

/** Runs a statement of a session that withdraws it before its first write. */
function withdrawn(node: ControlNode, query: string, attached: string | null, reference: string) {
  const admission = new WithdrawableCommand();
  expect(admission.withdraw()).toBe(true);
  const accepted = node.state.transaction(attached ?? '')?.accepted;
  const position = accepted === undefined ? {} : { expected_transaction_position: accepted };
  const request = { query, domain: 'd', execution_reference: reference, ...position };
  return node.executor.execute(request, identityOf('ada'), { holder, attached, admission });
}

/** A node with a transaction of the session that holds one statement. */
async function openTransaction() {
  const node = await openWithRelay();
  const transaction = await node.begin();
  await node.run('CREATE SCHEMA x (a I64);', { transaction });
  node.context.bindings.bind(transaction, holder);
  return { node, transaction };
}

describe('CL-23: a command that is withdrawn before its first durable effect', () => {
  test.each([
    'CREATE DOMAIN e;',
    "CREATE USER bob WITH PASSWORD 'right-and-long';",
    'CREATE SCHEMA x (a I64);',
    'DROP RELAY r;',
    'CREATE RESOURCE certs;',
    'START;',
    'CORDON NODE n1;',
    'BEGIN;',
    'CREATE RELAY r SCHEMA s UNBRANCHED CAPACITY 8;',
  ])('%s has none, now or later, and its reference stays usable', async (query) => {
    const node = await openWithRelay();
    const reference = node.reference();
    const { appliedIndex } = node.context.log.status();
    await expect(withdrawn(node, query, null, reference)).rejects.toThrow(WithdrawnError);
    expect(node.context.log.status().appliedIndex).toBe(appliedIndex);
    expect(node.state.reference(reference)).toBeUndefined();
    // Nothing is held up by it, and the command may be sent again.
    const reply = await node.execute(query, { execution_reference: reference });
    expect(node.state.reference(reference)).toBeDefined();
    expect(reply.kind).toBe(query.startsWith('CREATE RELAY r ') ? 'failed' : 'completed');
  });

  test.each(['CREATE SCHEMA y (a I64);', 'COMMIT;', 'REVERT;'])(
    '%s in a transaction leaves it as it was',
    async (query) => {
      const { node, transaction } = await openTransaction();
      const before = node.state.transaction(transaction);
      const reference = node.reference();
      await expect(withdrawn(node, query, transaction, reference)).rejects.toThrow(WithdrawnError);
      expect(node.state.transaction(transaction)).toEqual(before);
      await node.run(query, { transaction, execution_reference: reference });
    },
  );

  test('who joins it runs it', async () => {
    const node = await openWithRelay();
    const reference = node.reference();
    const first = withdrawn(node, 'CREATE SCHEMA x (a I64);', null, reference);
    const second = node.execute('CREATE SCHEMA x (a I64);', { execution_reference: reference });
    await expect(first).rejects.toThrow(WithdrawnError);
    expect(await second).toMatchObject({ kind: 'completed', outcome: { origin: 'Executed' } });
  });

  test('one that has begun to write cannot be withdrawn any more', async () => {
    const node = await openWithRelay();
    const admission = new WithdrawableCommand();
    const run = node.executor.execute(
      { query: 'CREATE SCHEMA x (a I64);', domain: 'd', execution_reference: node.reference() },
      identityOf('ada'),
      { holder, attached: null, admission },
    );
    await until(() => node.state.models('d').get('schema/x') !== undefined);
    expect(admission.withdraw()).toBe(false);
    expect(await run).toMatchObject({ kind: 'completed' });
  });
});
