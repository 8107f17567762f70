import { ERROR_CODES, type ErrorBody, type ErrorCode } from '@nervix/protocol';
import { describe, expect, test } from 'vitest';
import { AUTHORIZATION, readToEnd, startSession } from '../support/session.ts';
import { identityOf } from '../support/users.ts';

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const reference = '0197a1b2-c3d4-7e5f-8a6b-0123456789ab';

async function errorOf(response: Response): Promise<ErrorBody['error']> {
  expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  return ((await response.json()) as ErrorBody).error;
}

describe('CL-69: POST /api/v1/commands', () => {
  test('hands the statement and its user over and answers with the outcome', async () => {
    const { plane, post } = await startSession();
    const body = {
      query: 'SHOW RELAYS;',
      domain: 'shop',
      execution_reference: reference,
      expected_transaction_position: 4,
      transaction: 't-1',
    };
    const response = await post(body);
    expect(response.status).toBe(200);
    expect(response.headers.get('nervix-execution-reference')).toBe(reference);
    expect(await response.json()).toMatchObject({ message: 'done', origin: 'Executed' });
    expect(plane.executed).toEqual([{ request: body, principal: identityOf('ada') }]);
  });

  test('mints a reference for a request without one', async () => {
    const { plane, post } = await startSession();
    const response = await post({ query: 'SHOW RELAYS;' });
    const minted = response.headers.get('nervix-execution-reference');
    expect(minted).toMatch(UUID_V7);
    expect(plane.executed[0]?.request.execution_reference).toBe(minted);
  });

  test('a reference may be written in capitals', async () => {
    const { post } = await startSession();
    const written = reference.toUpperCase();
    expect((await post({ query: 'x', execution_reference: written })).status).toBe(200);
  });
});

describe('CP-17, CP-62, CP-64: previews', () => {
  const expected = { transaction_id: 't-1', position: 2, planning_basis: 'a'.repeat(64) };
  const current = { ...expected, planning_basis: 'b'.repeat(64) };

  test('an expectation is handed over, a stale one answered with both identities', async () => {
    const { plane, post } = await startSession();
    const diagnostics = [{ message: 'planned from different inputs' }];
    const error = { code: 'PREVIEW_STALE', message: 'no', diagnostics, expected, current } as const;
    plane.onExecute = async () => ({ kind: 'failed', error });
    const response = await post({
      query: 'COMMIT',
      transaction: 't-1',
      expected_preview: expected,
    });
    expect(plane.executed[0]?.request.expected_preview).toEqual(expected);
    expect(response.status).toBe(412);
    expect(await errorOf(response)).toMatchObject(error);
  });

  test.each([{ ...expected, position: -1 }, { ...expected, planning_basis: 'A'.repeat(64) }, {}])(
    'an expectation that is none is refused: %j',
    async (expected_preview) => {
      const { plane, post } = await startSession();
      expect((await post({ query: 'COMMIT', expected_preview })).status).toBe(400);
      expect(plane.executed).toEqual([]);
    },
  );
});

describe('CL-70, CL-71: statuses of outcomes', () => {
  test.each(Object.keys(ERROR_CODES) as ErrorCode[])('failed with %s', async (code) => {
    const { plane, post } = await startSession();
    const diagnostics = [{ message: 'here', span: { start: 0, end: 1 } }];
    plane.onExecute = async () => ({
      kind: 'failed',
      error: { code, message: 'no', diagnostics, field: 'query' },
    });
    const response = await post({ query: 'x', execution_reference: reference });
    expect(response.status).toBe(ERROR_CODES[code].httpStatus);
    expect(response.headers.get('nervix-execution-reference')).toBe(reference);
    expect(response.headers.has('retry-after')).toBe([202, 503].includes(response.status));
    const error = { code, message: 'no', diagnostics, field: 'query' };
    expect(await errorOf(response)).toEqual({ ...error, execution_reference: reference });
  });

  test('an outcome that reports a failure is answered as that failure', async () => {
    const { plane, post } = await startSession();
    plane.onExecute = async () => ({
      kind: 'completed',
      outcome: {
        execution_reference: reference,
        origin: 'Recovered',
        disposition: { t: 'RequestFailed', code: 'DOMAIN_BUSY' },
        message: 'busy',
        diagnostics: [],
        statements: [],
      },
    });
    const response = await post({ query: 'x' });
    expect(response.status).toBe(409);
    expect(await errorOf(response)).toEqual({
      code: 'DOMAIN_BUSY',
      message: 'busy',
      diagnostics: [],
      execution_reference: reference,
      statements: [],
    });
  });

  test('an unknown outcome is 202 with Retry-After and keeps its shape', async () => {
    const { plane, post } = await startSession();
    plane.onExecute = async () => ({
      kind: 'completed',
      outcome: {
        execution_reference: reference,
        origin: 'Executed',
        disposition: { t: 'OutcomeUnknown', cause: 'StillApplying' },
        message: 'wait',
        diagnostics: [],
      },
    });
    const response = await post({ query: 'x' });
    expect(response.status).toBe(202);
    expect(response.headers.get('retry-after')).toBe('1');
    expect(await response.json()).toMatchObject({ disposition: { t: 'OutcomeUnknown' } });
  });

  test('a fault of the server is 500, logged, and tells the client nothing of it', async () => {
    const { plane, post, logLines } = await startSession();
    plane.onExecute = async () => {
      throw new TypeError('inner fault');
    };
    const response = await post({ query: 'CREATE canary-query' });
    expect(response.status).toBe(500);
    expect(response.headers.get('nervix-execution-reference')).toMatch(UUID_V7);
    const error = await errorOf(response);
    expect(error.code).toBe('INTERNAL');
    expect(error.message).not.toContain('inner fault');
    expect(logLines.join('')).toContain('inner fault');
    expect(logLines.join('')).not.toMatch(/canary-query|Basic/);
  });

  test('a client that goes away does not cancel its command', async () => {
    const { plane, fetch: send } = await startSession();
    const arrived = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const finished = Promise.withResolvers<void>();
    const answer = plane.onExecute;
    plane.onExecute = async (request) => {
      arrived.resolve();
      await release.promise;
      finished.resolve();
      return answer(request);
    };
    const abort = new AbortController();
    const pending = send('/api/v1/commands', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: 'x' }),
      signal: abort.signal,
    });
    await arrived.promise;
    abort.abort();
    await expect(pending).rejects.toThrow('abort');
    release.resolve();
    await finished.promise;
    expect(plane.executed).toHaveLength(1);
  });
});

describe('CL-9, CL-71: requests that are refused', () => {
  test.each<[string, unknown, string]>([
    ['no query', {}, 'query'],
    ['an empty query', { query: '' }, 'query'],
    ['a query of another type', { query: 7 }, 'query'],
    ['an unknown field', { query: 'x', deadline: {} }, 'deadline'],
    [
      'a reference that is no UUIDv7',
      { query: 'x', execution_reference: 'abc' },
      'execution_reference',
    ],
    [
      'a position that is no whole number',
      { query: 'x', expected_transaction_position: 1.5 },
      'expected_transaction_position',
    ],
    [
      'a position as text',
      { query: 'x', expected_transaction_position: '1' },
      'expected_transaction_position',
    ],
    ['a domain that is null', { query: 'x', domain: null }, 'domain'],
  ])('%s names the field', async (_name, body, field) => {
    const { plane, post } = await startSession();
    const response = await post(body);
    expect(response.status).toBe(400);
    expect(response.headers.get('nervix-execution-reference')).toMatch(UUID_V7);
    expect(await errorOf(response)).toMatchObject({ code: 'INVALID_REQUEST', field });
    expect(plane.executed).toEqual([]);
  });

  test.each<[string, string]>([
    ['malformed JSON', '{"query": canary'],
    ['a JSON list', '[]'],
    ['a JSON text', '"canary"'],
    ['nothing', ''],
    ['a prototype', '{"query":"x","__proto__":{"a":"canary"}}'],
  ])('%s as body', async (_name, body) => {
    const { post } = await startSession();
    const response = await post(body);
    expect(response.status).toBe(400);
    const error = await errorOf(response);
    expect(error.code).toBe('INVALID_REQUEST');
    expect(error.message).not.toContain('canary');
  });

  test('CL-69: NSPL sent as plain text runs, with the domain in the query', async () => {
    const { plane, fetch: send } = await startSession();
    const response = await send('/api/v1/commands?domain=demo', {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body: 'BEGIN;\nSTART;\nCOMMIT',
    });
    expect(response.status).toBe(200);
    expect(plane.executed.at(-1)?.request).toMatchObject({
      query: 'BEGIN;\nSTART;\nCOMMIT',
      domain: 'demo',
    });
  });

  test('a body of another media type is 415', async () => {
    const { post } = await startSession();
    const response = await post('query=x', { 'content-type': 'application/x-www-form-urlencoded' });
    expect(response.status).toBe(415);
    expect(await errorOf(response)).toMatchObject({ code: 'UNSUPPORTED_MEDIA_TYPE' });
  });

  test('a body above 4 MiB is 413', async () => {
    const { post, plane } = await startSession();
    const response = await post({ query: 'x'.repeat(4 * 1024 * 1024) });
    expect(response.status).toBe(413);
    expect(await errorOf(response)).toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
    expect(plane.executed).toEqual([]);
  });

  test('a declared length above the limit is refused before the body comes', async () => {
    const { connect } = await startSession();
    const socket = await connect();
    socket.write(
      'POST /api/v1/commands HTTP/1.1\r\nHost: x\r\nConnection: close\r\n' +
        `Authorization: ${AUTHORIZATION}\r\nContent-Type: application/json\r\n` +
        'Content-Length: 99999999\r\n\r\n',
    );
    const answer = await readToEnd(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toContain('PAYLOAD_TOO_LARGE');
  });

  test('an unknown parameter is refused by name', async () => {
    const { fetch } = await startSession();
    const response = await fetch('/api/v1/domains?int64=string');
    expect(response.status).toBe(400);
    expect(await errorOf(response)).toMatchObject({ code: 'INVALID_REQUEST', field: 'int64' });
  });
});

describe('bodies that are not what they say', () => {
  const bad = Buffer.concat([
    Buffer.from('{"query":"SHOW CREATE RELAY `'),
    Buffer.from([0xc3, 0x28]),
    Buffer.from('`;"}'),
  ]);

  test.each(['application/json', 'text/plain'])('invalid UTF-8 as %s is refused', async (type) => {
    const { plane, fetch } = await startSession();
    const response = await fetch('/api/v1/commands', {
      method: 'POST',
      headers: { 'content-type': type },
      body: bad,
    });
    expect(response.status).toBe(400);
    expect(await errorOf(response)).toMatchObject({
      code: 'INVALID_REQUEST',
      message: 'the body is not valid UTF-8',
    });
    expect(plane.executed).toEqual([]);
  });

  test('text beyond ASCII arrives as it was sent', async () => {
    const { plane, post } = await startSession();
    expect((await post({ query: 'größe 航班 🙂 \ufffd' })).status).toBe(200);
    expect(plane.executed[0]?.request.query).toBe('größe 航班 🙂 \ufffd');
  });

  test.each([
    ['gzip', 415],
    ['br, identity', 415],
    ['identity', 200],
    ['Identity', 200],
  ])('Content-Encoding %s: %i', async (coding, status) => {
    const { plane, post } = await startSession();
    const response = await post({ query: 'x' }, { 'content-encoding': coding });
    expect(response.status).toBe(status);
    expect(plane.executed).toHaveLength(status === 200 ? 1 : 0);
    if (status === 415) expect((await errorOf(response)).code).toBe('UNSUPPORTED_MEDIA_TYPE');
  });
});
