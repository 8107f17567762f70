import { expect, test } from 'vitest';
import { Client } from '../src/index.js';
import { startCommandServer } from './support/command-server.js';
import { completed, FakeServer, sendError, sendJson } from './support/fake-server.js';

const status = {
  id: 'tx-1',
  domain: 'shop',
  state: 'Open',
  accepted_operations: 0,
  applied_operations: 0,
};

function clientOf(server: FakeServer, requestTimeoutMs = 5000): Client {
  return new Client({ server: server.url, user: 'ada', password: 'x', requestTimeoutMs });
}

test('appends carry the transaction and the newest known position (CL-41)', async () => {
  await using server = await startCommandServer();
  const transaction = await clientOf(server).transaction('shop');
  // Concurrent appends run in the order of the calls (CL-76).
  await Promise.all([transaction.append('CREATE a'), transaction.append('CREATE b')]);
  expect(transaction.position).toBe(2);
  await transaction.commit();
  expect(transaction.state).toBe('Committed');
  expect(
    server.commands.map(({ query, transaction: id, expected_transaction_position, domain }) => [
      query,
      id,
      expected_transaction_position,
      domain,
    ]),
  ).toEqual([
    ['BEGIN', undefined, undefined, 'shop'],
    ['CREATE a', 'tx-1', 0, 'shop'],
    ['CREATE b', 'tx-1', 1, 'shop'],
    ['COMMIT', 'tx-1', undefined, 'shop'],
  ]);
  expect(new Set(server.references).size).toBe(4);
});

test('a refused append leaves the position and the transaction as they were (CL-41)', async () => {
  await using server = await startCommandServer();
  const transaction = await clientOf(server).transaction('shop');
  await expect(transaction.append('CREATE bad')).rejects.toMatchObject({ code: 'INVALID_MODEL' });
  expect(transaction.position).toBe(0);
  await transaction.append('CREATE good');
  expect(transaction.position).toBe(1);
  await transaction.revert();
  expect(transaction.state).toBe('Reverted');
});

test('a commit without an answer is repeated under its reference (CL-32, CL-43)', async () => {
  let commits = 0;
  await using server = await FakeServer.start((request, response) => {
    if (request.command.query !== 'COMMIT') {
      sendJson(response, 200, completed(request, 'begun', { transaction: status }));
      return;
    }
    commits += 1;
    if (commits === 1) return;
    const transaction = { ...status, state: 'Committed' };
    sendJson(response, 200, completed(request, 'committed', { transaction, origin: 'Recovered' }));
  });
  const transaction = await clientOf(server, 200).transaction('shop');
  await expect(transaction.commit()).rejects.toMatchObject({ code: 'CLIENT_OUTCOME_UNCERTAIN' });
  expect(transaction.state).toBe('Committing');
  expect((await transaction.commit()).origin).toBe('Recovered');
  expect(transaction.state).toBe('Committed');
  const [, first, second] = server.references;
  expect(second).toBe(first);
});

test('a refused commit takes the state that the server reports (CL-33)', async () => {
  await using server = await FakeServer.start((request, response) => {
    if (request.command.query !== 'COMMIT') {
      sendJson(response, 200, completed(request, 'begun', { transaction: status }));
      return;
    }
    const transaction = { ...status, state: 'Failed' };
    sendError(response, 'ACTIVATION_FAILED', 'it failed', { transaction });
  });
  const transaction = await clientOf(server).transaction('shop');
  await expect(transaction.commit()).rejects.toMatchObject({ code: 'ACTIVATION_FAILED' });
  expect(transaction.state).toBe('Failed');
});
