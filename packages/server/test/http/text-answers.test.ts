import { ERROR_CODES, type ErrorCode, type WireDiagnostic } from '@nervix/protocol';
import { describe, expect, test } from 'vitest';
import { prefersText } from '../../src/http/text-answer.ts';
import { type Session, startSession } from '../support/session.ts';

const TEXT = { 'content-type': 'text/plain', accept: 'text/plain' };

function send(session: Session, body: string, headers: Record<string, string> = TEXT) {
  return session.fetch('/api/v1/commands', { method: 'POST', headers, body });
}

function fail(
  { plane }: Session,
  message: string,
  diagnostics: readonly WireDiagnostic[],
  code: ErrorCode = 'PARSE_FAILED',
): void {
  plane.onExecute = async () => ({ kind: 'failed', error: { code, message, diagnostics } });
}

describe('NSPL that is sent as text is answered as text', () => {
  test('with the message alone', async () => {
    const session = await startSession();
    const response = await send(session, 'SHOW RELAYS;');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(response.headers.get('nervix-execution-reference')).toBeTruthy();
    expect(await response.text()).toBe('done\n');
  });

  test('with line, column and carets of what is wrong', async () => {
    const session = await startSession();
    const query = 'SHOW RELAYS;\n  DROP ünit;';
    const start = Buffer.byteLength(query.slice(0, query.indexOf('ünit')));
    const span = { start, end: start + 5 };
    fail(session, 'parse error: no ünit', [{ message: 'no ünit', span }]);
    const response = await send(session, query);
    expect(response.status).toBe(422);
    expect(await response.text()).toBe(
      [
        'parse error: no ünit',
        ' --> query:2:8',
        '  |',
        '2 |   DROP ünit;',
        '  |        ^^^^',
        '',
      ].join('\n'),
    );
  });

  test('with each of several diagnostics, and those that have no place', async () => {
    const session = await startSession();
    fail(session, 'two faults', [
      { message: 'first\nfault', span: { start: 0, end: 1 } },
      { message: 'second' },
    ]);
    expect(await (await send(session, 'ab')).text()).toBe(
      'two faults\nfirst\nfault\n --> query:1:1\n  |\n1 | ab\n  | ^\nsecond\n',
    );
  });

  test('CP-64: with both previews of a commit that no longer holds', async () => {
    const session = await startSession();
    const preview = (position: number, digit: string) => {
      return { transaction_id: 't', position, planning_basis: digit.repeat(64) };
    };
    const error = { message: 'moved', diagnostics: [{ message: 'moved' }] };
    const stale = { expected: preview(1, 'a'), current: preview(2, 'b') };
    session.plane.onExecute = async () => {
      return { kind: 'failed', error: { code: 'PREVIEW_STALE', ...error, ...stale } };
    };
    const response = await send(session, 'COMMIT;');
    expect([response.status, await response.text()]).toEqual([
      412,
      [
        'moved',
        `expected: COMMIT EXPECT 't' POSITION 1 BASIS '${'a'.repeat(64)}'`,
        `current: COMMIT EXPECT 't' POSITION 2 BASIS '${'b'.repeat(64)}'`,
        '',
      ].join('\n'),
    ]);
  });

  test.each(Object.keys(ERROR_CODES) as ErrorCode[])('with the status of %s', async (code) => {
    const session = await startSession();
    fail(session, 'no', [], code);
    const response = await send(session, 'x');
    expect([response.status, await response.text()]).toEqual([
      ERROR_CODES[code].httpStatus,
      'no\n',
    ]);
  });

  test('when its outcome is unknown', async () => {
    const session = await startSession();
    session.plane.onExecute = async () => ({
      kind: 'completed',
      outcome: {
        execution_reference: '',
        origin: 'Executed',
        disposition: { t: 'OutcomeUnknown', cause: 'StillApplying' },
        message: 'wait',
        diagnostics: [],
      },
    });
    const response = await send(session, 'x');
    expect([response.status, response.headers.get('retry-after')]).toEqual([202, '1']);
    expect(await response.text()).toBe('wait\n');
  });

  test('when it is refused before it is read, or the server fails', async () => {
    const session = await startSession();
    const authorization = 'Basic !';
    const unknown = await send(session, 'x', { ...TEXT, authorization });
    expect([unknown.status, await unknown.text()]).toEqual([
      401,
      'a valid user name and password are required\n',
    ]);
    const large = await send(session, 'x'.repeat(5_000_000));
    expect([large.status, await large.text()]).toEqual([
      413,
      'the body is larger than 4194304 bytes\n',
    ]);
    session.plane.onExecute = async () => {
      throw new Error('inner fault');
    };
    const fault = await send(session, 'x');
    expect([fault.status, await fault.text()]).toEqual([
      500,
      'the server failed; its log has the cause\n',
    ]);
  });

  test.each([
    "CREATE USER ada WITH PASSWORD 'canary' x;",
    'CREATE USER ada WITH PASSWORD "canary" x;',
    'CREATE USER ada WITH PASSWORD $$canary$$ x;',
    "CREATE CLIENT c TYPE HTTP CONFIG {'token' = 'canary'} x;",
  ])('without the line around a secret: %s', async (query) => {
    const session = await startSession();
    const start = query.indexOf('x;');
    fail(session, 'expected ;', [{ message: 'expected ;', span: { start, end: start + 1 } }]);
    expect(await (await send(session, query)).text()).toBe(
      `expected ;\n --> query:1:${start + 1}\n`,
    );
  });
});

test.each<[string, Record<string, string>]>([
  ['JSON that accepts text', { 'content-type': 'application/json', accept: 'text/plain' }],
  ['text that accepts anything', { 'content-type': 'text/plain', accept: '*/*' }],
  ['text that accepts JSON', { 'content-type': 'text/plain', accept: 'application/json' }],
])('%s is answered as JSON', async (_name, headers) => {
  const session = await startSession();
  const response = await send(session, JSON.stringify({ query: 'x' }), headers);
  expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  expect(await response.json()).toMatchObject({ message: 'done' });
});

test.each([
  ['text/plain', true],
  ['TEXT/PLAIN; charset=utf-8', true],
  ['application/json;q=0.5, text/plain', true],
  ['text/plain, */*;q=0.1', true],
  ['text/plain;q=0', false],
  ['text/plain;q=x', false],
  ['text/plain, application/json', false],
  ['text/*', false],
  ['text/plainer', false],
  [undefined, false],
])('Accept: %s prefers text: %j', (accept, expected) => {
  expect(prefersText(accept)).toBe(expected);
});
