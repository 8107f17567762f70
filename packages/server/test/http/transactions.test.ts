import { API_PATHS, type ErrorBody, type Inspection, type TransactionList } from '@nervix/protocol';
import type { SessionSchema } from '@nervix/protocol/session';
import { describe, expect, test } from 'vitest';
import { openWithRelay } from '../support/control-node.ts';
import { authorizationOf, listenOver, startSession } from '../support/session.ts';

async function openNode() {
  const node = await openWithRelay();
  const { port } = await listenOver(node.plane);
  const get = (path: string, user = 'ada'): Promise<Response> =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: authorizationOf(user) } });
  return { node, get };
}

describe('CL-69: GET /api/v1/transactions', () => {
  test('lists what is known, with an overdue one as expired', async () => {
    const { node, get } = await openNode();
    const id = await node.begin();
    const answer = await get(API_PATHS.transactions);
    expect(answer.status).toBe(200);
    expect(((await answer.json()) as TransactionList).transactions).toEqual([
      {
        id,
        domain: 'd',
        state: 'Open',
        accepted_operations: 0,
        applied_operations: 0,
        owner: 'ada',
        created_at: '2027-01-15T08:00:00.000Z',
        active_at: '2027-01-15T08:00:00.000Z',
      },
    ]);
    node.clock.nowMs += node.context.limits.transactionIdleTimeoutMs;
    const later = (await (await get(API_PATHS.transactions)).json()) as TransactionList;
    expect(later.transactions[0]?.state).toBe('Expired');
  });

  test('reads the report of one, whole or of one operation', async () => {
    const { node, get } = await openNode();
    const transaction = await node.begin();
    await node.run('CREATE SCHEMA x (a I64);', { transaction });
    await node.run('CREATE SCHEMA y (a I64);', { transaction });
    const path = API_PATHS.transaction(transaction.toUpperCase());
    const whole = (await (await get(path)).json()) as Inspection;
    expect(whole).toMatchObject({
      transaction: { transaction_id: transaction, state: 'OPEN' },
      operation: null,
      report: { position: 2 },
    });
    const second = (await (await get(`${path}?operation=2`)).json()) as Inspection;
    expect(second.operation).toBe(2);
  });

  test.each([
    ['an unknown one', 'x', 'ada', '', 404, 'TRANSACTION_NOT_FOUND'],
    ['that of another user', '', 'bob', '', 403, 'NOT_OWNER'],
    ['an operation that it lacks', '', 'ada', '?operation=3', 404, 'OPERATION_NOT_FOUND'],
    ['an operation that is none', '', 'ada', '?operation=0', 400, 'INVALID_REQUEST'],
  ])('%s is refused', async (_what, id, user, query, status, code) => {
    const { node, get } = await openNode();
    const transaction = await node.begin();
    const answer = await get(`${API_PATHS.transaction(id || transaction)}${query}`, user);
    expect(answer.status).toBe(status);
    expect(((await answer.json()) as ErrorBody).error.code).toBe(code);
  });
});

test('CL-4: GET /api/v1/schema publishes what the readers of frames take', async () => {
  const session = await startSession();
  const schema = (await (await session.fetch(API_PATHS.schema)).json()) as SessionSchema;
  expect(schema).toMatchObject({ feature_level: 1, subprotocol: 'nervix.msgpack' });
  expect(schema.client[0]).toMatchObject({
    map: {
      request_id: { integer: 'u64' },
      request: { union: { CommandRequest: { domain: { optional: true } } } },
    },
  });
});
