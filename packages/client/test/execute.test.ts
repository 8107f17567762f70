import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type CommandTransport, callCommand } from '../src/command-call.js';
import { resolveOptions } from '../src/connect-options.js';
import { Client, connect, newExecutionReference } from '../src/index.js';
import {
  completed,
  FakeServer,
  type Responder,
  sendError,
  sendJson,
  unusedPort,
} from './support/fake-server.js';

function clientOf(server: string, options: { requestTimeoutMs?: number } = {}): Client {
  return new Client({ server, user: 'ada', password: 'pä:ss', domain: 'shop', ...options });
}

/** Answers each command by the next of the responders, the last one for good. */
function inTurn(...responders: Responder[]): Responder {
  let turn = 0;
  return (request, response) => {
    const respond = responders[Math.min(turn, responders.length - 1)]!;
    turn += 1;
    respond(request, response);
  };
}

const succeed: Responder = (request, response) =>
  sendJson(response, 200, completed(request, 'created relay'));
const hangUp: Responder = (_request, response) => response.destroy();

describe('execute', () => {
  test('sends statement, domain, credentials and a UUIDv7 reference (CL-5, CL-31, CL-69)', async () => {
    await using server = await FakeServer.start(succeed);
    const outcome = await clientOf(server.url).execute('STOP;');
    expect(outcome.message).toBe('created relay');
    const [request] = server.requests;
    expect(request).toMatchObject({ method: 'POST', path: '/api/v1/commands' });
    expect(request!.command).toMatchObject({ query: 'STOP;', domain: 'shop' });
    expect(request!.command.execution_reference).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    expect(request!.authorization).toBe(`Basic ${Buffer.from('ada:pä:ss').toString('base64')}`);
  });

  test('a lost answer is asked for again under the same reference (CL-32, CL-75, CL-108.1)', async () => {
    await using server = await FakeServer.start(inTurn(hangUp, hangUp, succeed));
    await clientOf(server.url).execute('STOP');
    expect(server.commands).toHaveLength(3);
    expect(new Set(server.commands.map((command) => JSON.stringify(command))).size).toBe(1);
  });

  test('a busy server is asked again, after the pause it names (CL-70)', async () => {
    const busy: Responder = (_request, response) => {
      response.setHeader('retry-after', '0');
      sendError(response, 'SERVER_BUSY', 'busy');
    };
    await using server = await FakeServer.start(inTurn(busy, succeed));
    await clientOf(server.url).execute('STOP');
    expect(new Set(server.references).size).toBe(1);
    expect(server.references).toHaveLength(2);
  });

  test('an unknown outcome is asked for until it is known (CL-33, CL-70)', async () => {
    const applying: Responder = (request, response) =>
      sendJson(
        response,
        202,
        completed(request, '', { disposition: { t: 'OutcomeUnknown', cause: 'StillApplying' } }),
      );
    await using server = await FakeServer.start(inTurn(applying, succeed));
    const outcome = await clientOf(server.url).execute('STOP');
    expect(outcome.disposition.t).toBe('CommandCompleted');
    expect(new Set(server.references).size).toBe(1);
  });

  test('a command is sent no more when its reference could be forgotten (CL-32)', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    let lastMs = 0;
    const transport: CommandTransport = {
      options: resolveOptions({ user: 'ada', password: 'x', requestTimeoutMs: 3_600_000 }),
      attempt: () => {
        lastMs = performance.now();
        return Promise.resolve({ kind: 'unknown', reason: 'it was lost', atLeastMs: 5_000 });
      },
    };
    const command = { query: 'STOP', executionReference: 'r', isRepetition: false };
    const startedMs = performance.now();
    const call = callCommand(transport, command).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(900_000);
    expect(await call).toMatchObject({ code: 'CLIENT_OUTCOME_UNCERTAIN' });
    expect(lastMs - startedMs).toBeGreaterThan(500_000);
    expect(lastMs - startedMs).toBeLessThanOrEqual(600_000);
  });

  test('an outcome that stays unknown ends as uncertain and names the reference (CL-47)', async () => {
    await using server = await FakeServer.start(hangUp);
    const call = clientOf(server.url, { requestTimeoutMs: 250 }).execute('STOP');
    const error: unknown = await call.catch((caught: unknown) => caught);
    expect(error).toMatchObject({
      code: 'CLIENT_OUTCOME_UNCERTAIN',
      executionReference: server.references[0],
    });
  });

  test('a server that never answers ends as uncertain (CL-47)', async () => {
    await using server = await FakeServer.start(() => undefined);
    const call = clientOf(server.url, { requestTimeoutMs: 150 }).execute('STOP');
    await expect(call).rejects.toMatchObject({ code: 'CLIENT_OUTCOME_UNCERTAIN' });
  });

  test('no server ends as a connect error, because nothing was admitted (CL-75)', async () => {
    const port = await unusedPort();
    const call = clientOf(`http://127.0.0.1:${port}`, { requestTimeoutMs: 1000 }).execute('STOP');
    await expect(call).rejects.toMatchObject({
      code: 'CLIENT_CONNECT_FAILED',
      message: expect.stringContaining('ECONNREFUSED'),
    });
  });

  test.each([
    ['a port that fetch blocks', 'http://127.0.0.1:1'],
    ['TLS towards a plain server', 'https'],
  ])('%s is a connect error, because nothing was sent (CL-75)', async (_name, address) => {
    await using server = await FakeServer.start(succeed);
    const url = address === 'https' ? server.url.replace('http:', 'https:') : address;
    const call = clientOf(url, { requestTimeoutMs: 1000 }).execute('STOP');
    await expect(call).rejects.toMatchObject({ code: 'CLIENT_CONNECT_FAILED' });
    expect(server.requests).toHaveLength(0);
  });

  test('the last attempt keeps half of the time of the call', () => {
    const base = { user: 'ada', password: 'x' };
    expect(resolveOptions({ ...base, requestTimeoutMs: 1000 }).connectTimeoutMs).toBe(500);
    expect(resolveOptions(base).connectTimeoutMs).toBe(10_000);
  });

  test('a refused connection is tried again until the server listens', async () => {
    const port = await unusedPort();
    const call = clientOf(`http://127.0.0.1:${port}`).execute('STOP');
    await using server = await FakeServer.start(succeed, port);
    expect((await call).message).toBe('created relay');
    expect(server.commands).toHaveLength(1);
  });

  test('refused credentials are never tried again (CL-6)', async () => {
    await using server = await FakeServer.start((_request, response) =>
      sendError(response, 'UNAUTHENTICATED', 'wrong password'),
    );
    await expect(clientOf(server.url).execute('STOP')).rejects.toMatchObject({
      code: 'CLIENT_AUTHENTICATION_FAILED',
    });
    expect(server.requests).toHaveLength(1);
  });

  test('refused credentials after a lost answer leave the outcome uncertain (CL-77)', async () => {
    const refuse: Responder = (_request, response) =>
      sendError(response, 'UNAUTHENTICATED', 'wrong password');
    await using server = await FakeServer.start(inTurn(hangUp, refuse));
    await expect(clientOf(server.url).execute('STOP')).rejects.toMatchObject({
      code: 'CLIENT_OUTCOME_UNCERTAIN',
      cause: { code: 'CLIENT_AUTHENTICATION_FAILED' },
    });
  });

  test('a refusal carries code, diagnostics and reference (CL-71)', async () => {
    const diagnostics = [{ message: "schema 'x' not found", span: { start: 3, end: 4 } }];
    await using server = await FakeServer.start((request, response) =>
      sendError(response, 'INVALID_MODEL', 'invalid relay', {
        diagnostics,
        execution_reference: request.command.execution_reference,
      }),
    );
    const call = clientOf(server.url).execute('STOP');
    const error: unknown = await call.catch((caught: unknown) => caught);
    expect(error).toMatchObject({
      code: 'INVALID_MODEL',
      message: 'invalid relay',
      diagnostics,
      executionReference: server.references[0],
      httpStatus: 422,
    });
    expect(server.requests).toHaveLength(1);
  });

  test('a repeated reference that has expired leaves the outcome unknown (CL-33)', async () => {
    await using server = await FakeServer.start((_request, response) =>
      sendError(response, 'EXECUTION_REFERENCE_EXPIRED', 'expired'),
    );
    const executionReference = newExecutionReference();
    const call = clientOf(server.url).execute('STOP', { executionReference });
    await expect(call).rejects.toMatchObject({
      code: 'CLIENT_OUTCOME_UNCERTAIN',
      executionReference,
    });
  });

  test('the signal stops the waiting and names the reference (CL-75)', async () => {
    const abort = new AbortController();
    await using server = await FakeServer.start(() => abort.abort());
    const call = clientOf(server.url).execute('STOP', { signal: abort.signal });
    await expect(call).rejects.toMatchObject({
      code: 'CLIENT_CANCELLED',
      stage: 'in_flight',
      executionReference: expect.any(String),
    });
    expect(server.requests).toHaveLength(1);
  });

  test('a fired signal sends nothing (CL-75)', async () => {
    await using server = await FakeServer.start(succeed);
    const call = clientOf(server.url).execute('STOP', { signal: AbortSignal.abort() });
    await expect(call).rejects.toMatchObject({ code: 'CLIENT_CANCELLED', stage: 'before_send' });
    expect(server.requests).toHaveLength(0);
  });

  test('a page of something else is a protocol violation', async () => {
    await using server = await FakeServer.start((_request, response) => {
      response.writeHead(404).end('<html>not here</html>');
    });
    await expect(clientOf(server.url).execute('STOP')).rejects.toMatchObject({
      code: 'CLIENT_PROTOCOL_VIOLATED',
    });
  });

  test('a redirect is not followed, since it could carry the credentials elsewhere (CL-8)', async () => {
    await using other = await FakeServer.start(succeed);
    await using server = await FakeServer.start((_request, response) => {
      response.writeHead(307, { location: `${other.url}/api/v1/commands` }).end();
    });
    await expect(clientOf(server.url).execute('STOP')).rejects.toMatchObject({
      code: 'CLIENT_PROTOCOL_VIOLATED',
    });
    expect(other.requests).toHaveLength(0);
  });
});

describe('connect', () => {
  test('checks server and credentials with one read (CL-72)', async () => {
    await using server = await FakeServer.start((_request, response) =>
      sendJson(response, 200, { domains: [] }),
    );
    const client = await connect({
      server: server.url,
      user: 'ada',
      password: 'x',
      domain: 'shop',
    });
    expect(client.domain).toBe('shop');
    expect(server.requests.map(({ path }) => path)).toEqual(['/api/v1/domains']);
  });

  test('rejects refused credentials (CL-6)', async () => {
    await using server = await FakeServer.start((_request, response) =>
      sendError(response, 'UNAUTHENTICATED', 'no'),
    );
    const call = connect({ server: server.url, user: 'ada', password: 'x' });
    await expect(call).rejects.toMatchObject({ code: 'CLIENT_AUTHENTICATION_FAILED' });
  });

  test.each([
    ['ftp://host', 'is not a bare http or https origin'],
    ['http://host/path', 'is not a bare http or https origin'],
    ['host', 'is not a URL'],
  ])('refuses the address %s (CL-8)', async (server, reason) => {
    const call = connect({ server, user: 'ada', password: 'x' });
    await expect(call).rejects.toThrow(reason);
  });
});

describe('reads', () => {
  test('domains, entities and graph come from their paths (CL-69)', async () => {
    await using server = await FakeServer.start((request, response) => {
      const documents: Record<string, object> = {
        '/api/v1/domains': { domains: [{ domain: 'shop' }] },
        '/api/v1/domains/shop/entities': { entities: [{ kind: 'relay', name: 'orders' }] },
        '/api/v1/domains/shop/graph': { domain: 'shop', nodes: [], edges: [] },
      };
      sendJson(response, 200, documents[request.path]);
    });
    const client = clientOf(server.url);
    expect(await client.domains()).toEqual([{ domain: 'shop' }]);
    expect(await client.entities()).toEqual([{ kind: 'relay', name: 'orders' }]);
    expect(await client.graph()).toEqual({ domain: 'shop', nodes: [], edges: [] });
  });

  test('a read of a missing domain is refused by code (CL-70)', async () => {
    await using server = await FakeServer.start((_request, response) =>
      sendError(response, 'NOT_FOUND', "domain 'shop' does not exist"),
    );
    await expect(clientOf(server.url).graph()).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('a read that is not answered in time ends at its deadline (CL-47)', async () => {
    await using server = await FakeServer.start(() => undefined);
    const call = clientOf(server.url, { requestTimeoutMs: 100 }).domains();
    await expect(call).rejects.toMatchObject({ code: 'CLIENT_DEADLINE_EXCEEDED' });
  });

  test('health tells the state of the server and never rejects', async () => {
    const states: [Responder, string][] = [
      [(_request, response) => sendJson(response, 200, { domains: [] }), 'ready'],
      [(_request, response) => sendError(response, 'UNAUTHENTICATED', 'no'), 'unauthenticated'],
      [(_request, response) => sendError(response, 'SERVER_BUSY', 'busy'), 'busy'],
      [(_request, response) => sendError(response, 'INTERNAL', 'oh'), 'unexpected'],
      [hangUp, 'unreachable'],
    ];
    for (const [respond, state] of states) {
      await using server = await FakeServer.start(respond);
      expect(await clientOf(server.url).health()).toMatchObject({ state });
    }
  });
});
