import { describe, expect, test } from 'vitest';
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

describe('work in a transaction (CL-76)', () => {
  const queries = (server: FakeServer) => server.commands.map(({ query }) => query);

  test('is committed when it resolves', async () => {
    await using server = await startCommandServer();
    const transaction = await clientOf(server).transaction('shop', (open) =>
      open.append('CREATE a'),
    );
    expect(transaction.state).toBe('Committed');
    expect(queries(server)).toEqual(['BEGIN', 'CREATE a', 'COMMIT']);
  });

  test('is reverted when it rejects, and its error is the one that counts', async () => {
    await using server = await startCommandServer();
    const call = clientOf(server).transaction('shop', (open) => open.append('CREATE bad'));
    await expect(call).rejects.toMatchObject({ code: 'INVALID_MODEL' });
    expect(queries(server)).toEqual(['BEGIN', 'CREATE bad', 'REVERT']);
  });

  test('that ends the transaction by itself is not ended again', async () => {
    await using server = await startCommandServer();
    await clientOf(server).transaction('shop', (open) => open.revert());
    expect(queries(server)).toEqual(['BEGIN', 'REVERT']);
  });
});

describe('attaching by HTTP', () => {
  /** A server that reports how a transaction stands. */
  function startReporting(state: string): Promise<FakeServer> {
    return FakeServer.start((request, response) => {
      const standing = { domain: 'shop', accepted_operations: 2, applied_operations: 0 };
      const transaction = { transaction_id: 'tx-1', state, ...standing };
      const inspection = { transaction, operation: null, report: {} };
      const isAsked = request.command.query === "DESCRIBE TRANSACTION 'tx-1' FORMAT JSON";
      sendJson(response, 200, completed(request, 'done', isAsked ? { inspection } : {}));
    });
  }

  test('a transaction is taken up where it stands (CL-42, CL-72)', async () => {
    await using server = await startReporting('OPEN');
    const transaction = await clientOf(server).attachTransaction('TX-1');
    expect([transaction.id, transaction.domain, transaction.position, transaction.state]).toEqual([
      'tx-1',
      'shop',
      2,
      'Open',
    ]);
    await transaction.append('CREATE a');
    expect(server.commands.at(-1)).toMatchObject({
      query: 'CREATE a',
      transaction: 'tx-1',
      domain: 'shop',
      expected_transaction_position: 2,
    });
  });

  test('one that has finished is not taken up (CP-46)', async () => {
    await using server = await startReporting('REVERTED');
    await expect(clientOf(server).attachTransaction('tx-1')).rejects.toMatchObject({
      code: 'TRANSACTION_STATE',
      message: "transaction 'tx-1' finished with outcome REVERTED",
    });
  });

  test('an answer that does not say how it stands is a violation', async () => {
    await using server = await startReporting('SOMEHOW');
    await expect(clientOf(server).attachTransaction('tx-1')).rejects.toMatchObject({
      code: 'CLIENT_PROTOCOL_VIOLATED',
    });
  });
});

describe('previews', () => {
  const preview = { transaction_id: 'tx-1', position: 1, planning_basis: 'a'.repeat(64) };
  const current = { ...preview, planning_basis: 'b'.repeat(64) };
  const open = { ...status, accepted_operations: 1 };

  /** A server whose domain has changed since the append. */
  async function startChanged(): Promise<FakeServer> {
    return FakeServer.start((request, response) => {
      const { command } = request;
      switch (command.query.split(' ')[0]) {
        case 'BEGIN':
          sendJson(response, 200, completed(request, 'begun', { transaction: status }));
          return;
        case 'CREATE':
          sendJson(
            response,
            200,
            completed(request, 'queued', {
              transaction: open,
              transaction_admission: { operation: 1, preview },
            }),
          );
          return;
        case 'DESCRIBE': {
          const position = command.query.includes('OPERATION 9') ? 9 : 1;
          const transaction = { transaction_id: 'tx-1' };
          const report = { position, planning_basis: current.planning_basis };
          const inspection = { transaction, operation: null, report };
          sendJson(
            response,
            200,
            completed(request, 'the report', { transaction: open, inspection }),
          );
          return;
        }
        default:
          if (command.expected_preview?.planning_basis === current.planning_basis) {
            sendJson(response, 200, completed(request, 'done', { transaction: open }));
            return;
          }
          sendError(response, 'PREVIEW_STALE', 'planned from different inputs', {
            transaction: open,
            expected: preview,
            current,
          });
      }
    });
  }

  test('CP-60, CL-43: a commit expects what was seen last, and a refusal is nothing seen', async () => {
    await using server = await startChanged();
    const transaction = await clientOf(server).transaction('shop');
    expect(transaction.preview).toBeUndefined();
    await transaction.append('CREATE a');
    expect(transaction.preview).toEqual(preview);
    for (let count = 0; count < 2; count += 1) {
      await expect(transaction.commit()).rejects.toMatchObject({
        code: 'PREVIEW_STALE',
        stale: { expected: preview, current },
      });
      expect([transaction.state, transaction.preview]).toEqual(['Open', preview]);
    }
    await transaction.inspect({ operation: 9 });
    expect(transaction.preview, 'of another position').toEqual(preview);
    await transaction.inspect();
    expect(transaction.preview).toEqual(current);
    await transaction.commit();
    const sent = server.commands.filter(({ query }) => query === 'COMMIT');
    expect(sent.map(({ expected_preview }) => expected_preview)).toEqual([
      preview,
      preview,
      current,
    ]);
  });

  test('CP-64: whoever decides to go on commits against what the refusal named', async () => {
    await using server = await startChanged();
    const transaction = await clientOf(server).transaction('shop');
    await transaction.append('CREATE a');
    await transaction.commit({ preview: current });
    expect(server.commands.at(-1)?.expected_preview).toEqual(current);
  });
});
