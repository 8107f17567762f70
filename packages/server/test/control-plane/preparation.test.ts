import { runtimeError } from '@nervix/runtime';
import { describe, expect, test } from 'vitest';
import { openWithRelay } from '../support/control-node.ts';
import { drainTimeout } from '../support/drain-timeout.ts';

const Q = 'CREATE RELAY q SCHEMA s UNBRANCHED CAPACITY 8;';

describe('RT-205, RT-206: a change of a running domain makes room before it is written', () => {
  test('a drain that times out refuses the statement, and nothing changes', async () => {
    const node = await openWithRelay();
    await node.run('START;');
    const { revision } = node.dataPlane.plans.get('d') ?? {};
    const stored = node.state.domain('d');
    node.dataPlane.onPrepare = () => drainTimeout('d', ["emitter 'e'"]);
    const error = await node.refuse(Q);
    expect(error.code).toBe('QUIESCE_FAILED');
    expect(error.message).toBe(
      "timed out draining domain 'd': pending_node=n1, active_ingestors=0, outstanding_acks=0, " +
        "emitter_rows=0, relay_buffers=0, node_work_items=1 (emitter 'e')",
    );
    expect(node.state.domain('d')).toEqual(stored);
    expect([node.state.leases(), node.state.executions()]).toEqual([[], []]);
    expect(node.dataPlane.plans.get('d')?.revision).toBe(revision);
    expect(node.context.activation.failureOf('d')).toBeUndefined();
  });

  test('CP-104: the same inside a transaction fails it, and its step leaves no trace', async () => {
    const node = await openWithRelay();
    await node.run('START;');
    node.dataPlane.onPrepare = () => drainTimeout('d', ["emitter 'e'"]);
    const error = await node.refuse(`BEGIN; ${Q} COMMIT;`);
    expect(error.message).toContain("timed out draining domain 'd'");
    expect(error.transaction?.state).toBe('Failed');
    expect([...node.state.models('d').keys()]).not.toContain('relay/q');
  });

  test('an address that another domain holds refuses START before it is written', async () => {
    const node = await openWithRelay();
    node.dataPlane.onPrepare = () =>
      runtimeError('RUNTIME_ROUTE_CONFLICT', { host: 'h', path: '/p', domain: 'other' });
    const error = await node.refuse('START;');
    expect(error.code).toBe('INVALID_MODEL');
    expect(error.message).toMatch(/^failed to start domain 'd'/);
    expect(node.state.domain('d')).toMatchObject({ status: 'stopped', generation: 0 });
  });

  test('the same at COMMIT leaves the transaction open and applies nothing', async () => {
    const node = await openWithRelay();
    node.dataPlane.onPrepare = () =>
      runtimeError('RUNTIME_ROUTE_CONFLICT', { host: 'h', path: '/p', domain: 'other' });
    const error = await node.refuse(`BEGIN; ${Q} START; COMMIT;`);
    expect(error.message).toMatch(/^transaction operation 2 failed: failed to start domain 'd'/);
    expect(error.transaction).toMatchObject({ state: 'Open', applied_operations: 0 });
    expect([...node.state.models('d').keys()]).not.toContain('relay/q');
    node.dataPlane.onPrepare = () => undefined;
    await node.run('COMMIT;', { transaction: error.transaction?.id ?? '' });
    expect(node.state.domain('d')?.status).toBe('running');
  });

  test.each([
    ['CREATE SCHEMA late (id I64);', 'OPEN', 3],
    ['REVERT;', 'REVERTED', 0],
  ])('CP-67: %s answered while a COMMIT asks for its START stays', async (query, state, count) => {
    const node = await openWithRelay();
    const transaction = await node.begin();
    await node.run(Q, { transaction });
    await node.run('START;', { transaction });
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<undefined>();
    node.dataPlane.onPrepare = () => {
      asked.resolve();
      return answer.promise;
    };
    const commit = node.refuse('COMMIT;', { transaction });
    await asked.promise;
    await node.run(query, { transaction });
    answer.resolve(undefined);
    expect((await commit).code).toBe('INPUTS_CHANGED');
    expect(node.state.transaction(transaction)).toMatchObject({ state });
    expect(node.state.operations(transaction)).toHaveLength(count);
    expect(node.state.domain('d')?.status).toBe('stopped');
  });

  test('what was prepared goes on when the write does not happen', async () => {
    const node = await openWithRelay();
    await node.run('START;');
    const write = node.context.log.write.bind(node.context.log);
    node.context.log.write = async (command) => {
      if (command.put?.some(({ kind }) => kind === 'model')) throw new Error('no space');
      return write(command);
    };
    const cut = await node.run(Q);
    expect(cut.disposition).toEqual({ t: 'OutcomeUnknown', cause: 'StillApplying' });
    expect(cut.message).toContain('remains in progress after an execution error: no space');
    expect(node.dataPlane.held.size).toBe(0);
    node.context.log.write = write;
    const [{ reference: { id: execution_reference = '' } = {} } = {}] = node.state.executions();
    await node.run(Q, { execution_reference });
    expect(node.dataPlane.relaysOf('d')).toEqual(['q', 'r']);
  });
});

test('requests that had begun are waited for, whoever asked', async () => {
  const node = await openWithRelay();
  await node.run('START;');
  const release = Promise.withResolvers<undefined>();
  node.dataPlane.onPrepare = () => release.promise;
  let isDone = false;
  const change = node.execute(Q).then(() => {
    isDone = true;
  });
  const idle = node.executor.idle().then(() => isDone);
  release.resolve(undefined);
  expect(await idle).toBe(true);
  await change;
});
