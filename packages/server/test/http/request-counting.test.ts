import { once } from 'node:events';
import { describe, expect, test, vi } from 'vitest';
import { Authenticator } from '../../src/auth/authenticator.ts';
import { AUTHORIZATION, readToEnd, type Session, startSession } from '../support/session.ts';
import { storedUser } from '../support/users.ts';

const rows = '/api/v1/domains/shop/relays/orders/rows';
const opened = new TextEncoder().encode('{"opened":{}}\n');

/** What was counted, as `request result count`. */
function counted({ counts }: Session): string[] {
  return counts.requests().map(({ request, result, count }) => `${request} ${result} ${count}`);
}

describe('CL-99: every answer is counted once, by operation and outcome', () => {
  test.each<[string, string, RequestInit, string]>([
    ['a read', '/api/v1/domains', {}, 'listDomains COMPLETED 1'],
    ['a HEAD of it', '/api/v1/domains', { method: 'HEAD' }, 'listDomains COMPLETED 1'],
    ['a read of one', '/api/v1/domains/shop', {}, 'readDomain COMPLETED 1'],
    ['a read of none', '/api/v1/domains/none/graph', {}, 'readGraph NOT_FOUND 1'],
    ['the description', '/api/v1/openapi.json', {}, 'describe COMPLETED 1'],
    ['a bad parameter', `${rows}?limit=1`, {}, 'streamRows INVALID_REQUEST 1'],
    ['an unknown path', '/no/such/path', {}, '- NOT_FOUND 1'],
    ['a method', '/api/v1/domains', { method: 'DELETE' }, '- METHOD_NOT_ALLOWED 1'],
    [
      'no credentials',
      '/api/v1/domains',
      { headers: { authorization: 'Basic !' } },
      'listDomains UNAUTHENTICATED 1',
    ],
  ])('%s', async (_name, path, init, expected) => {
    const session = await startSession();
    await (await session.fetch(path, init)).arrayBuffer();
    expect(counted(session)).toEqual([expected]);
  });

  test.each<[string, unknown, Record<string, string>, string]>([
    ['completed', { query: 'x' }, {}, 'COMPLETED'],
    ['malformed', '{', {}, 'INVALID_REQUEST'],
    ['of another type', 'x', { 'content-type': 'image/png' }, 'UNSUPPORTED_MEDIA_TYPE'],
    ['too large', { query: 'x'.repeat(5_000_000) }, {}, 'PAYLOAD_TOO_LARGE'],
  ])('a command that is %s', async (_name, body, headers, result) => {
    const session = await startSession();
    await (await session.post(body, headers)).arrayBuffer();
    expect(counted(session)).toEqual([`execute ${result} 1`]);
  });

  test('a command that fails, one of unknown outcome, one that meets a fault', async () => {
    const session = await startSession();
    const { plane, post } = session;
    const outcome = { execution_reference: '', origin: 'Executed', message: '', diagnostics: [] };
    plane.onExecute = async () => ({
      kind: 'failed',
      error: { code: 'IN_USE', message: 'no', diagnostics: [] },
    });
    await post({ query: 'x' });
    const disposition = { t: 'OutcomeUnknown', cause: 'StillApplying' } as const;
    plane.onExecute = async () => ({
      kind: 'completed',
      outcome: { ...outcome, origin: 'Executed', disposition },
    });
    await post({ query: 'x' });
    plane.onExecute = async () => {
      throw new Error('fault');
    };
    await post({ query: 'x' });
    await post({ query: 'x' });
    expect(counted(session)).toEqual([
      'execute IN_USE 1',
      'execute OUTCOME_UNKNOWN 1',
      'execute INTERNAL 2',
    ]);
  });

  test('a row stream when it opens, is refused, or fails once open', async () => {
    const session = await startSession();
    const { plane, fetch, open } = session;
    (await open(rows)).destroy();
    plane.onOpenRows = async () => ({
      kind: 'refused',
      error: { code: 'NOT_FOUND', message: 'no', diagnostics: [] },
    });
    await (await fetch(rows)).text();
    plane.onOpenRows = async (_request, sink) => {
      await sink.write(opened);
      throw new Error('fault');
    };
    await (await fetch(rows)).text();
    expect(counted(session)).toEqual([
      'streamRows COMPLETED 1',
      'streamRows NOT_FOUND 1',
      'streamRows INTERNAL 1',
    ]);
  });

  test('a busy verifier', async () => {
    const authenticator = new Authenticator({
      user: (name) => storedUser(name, 'hash'),
      runningMax: 0,
      waitingMax: 0,
    });
    const session = await startSession({ authenticator });
    await session.fetch('/api/v1/domains');
    expect(counted(session)).toEqual(['listDomains SERVER_BUSY 1']);
  });

  test.each([
    ['no HTTP', 'hello there\r\n\r\n', '- INVALID_REQUEST 1'],
    [
      'no percent-encoding',
      `GET /api/v1/domains/%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      '- INVALID_REQUEST 1',
    ],
    [
      'large headers',
      `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(70_000)}\r\n\r\n`,
      '- HEADERS_TOO_LARGE 1',
    ],
    ['slow headers', 'GET /api/v1/domains HTTP/1.1\r\nHost:', '- REQUEST_TIMEOUT 1'],
    [
      'a slow body',
      `POST /api/v1/commands HTTP/1.1\r\nHost: x\r\nAuthorization: ${AUTHORIZATION}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"query"',
      '- REQUEST_TIMEOUT 1',
    ],
  ])('%s', async (_name, text, expected) => {
    const session = await startSession({
      listener: { headersTimeoutMs: 50, requestTimeoutMs: 100 },
    });
    const socket = await session.connect();
    socket.write(text);
    await readToEnd(socket);
    await vi.waitFor(() => expect(session.counts.connections).toBe(0));
    expect(counted(session)).toEqual([expected]);
    expect(session.logLines.filter((line) => line.includes('"error"'))).toEqual([]);
  });
});

test('CL-99: connections are counted while they are open', async () => {
  const session = await startSession();
  const sockets = [await session.connect(), await session.connect()];
  await vi.waitFor(() => expect(session.counts.connections).toBe(2));
  sockets[0]?.destroy();
  await vi.waitFor(() => expect(session.counts.connections).toBe(1));
  const closed = once(sockets[1]!, 'close');
  sockets[1]?.resume();
  await Promise.all([session.listener.close(), closed]);
  await vi.waitFor(() => expect(session.counts.connections).toBe(0));
});
