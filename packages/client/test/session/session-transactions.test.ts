import { json } from 'node:stream/consumers';
import type { ClientRequest, ReplyBody } from '@nervix/protocol/session';
import { describe, expect, test } from 'vitest';
import { startBreakingServer } from '../support/session/breaking-server.js';
import {
  completedOutcome,
  FakeSessionServer,
  type ServerSession,
} from '../support/session/fake-session-server.js';
import { sessionClient } from '../support/session/session-client.js';

const STATUS = {
  id: 'tx-1',
  domain: 'shop',
  state: { t: 'Open' },
  accepted_operations: 3n,
  applied_operations: 0n,
} as const;

type CommandFrame = Extract<ClientRequest, { t: 'CommandRequest' }>;
const ordinary = () => undefined;

test('a transaction has a session of its own, and what runs beside it is no part of it (CL-40, CL-41)', async () => {
  const { node, server } = await startBreakingServer(ordinary);
  await using _server = server;
  const client = sessionClient(server.url);
  const transaction = await client.transaction();
  await Promise.all([transaction.append('CREATE a'), transaction.append('CREATE b')]);
  await client.execute('CREATE beside');
  expect([transaction.position, node.effects]).toEqual([2, ['CREATE beside']]);
  expect(transaction.preview).toEqual({
    transaction_id: transaction.id,
    position: 2,
    planning_basis: '07'.repeat(32),
  });
  await transaction.commit();
  expect(node.effects).toEqual(['CREATE beside', 'CREATE a', 'CREATE b']);
  const appends = server.of('CommandRequest').filter(({ query }) => /^CREATE [ab]$/.test(query));
  expect(appends.map((frame) => frame.expected_transaction_position)).toEqual([0n, 1n]);
  const commit = server.of('CommandRequest').find(({ query }) => query === 'COMMIT');
  expect(commit?.expected_preview).toEqual({
    transaction_id: transaction.id,
    position: 2n,
    planning_basis: new Uint8Array(32).fill(7),
  });
  expect(server.sessions).toHaveLength(2);
  expect(server.of('AttachTransactionRequest')).toEqual([]);
});

test('a text that begins a transaction does not bind the session of other commands (CL-42)', async () => {
  const { node, server } = await startBreakingServer(ordinary);
  await using _server = server;
  const client = sessionClient(server.url);
  const { transaction } = await client.execute('BEGIN');
  await client.execute('CREATE beside');
  expect(node.effects).toEqual(['CREATE beside']);
  // The transaction is open all the same, and can be joined by its id.
  await client.execute('CREATE in_it', {
    transaction: transaction?.id ?? '',
    expectedTransactionPosition: 0,
  });
  expect(node.transactions.get(transaction?.id ?? '')?.operations).toEqual(['CREATE in_it']);
});

test('closing reverts what is open, unless it is left to others (CL-44, CP-47)', async () => {
  const { node, server } = await startBreakingServer(ordinary);
  await using _server = server;
  const states = () => [...node.transactions.values()].map(({ state }) => state);
  const first = sessionClient(server.url);
  await first.transaction();
  await first.close();
  await expect.poll(states).toEqual(['Reverted']);
  const second = sessionClient(server.url);
  const { id } = await second.transaction();
  await second.close({ abandonTransaction: true });
  await expect.poll(() => node.transactions.get(id)?.holder).toBeUndefined();
  expect(states()).toEqual(['Reverted', 'Open']);
});

test('another client takes a transaction up where it stands (CL-42, CP-46)', async () => {
  const { node, server } = await startBreakingServer(ordinary);
  await using _server = server;
  const transaction = await sessionClient(server.url).transaction();
  await transaction.append('CREATE a');
  const other = await sessionClient(server.url).attachTransaction(transaction.id.toUpperCase());
  expect([other.id, other.domain, other.position]).toEqual([transaction.id, 'shop', 1]);
  await other.append('CREATE b');
  await other.commit();
  expect(node.effects).toEqual(['CREATE a', 'CREATE b']);
});

test.each([
  ['unknown', 'NOT_FOUND', "transaction 'tx-9' is unknown"],
  ['finished', 'TRANSACTION_STATE', 'finished with outcome COMMITTED'],
])('a transaction that is %s is not attached (CL-27, CP-46)', async (kind, code, message) => {
  const { server } = await startBreakingServer(ordinary);
  await using _server = server;
  const client = sessionClient(server.url);
  const transaction = await client.transaction();
  await transaction.commit();
  const id = kind === 'unknown' ? 'tx-9' : transaction.id;
  await expect(client.attachTransaction(id)).rejects.toMatchObject({
    code,
    message: expect.stringContaining(message),
  });
});

/** A server that answers commands by this, and holds one open transaction. */
function startHolder(
  command: (session: ServerSession, id: bigint, frame: CommandFrame) => void,
  attached: (count: number) => 'attached' | 'finished' = () => 'attached',
): Promise<FakeSessionServer> {
  let attachments = 0;
  return FakeSessionServer.start({
    request: (session, id, request) => {
      if (request.t === 'AttachTransactionRequest') {
        attachments += 1;
        const isFinished = attached(attachments) === 'finished';
        session.reply(id, {
          t: 'AttachOutcome',
          disposition: isFinished
            ? {
                t: 'TransactionAlreadyFinished',
                transaction: { ...STATUS, state: { t: 'Committed' } },
              }
            : { t: 'TransactionAttached', transaction: STATUS },
          message: '',
          diagnostics: [],
        });
      }
      if (request.t === 'CommandRequest') command(session, id, request);
    },
    http: async (message, response) => {
      const { query } = (await json(message)) as { readonly query: string };
      if (query !== 'COMMIT') {
        response.writeHead(409, { 'content-type': 'application/json' });
        const error = { code: 'TRANSACTION_STATE', message: 'it is not open', diagnostics: [] };
        response.end(JSON.stringify({ error }));
        return;
      }
      response.writeHead(200, { 'content-type': 'application/json' });
      const disposition = { t: 'CommandCompleted', already_existed: false };
      const outcome = { execution_reference: 'r', origin: 'Recovered', disposition };
      response.end(JSON.stringify({ ...outcome, message: 'by its name', diagnostics: [] }));
    },
  });
}

function answer(
  session: ServerSession,
  id: bigint,
  frame: CommandFrame,
  t: 'TransactionDetached' | 'TransactionTakenOver',
): void {
  session.reply(id, {
    t: 'CommandOutcome',
    execution_reference: frame.execution_reference,
    origin: 'Executed',
    disposition: { t, transaction_id: 'tx-1' },
    message: `it is ${t}`,
    diagnostics: [],
  });
}

test('a detached session attaches again and repeats reference and position (CL-33, CP-45)', async () => {
  let commands = 0;
  await using server = await startHolder((session, id, frame) => {
    commands += 1;
    if (commands === 1) answer(session, id, frame, 'TransactionDetached');
    else session.reply(id, completedOutcome(frame));
  });
  const transaction = await sessionClient(server.url).attachTransaction('tx-1');
  expect((await transaction.append('CREATE a')).message).toBe('done: CREATE a');
  expect(server.requests.map(({ request }) => request.t)).toEqual([
    'AttachTransactionRequest',
    'CommandRequest',
    'AttachTransactionRequest',
    'CommandRequest',
  ]);
  const [first, second] = server.of('CommandRequest');
  expect(second).toEqual(first);
  expect(first?.expected_transaction_position).toBe(3n);
  expect(server.sessions).toHaveLength(1);
});

test('a transaction that was taken over is reported, and never taken back (CL-33, CP-45)', async () => {
  await using server = await startHolder((session, id, frame) => {
    if (frame.query === 'CREATE lost') session.socket.terminate();
    else answer(session, id, frame, 'TransactionTakenOver');
  });
  const client = sessionClient(server.url);
  const transaction = await client.attachTransaction('tx-1');
  const takenOver = { code: 'TRANSACTION_TAKEN_OVER', message: 'it is TransactionTakenOver' };
  await expect(transaction.append('CREATE a')).rejects.toMatchObject(takenOver);
  server.sessions.at(-1)?.socket.terminate();
  await expect.poll(() => server.closeCodes.length).toBe(1);
  await expect(transaction.append('CREATE b')).rejects.toMatchObject(takenOver);
  expect(server.of('AttachTransactionRequest')).toHaveLength(1);
});

test('a lost append of a transaction that is taken over then stays uncertain (CL-37, CL-108.4)', async () => {
  let commands = 0;
  await using server = await startHolder((session, id, frame) => {
    commands += 1;
    if (commands === 1) session.socket.terminate();
    else answer(session, id, frame, 'TransactionTakenOver');
  });
  const transaction = await sessionClient(server.url).attachTransaction('tx-1');
  const error: unknown = await transaction.append('CREATE a').catch((caught: unknown) => caught);
  expect(error).toMatchObject({
    code: 'CLIENT_OUTCOME_UNCERTAIN',
    executionReference: server.of('CommandRequest')[0]?.execution_reference,
    cause: { code: 'TRANSACTION_TAKEN_OVER' },
  });
});

test('a lost commit that finished its transaction is asked about by name (CL-35, CL-43)', async () => {
  await using server = await startHolder(
    ({ socket }) => socket.terminate(),
    (count) => (count === 1 ? 'attached' : 'finished'),
  );
  const transaction = await sessionClient(server.url).attachTransaction('tx-1');
  const outcome = await transaction.commit();
  expect([outcome.message, outcome.origin]).toEqual(['by its name', 'Recovered']);
  expect(server.of('CommandRequest')).toHaveLength(1);
});

describe('a transaction that has finished', () => {
  /** A client that committed, and its transaction. */
  async function commitOne() {
    const server = await startHolder(
      (session, id, frame) => {
        const transaction = { ...STATUS, state: { t: 'Committed' } } as const;
        session.reply(id, { ...completedOutcome(frame), transaction } as ReplyBody);
      },
      (count) => (count === 1 ? 'attached' : 'finished'),
    );
    const client = sessionClient(server.url);
    const transaction = await client.attachTransaction('tx-1');
    await transaction.commit();
    return { server, client, transaction };
  }

  test('answers as it does over HTTP, and holds no session (CL-43, CL-76)', async () => {
    const { server, transaction } = await commitOne();
    await using _server = server;
    const again = await transaction.commit();
    expect([again.message, again.origin]).toEqual(['by its name', 'Recovered']);
    expect(transaction.state).toBe('Committed');
    const refusal = { name: 'RejectedError', code: 'TRANSACTION_STATE' };
    await expect(transaction.append('CREATE late')).rejects.toMatchObject(refusal);
    await expect(transaction.revert()).rejects.toMatchObject(refusal);
    await expect(transaction.suggest({ input: 'CREATE ' })).rejects.toMatchObject(refusal);
    expect(server.of('CommandRequest')).toHaveLength(1);
    await expect.poll(() => server.closeCodes.length).toBe(server.sessions.length);
  });

  test('sends nothing more once its client is closed (CL-72)', async () => {
    const { server, client, transaction } = await commitOne();
    await using _server = server;
    await client.close();
    const ended = { code: 'CLIENT_SESSION_ENDED' };
    await expect(transaction.commit()).rejects.toMatchObject(ended);
    await expect(client.transaction('shop')).rejects.toMatchObject(ended);
    expect(server.sessions).toHaveLength(1);
  });
});
