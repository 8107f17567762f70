import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { API_PATHS, type SessionTicket } from '@nervix/protocol';
import { DEFAULT_FRAME_LIMITS, encodeClientFrame } from '@nervix/protocol/session';
import { describe, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { SessionTickets } from '../../src/auth/session-tickets.ts';
import type { CommandReply } from '../../src/control-plane/control-plane.ts';
import type { Session } from '../../src/session/session.ts';
import { SessionObservations } from '../../src/session/session-observations.ts';
import { SessionSocket } from '../../src/session/session-socket.ts';
import { FakeControlPlane } from '../support/fake-control-plane.ts';
import { AUTHORIZATION, startSession } from '../support/session.ts';
import { SessionClient } from '../support/session-client.ts';
import { identityOf } from '../support/users.ts';

const LIST = { t: 'ListDomainsRequest' } as const;
const POLLED = { timeout: 10_000, interval: 5 };
const command = (query: string) =>
  ({ t: 'CommandRequest', query, execution_reference: 'r' }) as const;

/** The reply to a statement after which the session has a transaction. */
function attached(id: string): CommandReply {
  return {
    kind: 'completed',
    outcome: {
      execution_reference: 'r',
      origin: 'Executed',
      disposition: { t: 'CommandCompleted', already_existed: false },
      message: 'begun',
      diagnostics: [],
      transaction: {
        id,
        domain: 'shop',
        state: 'Open',
        accepted_operations: 0,
        applied_operations: 0,
      },
    },
  };
}

async function openAttached() {
  const session = await startSession();
  const { plane } = session;
  const record = {
    kind: 'transaction',
    id: 't1',
    owner: identityOf('ada'),
    domain: 'shop',
    state: 'OPEN',
    operations: [],
    sourceBytes: 0,
    accepted: 0,
    applied: 0,
    preview: null,
    progress: null,
    error: null,
    createdAtMs: 0,
    activeAtMs: 0,
    deadlineMs: 0,
  } as const;
  plane.onTransaction = (id) => (id === 't1' ? record : undefined);
  plane.onExecute = async () => attached('t1');
  const client = await SessionClient.connect(session.port);
  const reply = await client.ask(command('BEGIN;'));
  expect(reply).toMatchObject({ transaction: { id: 't1', state: { t: 'Open' } } });
  return { ...session, client };
}

/** Waits until the control plane was told of the end of a session. */
async function left(plane: { readonly left: readonly unknown[] }): Promise<void> {
  await expect.poll(() => plane.left.length, POLLED).toBeGreaterThan(0);
}

/** The code in the close frame that answers a text. */
const CLOSE_1003 = Buffer.of(0x03, 0xeb);

/** A session of a peer that answers nothing that it is sent. */
async function connectDeaf(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.write(
    'GET /session HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n' +
      `Authorization: ${AUTHORIZATION}\r\n\r\n`,
  );
  await once(socket, 'data');
  return socket;
}

describe('CP-47, CL-44: how a session ends', () => {
  test('close 1000 with nothing in flight is clean', async () => {
    const { client, plane } = await openAttached();
    await client.close();
    await left(plane);
    expect(plane.left).toEqual([{ transaction: 't1', end: 'clean' }]);
  });

  test('close 1000 with a request in flight is not', async () => {
    const { client, plane } = await openAttached();
    const over = Promise.withResolvers<void>();
    plane.onExecute = async () => {
      await over.promise;
      return attached('t1');
    };
    client.send(command('COMMIT;'));
    await client.close();
    over.resolve();
    await left(plane);
    expect(plane.left).toEqual([{ transaction: 't1', end: 'broken' }]);
  });

  test('close 1000 right behind a request is not clean, however fast the request is', async () => {
    const { client, plane } = await openAttached();
    client.send(LIST);
    await client.close();
    await left(plane);
    expect(plane.left).toEqual([{ transaction: 't1', end: 'broken' }]);
  });

  test.each([
    ['another close code', (client: SessionClient) => client.socket.close(1001)],
    ['a lost connection', (client: SessionClient) => client.socket.terminate()],
    ['what is no frame', (client: SessionClient) => client.socket.send(Uint8Array.of(0xc1))],
    ['a text', (client: SessionClient) => client.socket.send('bye')],
  ])('%s only lets go', async (_what, end) => {
    const { client, plane } = await openAttached();
    end(client);
    await left(plane);
    expect(plane.left).toEqual([{ transaction: 't1', end: 'broken' }]);
  });

  test('CL-104: the stop of the node only lets go, and says so last', async () => {
    const { client, plane, listener } = await openAttached();
    const closing = listener.close();
    expect((await client.closed).code).toBe(1000);
    await closing;
    expect(client.bodies.at(-1)).toEqual({
      t: 'SessionEnding',
      reason: { t: 'ServerShuttingDown' },
    });
    await left(plane);
    expect(plane.left).toEqual([{ transaction: 't1', end: 'broken' }]);
  });
});

describe('CL-104: the stop of the node', () => {
  test('what waits for its turn never starts, and what runs may have no effect any more', async () => {
    const { port, plane, listener } = await startSession();
    const begun = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    let mayHaveEffect: boolean | undefined;
    const started: string[] = [];
    plane.onExecute = async ({ query }, session) => {
      started.push(query);
      begun.resolve();
      await goOn.promise;
      mayHaveEffect = session?.admission.admit();
      return attached('t1');
    };
    const client = await SessionClient.connect(port);
    client.send(command('one'));
    client.send(command('two'));
    await begun.promise;
    const closing = listener.close();
    await client.closed;
    goOn.resolve();
    await closing;
    expect(mayHaveEffect).toBe(false);
    expect(started).toEqual(['one']);
    expect(client.bodies.filter(({ t }) => t === 'Reply')).toEqual([]);
  });

  test('a peer that never answers the close is cut off after the grace', async () => {
    const { port, listener } = await startSession({ listener: { closeGraceMs: 50 } });
    const socket = await connectDeaf(port);
    await listener.close();
    socket.destroy();
  });

  test('so is one that sent what is no frame, and ignores the close that answers it', async () => {
    const { port, listener, counts } = await startSession({ listener: { closeGraceMs: 50 } });
    const socket = await connectDeaf(port);
    const received: Buffer[] = [];
    socket.on('data', (bytes: Buffer) => received.push(bytes));
    // A masked text of no bytes; sessions speak in binary messages.
    socket.write(Uint8Array.of(0x81, 0x80, 0, 0, 0, 0));
    await expect.poll(() => Buffer.concat(received).includes(CLOSE_1003), POLLED).toBe(true);
    const closing = listener.close();
    await expect.poll(() => counts.sessions, POLLED).toBe(0);
    await closing;
    socket.destroy();
  });

  test('nobody is let in any more', async () => {
    const { port, listener } = await startSession();
    await listener.close();
    await expect(SessionClient.connect(port)).rejects.toThrow();
  });
});

test('CP-143: a user that is dropped loses its sessions', async () => {
  const { port, plane } = await startSession();
  const client = await SessionClient.connect(port);
  await client.find(({ t }) => t === 'DomainsObserved');
  plane.removeUser('ada');
  expect((await client.closed).code).toBe(1000);
  expect(client.bodies.at(-1)).toMatchObject({ t: 'SessionEnding' });
});

test('CP-143: a user that is dropped is cut off, though it reads nothing', async () => {
  const frameLimits = { ...DEFAULT_FRAME_LIMITS, frameBytes: 65_536 };
  const { port, plane, counts } = await startSession({ listener: { frameLimits } });
  const reply = attached('t1');
  if (reply.kind === 'completed') Object.assign(reply.outcome, { message: 'x'.repeat(60_000) });
  plane.onExecute = async () => reply;
  const client = await SessionClient.connect(port);
  client.socket.pause();
  for (let id = 1; id <= 400; id += 1) client.send(command('x'));
  await expect.poll(() => plane.executed.length, POLLED).toBeGreaterThan(40);
  plane.removeUser('ada');
  await expect.poll(() => counts.sessions, POLLED).toBe(0);
  expect(plane.executed.length).toBeLessThan(400);
});

test('CP-143: a user that is dropped takes its tickets along', async () => {
  const { port, plane, fetch } = await startSession();
  const sold = await fetch(API_PATHS.tickets, { method: 'POST' });
  const { ticket } = (await sold.json()) as SessionTicket;
  plane.removeUser('ada');
  const setup = { path: `/session?ticket=${ticket}`, headers: {} };
  await expect(SessionClient.connect(port, setup)).rejects.toThrow('401');
});

test('CP-143: a ticket of a user that was dropped is none of the next one of the name', async () => {
  const { port, plane, fetch } = await startSession();
  const sold = await fetch(API_PATHS.tickets, { method: 'POST' });
  const { ticket } = (await sold.json()) as SessionTicket;
  // As if it were sold to a request that came before the drop, right after that was applied.
  plane.ada = { ...plane.ada, incarnation: 'another' };
  const setup = { path: `/session?ticket=${ticket}`, headers: {} };
  await expect(SessionClient.connect(port, setup)).rejects.toThrow('401');
});

test('CP-143: a user that is dropped leaves the tickets of others as they are', () => {
  const tickets = new SessionTickets();
  const [ada, bob] = [tickets.sell(identityOf('ada')), tickets.sell(identityOf('bob'))];
  tickets.revoke('ada');
  expect(tickets.redeem(ada ?? '')).toBeUndefined();
  expect(tickets.redeem(bob ?? '')).toEqual(identityOf('bob'));
});

describe('CL-28: what is observed', () => {
  test('a change of the leader and of the domains is told, and nothing else', async () => {
    const { port, plane } = await startSession();
    const client = await SessionClient.connect(port);
    await client.find(({ t }) => t === 'DomainsObserved');
    plane.view = { kind: 'remote', node: 'n2', cluster: 'c1' };
    await client.find(
      (body) => body.t === 'LeadershipObserved' && body.leadership.t === 'LeaderIsRemote',
    );
    plane.listed = [];
    await client.find((body) => body.t === 'DomainsObserved' && body.domains.length === 0);
    expect(client.bodies.map(({ t }) => t)).toEqual([
      'LeadershipObserved',
      'DomainsObserved',
      'LeadershipObserved',
      'DomainsObserved',
    ]);
  });

  test('every session of a kind of news gets the same bytes, encoded when the news came', () => {
    const plane = new FakeControlPlane();
    const observations = new SessionObservations(plane, new Set(), DEFAULT_FRAME_LIMITS, 60_000);
    const greeted = (): Uint8Array[] => {
      const frames: Uint8Array[] = [];
      const session = { observe: (_kind: string, frame: Uint8Array) => frames.push(frame) };
      observations.greet(session as unknown as Session);
      return frames;
    };
    const [leader, domains] = greeted();
    // Nothing that frames tell of a domain.
    plane.listed = plane.listed.map((entry) => ({ ...entry, generation: 9 }));
    const again = greeted();
    expect([again[0] === leader, again[1] === domains]).toEqual([true, true]);
    plane.listed = [];
    const changed = greeted();
    expect([changed[0] === leader, changed[1] === domains]).toEqual([true, false]);
    observations.stop();
  });

  test('CL-30, CL-33: a node that does not lead answers reads and admits nothing else', async () => {
    const { port, plane } = await startSession();
    plane.view = { kind: 'remote', node: 'n2', cluster: 'c1' };
    const client = await SessionClient.connect(port);
    const redirect = { t: 'LeaderRedirect', leader: { node: 'n2' } };
    expect(await client.ask(command('START;'))).toMatchObject({ disposition: redirect });
    const attach = { t: 'AttachTransactionRequest', transaction_id: 't1' } as const;
    expect(await client.ask(attach)).toMatchObject({ disposition: redirect });
    const target = { t: 'AttachedTransaction' } as const;
    const inspect = { t: 'InspectTransactionRequest', target } as const;
    expect(await client.ask(inspect)).toMatchObject({ disposition: redirect });
    expect(plane.executed).toEqual([]);
    expect(await client.ask(command('SHOW CLUSTER STATUS;'))).toMatchObject({ message: 'done' });
  });
});

describe('CL-22: signs of life', () => {
  test.each([
    [511, 1],
    [512, 0],
  ])('a ping of a peer that has %i of 1024 bytes to read gets %i answers', (buffered, answers) => {
    const pong = vi.fn();
    const webSocket = { readyState: WebSocket.OPEN, OPEN: WebSocket.OPEN, pong };
    const socket = new SessionSocket(
      Object.assign(Object.create(null), webSocket, { bufferedAmount: buffered }),
      { bytesRead: 0 },
    );
    socket.pong(new Uint8Array(), 1_024);
    expect(pong).toHaveBeenCalledTimes(answers);
  });

  test('a silent peer is pinged, and one that stays silent is given up', async () => {
    const { port } = await startSession({ listener: { keepaliveMs: 20 } });
    const client = await SessionClient.connect(port, { options: { autoPong: false } });
    expect((await client.closed).code).toBe(1006);
    expect(client.pings).toBe(2);
  });

  test('a peer that answers pings stays', async () => {
    const { port } = await startSession({ listener: { keepaliveMs: 20 } });
    const client = await SessionClient.connect(port);
    await client.until(() => client.pings >= 6);
    expect(await client.ask(LIST)).toMatchObject({ t: 'DomainList' });
  });
});

describe('CL-20: a peer that reads nothing', () => {
  test('is not read any more, and costs its lanes and no more', async () => {
    const frameLimits = { ...DEFAULT_FRAME_LIMITS, frameBytes: 65_536 };
    const { port, plane } = await startSession({ listener: { frameLimits } });
    const message = 'x'.repeat(60_000);
    const reply = attached('t1');
    if (reply.kind === 'completed') Object.assign(reply.outcome, { message });
    let executed = 0;
    plane.onExecute = async () => {
      executed += 1;
      return reply;
    };
    const client = await SessionClient.connect(port);
    client.socket.pause();
    const frame = encodeClientFrame({ request_id: 1n, request: command('x') });
    let isHeldUp = false;
    for (let id = 1n; id <= 200_000n && !isHeldUp; id += 1n) {
      const bytes = encodeClientFrame({ request_id: id, request: command('x') });
      client.socket.send(bytes);
      if (id % 200n === 0n) await new Promise((resolve) => setImmediate(resolve));
      isHeldUp = client.socket.bufferedAmount > 200 * frame.length;
    }
    expect(isHeldUp).toBe(true);
    // What the kernel holds, one frame above the limit, the lane, and what is in flight.
    expect(executed).toBeLessThan(400);
    const other = await SessionClient.connect(port);
    expect(await other.ask(LIST)).toMatchObject({ t: 'DomainList' });
    client.socket.resume();
    await client.until(() => client.bodies.length > executed);
  });
});
