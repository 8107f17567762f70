import { API_PATHS, type SessionTicket } from '@nervix/protocol';
import { type ClientRequest, encodeClientFrame } from '@nervix/protocol/session';
import { describe, expect, test } from 'vitest';
import { SessionConnection } from '../../src/session/session-connection.js';
import { CLEAN_CLOSE } from '../../src/session/session-socket.js';
import { unusedPort } from '../support/fake-server.js';
import {
  completedOutcome,
  FakeSessionServer,
  type ServerSession,
  type SessionBehaviour,
  WELCOME,
} from '../support/session/fake-session-server.js';
import { sessionClient } from '../support/session/session-client.js';

const succeed: NonNullable<SessionBehaviour['request']> = (session, id, request) => {
  if (request.t === 'CommandRequest') session.reply(id, completedOutcome(request));
};

/** Treats each command by the next of these, the last one for good. */
function inTurn(...turns: NonNullable<SessionBehaviour['request']>[]): SessionBehaviour {
  let turn = 0;
  return {
    request: (session, id, request) => {
      const act = turns[Math.min(turn, turns.length - 1)]!;
      turn += 1;
      act(session, id, request);
    },
  };
}

const hangUp = ({ socket }: ServerSession): void => socket.terminate();

describe('commands over a session', () => {
  test('one session carries them all, with one ticket for its credentials (CL-1, CL-5, CL-16)', async () => {
    await using server = await FakeSessionServer.start({ request: succeed });
    const client = sessionClient(server.url);
    const outcomes = await Promise.all([client.execute('STOP'), client.execute('START')]);
    expect(outcomes.map(({ message }) => message)).toEqual(['done: STOP', 'done: START']);
    expect((await client.execute('STOP')).disposition.t).toBe('CommandCompleted');
    expect(server.sessions).toHaveLength(1);
    expect(server.authorizations).toEqual([`Basic ${Buffer.from('ada:pä:ss').toString('base64')}`]);
    const [first] = server.of('CommandRequest');
    expect(first).toMatchObject({ query: 'STOP', domain: 'shop' });
    expect(first?.execution_reference).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/);
    await client.close();
    await expect.poll(() => server.closeCodes).toEqual([1000]);
  });

  test('a lost reply is asked for on a new session, under its one reference (CL-32, CL-48)', async () => {
    await using server = await FakeSessionServer.start(inTurn(hangUp, hangUp, succeed));
    expect((await sessionClient(server.url).execute('STOP')).message).toBe('done: STOP');
    const references = server.of('CommandRequest').map((request) => request.execution_reference);
    expect([references.length, new Set(references).size]).toEqual([3, 1]);
    expect(server.requests.map(({ session }) => session)).toEqual([1, 2, 3]);
  });

  test('an outcome that stays unknown ends as uncertain and names the reference (CL-33, CL-47)', async () => {
    await using server = await FakeSessionServer.start({ request: hangUp });
    const call = sessionClient(server.url, { requestTimeoutMs: 400 }).execute('STOP');
    const error: unknown = await call.catch((caught: unknown) => caught);
    const [sent] = server.of('CommandRequest');
    expect(error).toMatchObject({
      code: 'CLIENT_OUTCOME_UNCERTAIN',
      executionReference: sent?.execution_reference,
    });
  });

  test('OutcomeUnknown of every cause is asked for again (CL-33)', async () => {
    const unknown =
      (cause: 'LeadershipLost' | 'StillApplying' | 'NotYetAuthoritative') =>
      (...[session, id, request]: Parameters<typeof succeed>): void => {
        if (request.t !== 'CommandRequest') return;
        const { execution_reference } = request;
        session.reply(id, {
          t: 'CommandOutcome',
          execution_reference,
          origin: 'Recovered',
          disposition: { t: 'OutcomeUnknown', cause },
          message: '',
          diagnostics: [],
        });
      };
    await using server = await FakeSessionServer.start(
      inTurn(
        unknown('LeadershipLost'),
        unknown('StillApplying'),
        unknown('NotYetAuthoritative'),
        succeed,
      ),
    );
    expect((await sessionClient(server.url).execute('STOP')).message).toBe('done: STOP');
    expect(
      new Set(server.of('CommandRequest').map((frame) => frame.execution_reference)).size,
    ).toBe(1);
  });

  test('a request without an answer in time ends its session (CL-47)', async () => {
    await using server = await FakeSessionServer.start(inTurn(() => undefined, succeed));
    const client = sessionClient(server.url, { requestTimeoutMs: 200 });
    await expect(client.execute('STOP')).rejects.toMatchObject({
      code: 'CLIENT_OUTCOME_UNCERTAIN',
    });
    expect((await client.execute('START')).message).toBe('done: START');
    expect(server.sessions).toHaveLength(2);
  });

  test('no server ends as a connect error, because nothing was admitted (CL-75)', async () => {
    const call = sessionClient(`http://127.0.0.1:${await unusedPort()}`, { requestTimeoutMs: 600 });
    await expect(call.execute('STOP')).rejects.toMatchObject({ code: 'CLIENT_CONNECT_FAILED' });
  });

  test('refused credentials are tried once (CL-6)', async () => {
    await using server = await FakeSessionServer.start({
      ticket: (_message, response) => {
        response.writeHead(401).end();
      },
    });
    await expect(sessionClient(server.url).execute('STOP')).rejects.toMatchObject({
      code: 'CLIENT_AUTHENTICATION_FAILED',
    });
    expect(server.authorizations).toHaveLength(1);
  });

  test('a busy verifier is asked again, and is no refusal (CL-6)', async () => {
    let isBusy = true;
    await using server = await FakeSessionServer.start({
      ticket: (_message, response) => {
        if (isBusy) response.writeHead(503).end();
        isBusy = false;
      },
      request: succeed,
    });
    expect((await sessionClient(server.url).execute('STOP')).message).toBe('done: STOP');
  });

  test.each([
    ['UnsupportedRequest', 'UNSUPPORTED_REQUEST'],
    ['InvalidRequest', 'INVALID_REQUEST'],
    ['ReplyTooLarge', 'REPLY_TOO_LARGE'],
  ] as const)('%s is reported, not repeated (CL-24)', async (rejection, code) => {
    await using server = await FakeSessionServer.start({
      request: (session, id) =>
        session.reply(id, { t: 'RequestRejected', rejection, field: 'query', message: 'no' }),
    });
    const call = sessionClient(server.url).execute('STOP');
    await expect(call).rejects.toMatchObject({ code, message: 'no', field: 'query' });
    expect(server.requests).toHaveLength(1);
  });

  test.each(['TooManyRequestsInFlight', 'ServerBusy'] as const)(
    '%s is met by sending the same again (CL-24)',
    async (rejection) => {
      const refuse = (session: ServerSession, id: bigint): void =>
        session.reply(id, { t: 'RequestRejected', rejection, message: 'later' });
      await using server = await FakeSessionServer.start(inTurn(refuse, succeed));
      expect((await sessionClient(server.url).execute('STOP')).message).toBe('done: STOP');
      expect(server.sessions).toHaveLength(1);
    },
  );

  test('never more requests are in flight than a session takes (CL-18)', async () => {
    const waiting: (() => void)[] = [];
    let most = 0;
    await using server = await FakeSessionServer.start({
      request: (session, id, request) => {
        if (request.t !== 'CommandRequest') return;
        waiting.push(() => session.reply(id, completedOutcome(request)));
        most = Math.max(most, waiting.length);
      },
    });
    const client = sessionClient(server.url);
    const calls = Array.from({ length: 150 }, (_, index) => client.execute(`STOP ${index}`));
    while (server.requests.length < 150) {
      await expect.poll(() => waiting.length, { timeout: 5000 }).toBeGreaterThan(0);
      waiting.shift()?.();
    }
    for (const answer of waiting.splice(0)) answer();
    await Promise.all(calls);
    expect(most).toBeGreaterThan(32);
    expect(most).toBeLessThanOrEqual(64);
  });

  test('a closed client sends nothing more (CL-72)', async () => {
    await using server = await FakeSessionServer.start({ request: succeed });
    const client = sessionClient(server.url);
    await client.execute('STOP');
    await client.close();
    await expect(client.execute('START')).rejects.toMatchObject({ code: 'CLIENT_SESSION_ENDED' });
    expect(server.requests).toHaveLength(1);
  });

  test('what the server takes no frame for fails, and what went along is repeated (CL-14, CL-48)', async () => {
    const small = 'START';
    const large = `// ${'x'.repeat(100_000)}`;
    await using server = await FakeSessionServer.start(
      {
        request: (session, id, request) => {
          if (request.t !== 'CommandRequest') return;
          if (session.number > 1) session.reply(id, completedOutcome(request));
        },
      },
      undefined,
      65_536,
    );
    const client = sessionClient(server.url);
    const calls = await Promise.allSettled([client.execute(small), client.execute(large)]);
    expect(calls).toMatchObject([
      { status: 'fulfilled', value: { message: `done: ${small}` } },
      { status: 'rejected', reason: { name: 'RejectedError', code: 'PAYLOAD_TOO_LARGE' } },
    ]);
    expect(server.of('CommandRequest').map(({ query }) => query)).toEqual([small, small]);
  });

  test('what may have been carried out by then stays uncertain (CL-33)', async () => {
    const large = `// ${'x'.repeat(100_000)}`;
    let sessions = 0;
    await using server = await FakeSessionServer.start({
      opened: (session) => {
        sessions += 1;
        session.send(WELCOME);
      },
      request: ({ socket }) => {
        if (sessions === 1) socket.terminate();
        else socket.close(1009);
      },
    });
    await expect(sessionClient(server.url).execute(large)).rejects.toMatchObject({
      code: 'CLIENT_OUTCOME_UNCERTAIN',
      cause: { code: 'PAYLOAD_TOO_LARGE' },
    });
    expect(server.sessions).toHaveLength(2);
  });

  test('a request is encoded once', async () => {
    await using server = await FakeSessionServer.start();
    const authorization = { headers: { authorization: 'Basic eDp5' }, method: 'POST' };
    const sold = await fetch(`${server.url}${API_PATHS.tickets}`, authorization);
    const { ticket } = (await sold.json()) as SessionTicket;
    const opening = await SessionConnection.open(
      {
        origin: server.url,
        url: `ws://127.0.0.1:${server.port}/session?ticket=${ticket}`,
        keepaliveMs: 0,
        observe: () => undefined,
        ended: () => undefined,
      },
      AbortSignal.timeout(5_000),
    );
    if (opening.kind !== 'open') throw new Error(opening.kind);
    let reads = 0;
    const counted: ClientRequest = {
      t: 'AttachTransactionRequest',
      get transaction_id() {
        reads += 1;
        return 'tx-1';
      },
    };
    encodeClientFrame({ request_id: 1n, request: counted });
    const readsOfOne = reads;
    void opening.connection.request(counted, AbortSignal.timeout(5_000));
    await expect.poll(() => server.requests.length).toBe(1);
    expect(reads).toBe(2 * readsOfOne);
    await opening.connection.close(CLEAN_CLOSE);
  });

  test('a text that is no request is refused before it is sent (CL-13)', async () => {
    await using server = await FakeSessionServer.start({ request: succeed });
    const client = sessionClient(server.url);
    await expect(client.execute('')).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    const long = `// ${'x'.repeat(4 * 1024 * 1024)}`;
    await expect(client.execute(long)).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
    expect((await client.execute('STOP')).message).toBe('done: STOP');
    expect(server.requests).toHaveLength(1);
  });

  test('the session is over when the server says so (CL-28)', async () => {
    const shutDown = ({ send }: ServerSession): void =>
      send({ t: 'SessionEnding', reason: { t: 'ServerShuttingDown' } });
    await using server = await FakeSessionServer.start(inTurn(shutDown, succeed));
    expect((await sessionClient(server.url).execute('STOP')).message).toBe('done: STOP');
    expect(server.sessions).toHaveLength(2);
  });

  test('a silent server is probed, and then given up (CL-22)', async () => {
    const answering: SessionBehaviour['request'] = (session, id, request) => {
      if (request.t !== 'CancelRequest') return;
      const { target_request_id } = request;
      session.reply(id, { t: 'CancelOutcome', target_request_id, state: 'NotInFlight' });
    };
    await using alive = await FakeSessionServer.start({ request: answering });
    const waiting = sessionClient(alive.url, { keepaliveMs: 30 })
      .execute('STOP')
      .catch(() => undefined);
    await expect.poll(() => alive.of('CancelRequest').length, { timeout: 5000 }).toBeGreaterThan(6);
    expect(alive.sessions).toHaveLength(1);
    await using silent = await FakeSessionServer.start();
    void sessionClient(silent.url, { keepaliveMs: 30 })
      .execute('STOP')
      .catch(() => undefined);
    await expect.poll(() => silent.sessions.length, { timeout: 5000 }).toBeGreaterThan(1);
    alive.sessions[0]?.socket.terminate();
    void waiting;
  });

  test('a first frame other than the leader ends the session (CL-28)', async () => {
    await using server = await FakeSessionServer.start({
      opened: ({ send, number }) => {
        send(number === 1 ? { t: 'DomainsObserved', domains: [] } : WELCOME);
      },
      request: succeed,
    });
    expect((await sessionClient(server.url).execute('STOP')).message).toBe('done: STOP');
    expect(server.sessions).toHaveLength(2);
  });
});
