import { ERROR_CODES, type ErrorBody } from '@nervix/protocol';
import { describe, expect, test } from 'vitest';
import { Authenticator } from '../../src/auth/authenticator.ts';
import { openApiDocument } from '../../src/http/openapi-document.ts';
import { createSessionListener } from '../../src/http/session-listener.ts';
import { createLogger } from '../../src/logging/logger.ts';
import { SessionCounts } from '../../src/observability/session-counts.ts';
import { FakeControlPlane } from '../support/fake-control-plane.ts';
import { AUTHORIZATION, readToEnd, startSession } from '../support/session.ts';
import { storedUser } from '../support/users.ts';

async function codeOf(response: Response): Promise<string> {
  expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  return ((await response.json()) as ErrorBody).error.code;
}

describe('CL-5: authentication comes before everything', () => {
  test.each([
    ['GET', '/api/v1/domains'],
    ['POST', '/api/v1/commands'],
    ['GET', '/api/v1/domains/shop/relays/orders/rows'],
    ['GET', '/api/v1/openapi.json'],
    ['GET', '/no/such/path'],
    ['DELETE', '/api/v1/domains'],
  ])('%s %s without credentials is 401 with a challenge', async (method, path) => {
    const { origin, plane } = await startSession();
    const response = await fetch(`${origin}${path}`, { method });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe('Basic realm="Nervix"');
    expect(await codeOf(response)).toBe('UNAUTHENTICATED');
    expect(plane.executed.length + plane.opened.length).toBe(0);
  });

  test('a wrong password is 401', async () => {
    const { fetch } = await startSession();
    const authorization = `Basic ${Buffer.from('ada:wrong').toString('base64')}`;
    expect((await fetch('/api/v1/domains', { headers: { authorization } })).status).toBe(401);
  });

  test('CL-6: a busy verifier is 503, never 401', async () => {
    const authenticator = new Authenticator({
      user: (name) => storedUser(name, 'hash'),
      runningMax: 0,
      waitingMax: 0,
    });
    const { fetch } = await startSession({ authenticator });
    const response = await fetch('/api/v1/domains');
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('1');
    expect(await codeOf(response)).toBe('SERVER_BUSY');
  });
});

describe('CL-69: reads of domains', () => {
  test.each([
    [
      '/api/v1/domains',
      { domains: [{ domain: 'shop', status: 'Running', pace: { t: 'Unpaced' }, generation: 3 }] },
    ],
    [
      '/api/v1/domains/shop',
      { domain: 'shop', status: 'Running', pace: { t: 'Unpaced' }, generation: 3 },
    ],
    ['/api/v1/domains/shop/entities', { entities: [{ kind: 'relay', name: 'orders' }] }],
    ['/api/v1/domains/shop/graph', { domain: 'shop', nodes: [], edges: [] }],
  ])('%s', async (path, expected) => {
    const { fetch } = await startSession();
    const response = await fetch(path);
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toEqual(expected);
    expect((await fetch(path, { method: 'HEAD' })).status).toBe(200);
  });

  test.each(['', '/entities', '/graph'])('an unknown domain%s is 404', async (rest) => {
    const { fetch } = await startSession();
    const name = 'n'.repeat(128);
    const response = await fetch(`/api/v1/domains/${name}${rest}`);
    expect(response.status).toBe(404);
    expect(await codeOf(response)).toBe('NOT_FOUND');
  });
});

describe('CL-71: everything else is an error answer', () => {
  test('an unknown path is 404', async () => {
    const { fetch } = await startSession();
    const response = await fetch('/api/v1/nothing');
    expect(response.status).toBe(404);
    expect(await codeOf(response)).toBe('NOT_FOUND');
  });

  test.each([
    ['GET', '/api/v1/commands', 'POST'],
    ['PUT', '/api/v1/domains', 'GET, HEAD'],
    ['HEAD', '/api/v1/domains/shop/relays/orders/rows', 'GET'],
    ['DELETE', '/api/v1/openapi.json', 'GET, HEAD'],
  ])('%s %s is 405 and names what is possible', async (method, path, allowed) => {
    const { fetch } = await startSession();
    const response = await fetch(path, { method });
    expect(response.status).toBe(405);
    if (method !== 'HEAD') expect(await codeOf(response)).toBe('METHOD_NOT_ALLOWED');
    expect(response.headers.get('allow')?.split(', ').sort().join(', ')).toBe(allowed);
  });

  test('a path that is no percent-encoding is 400', async () => {
    const { connect } = await startSession();
    const socket = await connect();
    socket.write(
      `GET /api/v1/domains/%zz HTTP/1.1\r\nHost: x\r\nAuthorization: ${AUTHORIZATION}\r\nConnection: close\r\n\r\n`,
    );
    const answer = await readToEnd(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('INVALID_REQUEST');
  });

  test('bytes that are no HTTP are 400 and the connection ends', async () => {
    const { connect } = await startSession();
    const socket = await connect();
    socket.write('hello there\r\n\r\n');
    const answer = await readToEnd(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(answer).toContain('"code":"INVALID_REQUEST"');
  });

  test('headers above the limit are 431', async () => {
    const { connect } = await startSession();
    const socket = await connect();
    socket.write(`GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(70_000)}\r\n\r\n`);
    const answer = await readToEnd(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 431 Request Header Fields Too Large\r\n/);
    expect(answer).toContain('"code":"HEADERS_TOO_LARGE"');
  });

  test('a client too slow with its headers is 408', async () => {
    const { connect } = await startSession({
      listener: { headersTimeoutMs: 50, requestTimeoutMs: 100 },
    });
    const socket = await connect();
    socket.write('GET /api/v1/domains HTTP/1.1\r\nHost:');
    const answer = await readToEnd(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(answer).toContain('"code":"REQUEST_TIMEOUT"');
  });

  test('a client too slow with its body is cut off and nothing runs', async () => {
    const { connect, plane } = await startSession({
      listener: { headersTimeoutMs: 50, requestTimeoutMs: 100 },
    });
    const socket = await connect();
    socket.write(
      `POST /api/v1/commands HTTP/1.1\r\nHost: x\r\nAuthorization: ${AUTHORIZATION}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"query"',
    );
    expect(await readToEnd(socket)).toMatch(/^HTTP\/1\.1 408 /);
    expect(plane.executed).toEqual([]);
  });
});

describe('GET /api/v1/openapi.json', () => {
  test('CL-69: describes exactly the routes that are served', async () => {
    const { fetch, listener } = await startSession();
    const document = (await (await fetch('/api/v1/openapi.json')).json()) as {
      paths: Record<string, Record<string, unknown>>;
    };
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const served = (await listener.routes())
      .filter(({ method }) => method !== 'HEAD')
      .map(({ method, path }) => `${method} ${path}`);
    expect(described.sort()).toEqual(served.sort());
  });

  test('CL-109: holds the statuses of the codes that a request can be refused with', () => {
    const paths = Object.values(openApiDocument['paths'] as Record<string, object>);
    const operations = paths.flatMap(
      (methods) => Object.values(methods) as { responses: object }[],
    );
    for (const { responses } of operations) {
      const statuses = Object.keys(responses).map(Number);
      expect(statuses).toEqual(expect.arrayContaining([200, 400, 401, 408, 431, 500, 503]));
    }
    const described = new Set(operations.flatMap(({ responses }) => Object.keys(responses)));
    for (const [code, { httpStatus }] of Object.entries(ERROR_CODES)) {
      // What a method that is not described gets, is not described either; sessions have the others.
      if (![405, 429, 501].includes(httpStatus))
        expect(described, code).toContain(String(httpStatus));
    }
  });

  test('every reference in it leads to a schema', () => {
    const { schemas } = openApiDocument['components'] as { schemas: Record<string, unknown> };
    const names = JSON.stringify(openApiDocument).matchAll(/"#\/components\/schemas\/(\w+)"/g);
    for (const [, name] of names) expect(Object.keys(schemas)).toContain(name);
  });

  test('names what a reference conflicts in, and every cause of an unknown outcome', () => {
    const text = JSON.stringify(openApiDocument);
    const listing = (words: readonly string[]): string => `"enum":${JSON.stringify(words)}`;
    expect(text).toContain(
      `"conflict":{"type":"string",${listing(['owner', 'domain', 'position', 'content'])}`,
    );
    expect(text).toContain(listing(['StillApplying', 'LeadershipLost', 'NotYetAuthoritative']));
  });
});

describe('life of the listener', () => {
  test('an address that is taken rejects', async () => {
    const { port } = await startSession();
    const plane = new FakeControlPlane();
    const second = createSessionListener(
      { address: { host: '127.0.0.1', port }, counts: new SessionCounts() },
      plane,
      new Authenticator({ user: () => undefined }),
      createLogger({ level: 'off', format: 'json', node: 'n' }),
    );
    await expect(second.listen()).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await second.close();
  });

  test('CL-104: a close lets an answer under way out and takes no new connection', async () => {
    const { listener, plane, post, fetch } = await startSession({
      listener: { closeGraceMs: 60_000 },
    });
    const arrived = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const answer = plane.onExecute;
    plane.onExecute = async (request) => {
      arrived.resolve();
      await release.promise;
      return answer(request);
    };
    const pending = post({ query: 'x' });
    await arrived.promise;
    const closed = listener.close();
    await expect(fetch('/api/v1/domains')).rejects.toThrow();
    release.resolve();
    expect((await pending).status).toBe(200);
    await closed;
  });

  test('CL-104: a close cuts connections that outlast its grace', async () => {
    const { listener, plane, post } = await startSession({ listener: { closeGraceMs: 20 } });
    const arrived = Promise.withResolvers<void>();
    plane.onExecute = () => {
      arrived.resolve();
      return new Promise(() => undefined);
    };
    const pending = post({ query: 'x' });
    await arrived.promise;
    await Promise.all([listener.close(), expect(pending).rejects.toThrow()]);
  });

  test('CL-103: requests leave no trace in the log', async () => {
    const { fetch, post, logLines } = await startSession();
    await fetch('/api/v1/domains/canary-name');
    await post({ query: 'canary-query' });
    await fetch('/api/v1/domains', { headers: { authorization: 'Basic Y2FuYXJ5OmNhbmFyeQ==' } });
    expect(logLines.join('')).not.toMatch(/canary|Basic|right/);
  });
});
