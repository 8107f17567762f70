import {
  cutTransfer,
  DEFAULT_FRAME_LIMITS,
  encodeServerFrame,
  type ReplyBody,
} from '@nervix/protocol/session';
import { describe, expect, test } from 'vitest';
import { Endpoints } from '../../src/session/endpoints.js';
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

/** An outcome whose frame is as long as three frames. */
function longOutcome(request: Parameters<typeof completedOutcome>[0]): ReplyBody {
  const message = 'x'.repeat(3 * DEFAULT_FRAME_LIMITS.frameBytes);
  return { ...completedOutcome(request), message } as ReplyBody;
}

function partsOf(id: bigint, body: ReplyBody): Uint8Array[] {
  const whole = encodeServerFrame({ body: { t: 'Reply', request_id: id, body } });
  return [...cutTransfer(id, whole, DEFAULT_FRAME_LIMITS)];
}

describe('transfers', () => {
  test('a reply in parts is whole, whatever comes between (CL-15, CL-108.7)', async () => {
    await using server = await FakeSessionServer.start({
      request: (session, id, request) => {
        if (request.t !== 'CommandRequest') return;
        for (const part of partsOf(id, longOutcome(request))) {
          session.socket.send(part);
          session.send(WELCOME);
          // A part that nobody waits for is dropped.
          session.socket.send(partsOf(900n, longOutcome(request))[1] ?? '');
        }
      },
    });
    const { message } = await sessionClient(server.url).execute('STOP');
    expect(message).toHaveLength(3 * DEFAULT_FRAME_LIMITS.frameBytes);
    expect(server.sessions).toHaveLength(1);
  });

  test.each<[string, (parts: Uint8Array[]) => (Uint8Array | undefined)[]]>([
    ['leaves a gap', ([first, , third]) => [first, third]],
    ['repeats a part', ([first]) => [first, first]],
    ['begins in the middle', ([, second]) => [second]],
  ])('a transfer that %s ends the session (CL-15)', async (_name, choose) => {
    let sessions = 0;
    await using server = await FakeSessionServer.start({
      request: (session, id, request) => {
        if (request.t !== 'CommandRequest') return;
        sessions += 1;
        if (sessions > 1) {
          session.reply(id, completedOutcome(request));
          return;
        }
        for (const part of choose(partsOf(id, longOutcome(request)))) {
          if (part !== undefined) session.socket.send(part);
        }
      },
    });
    expect((await sessionClient(server.url).execute('STOP')).message).toBe('done: STOP');
    expect(server.sessions).toHaveLength(2);
  });
});

describe('violations', () => {
  const listed: ReplyBody = { t: 'DomainList', domains: [] };
  test.each<[string, (session: ServerSession, id: bigint) => void]>([
    ['a reply of another kind', (session, id) => session.reply(id, listed)],
    ['bytes that are no frame', ({ socket }) => socket.send(Buffer.from([0xc1]))],
    ['a text message', ({ socket }) => socket.send('hello')],
    [
      'an outcome of another reference',
      (session, id) =>
        session.reply(
          id,
          completedOutcome({ t: 'CommandRequest', query: 'x', execution_reference: 'other' }),
        ),
    ],
  ])('%s ends the session, and interrupts who waits (CL-13, CL-26)', async (_name, violate) => {
    const waiting: (() => void)[] = [];
    await using server = await FakeSessionServer.start({
      request: (session, id, request) => {
        if (request.t !== 'CommandRequest') return;
        if (session.number > 1) session.reply(id, completedOutcome(request));
        else if (request.query === 'STOP') waiting.push(() => violate(session, id));
        else waiting.push(() => undefined);
      },
    });
    const client = sessionClient(server.url);
    const calls = [client.execute('STOP'), client.execute('START')];
    await expect.poll(() => waiting.length).toBe(2);
    for (const act of waiting) act();
    const outcomes = await Promise.all(calls);
    expect(outcomes.map(({ message }) => message)).toEqual(['done: STOP', 'done: START']);
    expect(server.sessions).toHaveLength(2);
  });

  test('a reply that nobody awaits is dropped (CL-16)', async () => {
    await using server = await FakeSessionServer.start({
      request: (session, id, request) => {
        session.reply(id + 7n, listed);
        succeed(session, id, request);
        session.reply(id, listed);
      },
    });
    const client = sessionClient(server.url);
    expect((await client.execute('STOP')).message).toBe('done: STOP');
    expect((await client.execute('START')).message).toBe('done: START');
    expect(server.sessions).toHaveLength(1);
  });
});

describe('cancellation', () => {
  /** Answers nothing but what it is asked to cancel. */
  function startCancelling(
    cancelled: (session: ServerSession, target: bigint) => void,
  ): Promise<FakeSessionServer> {
    return FakeSessionServer.start({
      request: (session, id, request) => {
        if (request.t !== 'CancelRequest') return;
        const { target_request_id } = request;
        session.reply(id, { t: 'CancelOutcome', target_request_id, state: 'Requested' });
        cancelled(session, target_request_id);
      },
    });
  }

  test.each([
    ['BeforeAdmission', 'before_admission'],
    ['AfterAdmission', 'in_flight'],
  ] as const)('a cancel that comes %s is told as such (CL-23)', async (stage, told) => {
    await using server = await startCancelling((session, id) =>
      session.reply(id, { t: 'RequestCancelled', stage }),
    );
    const abort = new AbortController();
    const call = sessionClient(server.url).execute('STOP', { signal: abort.signal, cancel: true });
    await expect.poll(() => server.requests.length).toBe(1);
    abort.abort();
    const [sent] = server.of('CommandRequest');
    await expect(call).rejects.toMatchObject({
      code: 'CLIENT_CANCELLED',
      stage: told,
      executionReference: told === 'in_flight' ? sent?.execution_reference : undefined,
    });
    expect(server.sessions).toHaveLength(1);
  });

  test('a cancel that comes too late leaves the outcome (CL-23)', async () => {
    await using server = await startCancelling((session, id) => {
      const [request] = server.of('CommandRequest');
      if (request !== undefined) session.reply(id, completedOutcome(request));
    });
    const abort = new AbortController();
    const call = sessionClient(server.url).execute('STOP', { signal: abort.signal, cancel: true });
    await expect.poll(() => server.requests.length).toBe(1);
    abort.abort();
    expect((await call).message).toBe('done: STOP');
  });

  test('without being asked to, a caller who leaves cancels nothing (CL-75)', async () => {
    await using server = await startCancelling(() => undefined);
    const abort = new AbortController();
    const client = sessionClient(server.url);
    const call = client.execute('STOP', { signal: abort.signal });
    await expect.poll(() => server.requests.length).toBe(1);
    abort.abort();
    await expect(call).rejects.toMatchObject({ code: 'CLIENT_CANCELLED', stage: 'in_flight' });
    expect(server.of('CancelRequest')).toEqual([]);
    expect(server.sessions).toHaveLength(1);
  });
});

describe('leaders', () => {
  function redirecting(leader?: { node: string; session_uri?: string }): SessionBehaviour {
    return {
      request: (session, id, request) => {
        if (request.t !== 'CommandRequest') return;
        const disposition = {
          t: 'LeaderRedirect' as const,
          ...(leader === undefined ? {} : { leader }),
        };
        session.reply(id, { ...completedOutcome(request), disposition } as ReplyBody);
      },
    };
  }

  test('a redirect is followed under the same reference (CL-33, CL-48)', async () => {
    await using leader = await FakeSessionServer.start({ request: succeed });
    await using follower = await FakeSessionServer.start(
      redirecting({ node: 'n2', session_uri: leader.url }),
    );
    const client = sessionClient(follower.url);
    expect((await client.execute('STOP')).message).toBe('done: STOP');
    expect((await client.execute('START')).message).toBe('done: START');
    expect(follower.of('CommandRequest')).toHaveLength(1);
    expect(leader.of('CommandRequest')[0]).toEqual(follower.of('CommandRequest')[0]);
  });

  test('without an address the client backs off and never invents one (CL-33)', async () => {
    await using follower = await FakeSessionServer.start(redirecting({ node: 'n2' }));
    const call = sessionClient(follower.url, { requestTimeoutMs: 500 }).execute('STOP');
    await expect(call).rejects.toMatchObject({ code: 'CLIENT_CONNECT_FAILED' });
    const { length } = follower.of('CommandRequest');
    expect(length).toBeGreaterThan(1);
    expect(length).toBeLessThan(5);
  });

  test('nodes that send each other the client are left alone in between (CL-47)', async () => {
    await using first = await FakeSessionServer.start({
      request: (...args) => redirecting({ node: 'b', session_uri: second.url }).request?.(...args),
    });
    await using second = await FakeSessionServer.start({
      request: (...args) => redirecting({ node: 'a', session_uri: first.url }).request?.(...args),
    });
    const call = sessionClient(first.url, { requestTimeoutMs: 700 }).execute('STOP');
    await expect(call).rejects.toMatchObject({ code: 'CLIENT_CONNECT_FAILED' });
    expect(first.requests.length + second.requests.length).toBeLessThan(20);
  });

  test('the next session of a lost one goes to another node (CL-46, CL-48)', async () => {
    await using second = await FakeSessionServer.start({ request: succeed });
    await using first = await FakeSessionServer.start({
      request: ({ socket }) => socket.terminate(),
    });
    const client = sessionClient(first.url, { seeds: [second.url] });
    expect((await client.execute('STOP')).message).toBe('done: STOP');
    expect([first.requests.length, second.requests.length]).toEqual([1, 1]);
  });

  test('nothing leads a client of https to http (CL-8)', () => {
    const endpoints = new Endpoints(['https://a.example']);
    const reason = 'a client of https does not follow to http';
    expect(endpoints.learn('http://b.example')).toEqual({ kind: 'refused', reason });
    expect(endpoints.learn('https://b.example/path')).toMatchObject({ kind: 'refused' });
    expect(endpoints.learn('https://b.example:1')).toMatchObject({ kind: 'learned' });
    expect(endpoints.candidates({ leader: undefined, previous: 'https://a.example' })).toEqual([
      'https://b.example:1',
      'https://a.example',
    ]);
  });

  test('the oldest of many learned endpoints is forgotten (CL-46)', () => {
    const endpoints = new Endpoints(['http://a.example']);
    for (let port = 1; port <= 40; port += 1) endpoints.learn(`http://b.example:${port}`);
    const known = endpoints.candidates({ leader: 'http://b.example:40', previous: undefined });
    expect(known).toHaveLength(33);
    expect(known.slice(0, 3)).toEqual([
      'http://b.example:40',
      'http://a.example',
      'http://b.example:9',
    ]);
  });
});

describe('completion', () => {
  test('all pages are gathered, of the session of the transaction (CL-27, CL-78, CP-50)', async () => {
    await using server = await FakeSessionServer.start({
      request: (session, id, request) => {
        if (request.t === 'CommandRequest') {
          const transaction = {
            id: 'tx-1',
            domain: 'shop',
            state: { t: 'Open' as const },
            accepted_operations: 0n,
            applied_operations: 0n,
          };
          session.reply(id, { ...completedOutcome(request), transaction } as ReplyBody);
        }
        if (request.t !== 'SuggestRequest') return;
        const value = `${session.number}-${request.continuation ?? 'first'}`;
        const edit = { start: 0, end: request.cursor, replacement: value };
        session.reply(id, {
          t: 'SuggestOutcome',
          status: 'Ready',
          suggestions: [{ value, kind: 'Text', edit }],
          ...(request.continuation === undefined ? { continuation: 'second' } : {}),
        });
      },
    });
    const client = sessionClient(server.url);
    const transaction = await client.transaction();
    const values = (found: readonly { value: string }[]) => found.map(({ value }) => value);
    const bound = await transaction.suggest({ input: 'DROP é' });
    expect(values(bound)).toEqual(['1-first', '1-second']);
    expect(bound[0]?.edit).toEqual({ start: 0, end: 7, replacement: '1-first' });
    expect(values(await client.suggest({ input: 'DROP' }))).toEqual(['2-first', '2-second']);
    expect(server.of('SuggestRequest').map(({ domain }) => domain)).toEqual(
      Array.from({ length: 4 }, () => 'shop'),
    );
  });
});
