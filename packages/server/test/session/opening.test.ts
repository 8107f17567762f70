import { request as httpRequest } from 'node:http';
import { API_PATHS, type SessionTicket } from '@nervix/protocol';
import { describe, expect, test } from 'vitest';
import { AUTHORIZATION, type Session, startSession } from '../support/session.ts';
import { type ClientSetup, SessionClient } from '../support/session-client.ts';
import { storedUser } from '../support/users.ts';

/** The answer to an upgrade that is refused. */
async function refusal(
  { port }: Session,
  { path = '/session', headers = {} }: Pick<ClientSetup, 'path' | 'headers'> = {},
): Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; body: unknown }> {
  const asked = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
    authorization: AUTHORIZATION,
    ...headers,
  };
  const shown = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== ''));
  return new Promise((resolve, reject) => {
    httpRequest({ port, host: '127.0.0.1', path, headers: shown })
      .on('response', async (response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk as Buffer);
        const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
      })
      .on('upgrade', () => reject(new Error('the upgrade was accepted')))
      .on('error', reject)
      .end();
  });
}

const errorOf = (code: string, message: string) => ({
  error: expect.objectContaining({ code, message }),
});

describe('who is let in', () => {
  test('CL-1, CL-28: a user gets a session that begins with the leader and the domains', async () => {
    const { port, counts } = await startSession();
    const client = await SessionClient.connect(port);
    await client.until(() => client.bodies.length >= 2);
    expect(client.socket.protocol).toBe('nervix.msgpack');
    expect([counts.sessions, counts.connections]).toEqual([1, 1]);
    expect(client.bodies).toEqual([
      {
        t: 'LeadershipObserved',
        leadership: { t: 'LeaderIsServingNode', node: 'n1' },
        feature_level: { session: 1, node: 1, activated: 1 },
        cluster: 'c1',
      },
      {
        t: 'DomainsObserved',
        domains: [{ domain: 'shop', status: 'Running', pace: { t: 'Unpaced' } }],
      },
    ]);
  });

  test.each([
    ['none', ''],
    ['a wrong password', `Basic ${Buffer.from('ada:wrong').toString('base64')}`],
    ['no Basic', 'Bearer x'],
  ])('CL-5, CL-9: credentials that are %s get 401 and no upgrade', async (_what, authorization) => {
    const session = await startSession();
    const answer = await refusal(session, { headers: { authorization } });
    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate']).toBe('Basic realm="Nervix"');
    expect(answer.body).toEqual(
      errorOf('UNAUTHENTICATED', 'a valid user name and password are required'),
    );
    expect(session.counts.requests()).toContainEqual({
      request: 'openSession',
      result: 'UNAUTHENTICATED',
      count: 1,
    });
  });

  test('CL-5: a ticket opens one session', async () => {
    const session = await startSession();
    const answer = await session.fetch(API_PATHS.tickets, { method: 'POST' });
    const { ticket } = (await answer.json()) as SessionTicket;
    const path = `/session?ticket=${ticket}`;
    const client = await SessionClient.connect(session.port, { path, headers: {} });
    await client.find(({ t }) => t === 'DomainsObserved');
    const again = await refusal(session, { path, headers: { authorization: '' } });
    expect(again.status).toBe(401);
    expect(session.logLines.join('')).not.toContain(ticket);
  });

  test('CL-5: credentials may stand in the address and reach no log', async () => {
    const session = await startSession();
    const auth = Buffer.from('ada:right').toString('base64');
    const path = `/session?auth=${encodeURIComponent(auth)}`;
    const client = await SessionClient.connect(session.port, { path, headers: {} });
    await client.find(({ t }) => t === 'DomainsObserved');
    expect(session.logLines.join('')).not.toContain(auth);
  });

  test('CL-6: a verifier out of capacity is 503, not 401', async () => {
    const { Authenticator } = await import('../../src/auth/authenticator.ts');
    const stuck = Promise.withResolvers<boolean>();
    const authenticator = new Authenticator({
      user: (name) => storedUser(name, 'hash'),
      verify: () => stuck.promise,
      runningMax: 1,
      waitingMax: 0,
    });
    const session = await startSession({ authenticator });
    const first = refusal(session);
    const second = await refusal(session);
    stuck.resolve(false);
    expect([(await first).status, second.status].sort()).toEqual([401, 503]);
  });

  test('a page of another origin cannot use the credentials that a browser adds', async () => {
    const session = await startSession();
    const answer = await refusal(session, { headers: { origin: 'https://elsewhere.example' } });
    expect(answer.status).toBe(403);
    const own = { authorization: AUTHORIZATION, origin: session.origin };
    const client = await SessionClient.connect(session.port, { headers: own });
    await client.find(({ t }) => t === 'DomainsObserved');
  });
});

describe('what is let in', () => {
  test('CL-3: a client that offers other subprotocols only is refused with 400', async () => {
    const session = await startSession();
    const headers = { 'sec-websocket-protocol': 'graphql-ws, mqtt' };
    const answer = await refusal(session, { headers });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual(
      errorOf('INVALID_REQUEST', 'the subprotocol must be nervix.msgpack'),
    );
    const mixed = await SessionClient.connect(session.port, {
      protocols: ['mqtt', 'nervix.msgpack'],
    });
    expect(mixed.socket.protocol).toBe('nervix.msgpack');
  });

  test('CL-111: a client more than one level away is refused with 400', async () => {
    const session = await startSession();
    const answer = await refusal(session, { path: '/session?level=3' });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual(
      errorOf('UNSUPPORTED_LEVEL', 'client feature level 3; this node supports 1 to 2'),
    );
    const next = await SessionClient.connect(session.port, { path: '/session?level=2' });
    const body = await next.find(({ t }) => t === 'LeadershipObserved');
    expect(body).toMatchObject({ feature_level: { session: 1 } });
  });

  test('a WebSocket under another path is an ordinary request', async () => {
    const session = await startSession();
    expect((await refusal(session, { path: '/sessions' })).status).toBe(404);
    expect((await session.fetch('/session')).status).toBe(404);
  });

  test('what a client offers to upgrade to otherwise changes nothing', async () => {
    const session = await startSession();
    const answer = await refusal(session, {
      path: '/nothing',
      headers: { upgrade: 'h2c', connection: 'Upgrade' },
    });
    expect(answer.status).toBe(404);
  });
});
