import { describe, expect, test } from 'vitest';
import { createLogger, type Logger, type LoggerOptions } from '../../src/logging/logger.ts';
import { redactText } from '../../src/logging/redaction.ts';

function setUp(options: Partial<LoggerOptions> = {}): { logger: Logger; lines: string[] } {
  const lines: string[] = [];
  const logger = createLogger({
    level: 'info',
    format: 'json',
    node: 'node-1',
    write: (line) => lines.push(line),
    ...options,
  });
  return { logger, lines };
}

test('CL-103: a record is one JSON line with time, level, node, message and fields', () => {
  const { logger, lines } = setUp();
  logger.child({ trace_id: 7 }).info('listener is open', { domain: 'd', port: 1 });
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^\{.*\}\n$/);
  expect(JSON.parse(lines[0]!)).toEqual({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    node: 'node-1',
    incarnation: expect.stringMatching(/^[0-9a-f-]{36}$/),
    trace_id: 7,
    domain: 'd',
    port: 1,
    message: 'listener is open',
  });
});

test('CL-103: the level filters', () => {
  const { logger, lines } = setUp({ level: 'warn' });
  logger.info('quiet');
  logger.warn('loud');
  expect(lines.map((line) => JSON.parse(line).message)).toEqual(['loud']);
  const off = setUp({ level: 'off' });
  off.logger.error('nothing');
  expect(off.lines).toEqual([]);
});

test('CL-103: text records hold the same, one line each', () => {
  const { logger, lines } = setUp({ format: 'text', incarnation: 'i' });
  logger.warn('two\nlines', { domain: 'd', reason: 'it is "so"' });
  expect(lines[0]).toMatch(
    /^\d{4}-\S+Z WARN {2}two\\nlines node=node-1 incarnation=i domain=d reason="it is \\"so\\""\n$/,
  );
});

test('a cause is logged with class, code and stack', () => {
  const { logger, lines } = setUp();
  logger.error('it failed', {}, Object.assign(new RangeError('too far'), { code: 'E_FAR' }));
  expect(JSON.parse(lines[0]!)).toMatchObject({
    message: 'it failed',
    error: 'RangeError: too far',
    code: 'E_FAR',
    stack: expect.stringContaining('logger.test'),
  });
});

test('CL-103: every record of a run has its one incarnation, and another run has another', () => {
  const first = setUp();
  first.logger.info('a');
  first.logger.child({ domain: 'd' }).warn('b');
  const second = setUp();
  second.logger.info('c');
  const incarnations = [...first.lines, ...second.lines].map((line) => {
    const { incarnation } = JSON.parse(line) as { incarnation: string };
    return incarnation;
  });
  expect(incarnations[1]).toBe(incarnations[0]);
  expect(incarnations[2]).not.toBe(incarnations[0]);
});

describe('a record has each member once', () => {
  /** Names of the members of a flat JSON object, as they are written. */
  const membersOf = (line: string): string[] =>
    [...line.matchAll(/[{,]"((?:[^"\\]|\\.)*)":/g)].map(([, name]) => name ?? '');

  test.each(['level', 'time', 'node', 'incarnation', 'message'])(
    'a field named %s does not hide what the record says of itself',
    (name) => {
      const { logger, lines } = setUp();
      logger.info('m', { [name]: 'field' });
      logger.child({ [name]: 'bound' }).info('m');
      for (const [index, value] of ['field', 'bound'].entries()) {
        const line = lines[index]!;
        expect(membersOf(line)).toEqual([...new Set(membersOf(line))]);
        expect(JSON.parse(line)).toMatchObject({ level: 'info', node: 'node-1', message: 'm' });
        expect(JSON.parse(line)[`${name}_`]).toBe(value);
      }
    },
  );

  test('the field of a record wins over the bound one, and the cause over both', () => {
    const { logger, lines } = setUp();
    const bound = logger.child({ domain: 'a', code: 'X' }).child({ domain: 'b' });
    bound.error('m', { domain: 'c', error: 'none' }, Object.assign(new Error('e'), { code: 'E' }));
    expect(membersOf(lines[0]!)).toEqual([...new Set(membersOf(lines[0]!))]);
    expect(JSON.parse(lines[0]!)).toMatchObject({ domain: 'c', code: 'E', error: 'Error: e' });
  });
});

describe('what caused a cause', () => {
  test('is logged with class, code and message, nearest first', () => {
    const { logger, lines } = setUp();
    const disk = Object.assign(new Error('no space left'), { code: 'ENOSPC' });
    const store = Object.assign(new TypeError('write failed', { cause: disk }), { code: 'LEVEL' });
    logger.error('m', {}, new Error('storage failed', { cause: store }));
    expect(JSON.parse(lines[0]!)).toMatchObject({
      error: 'Error: storage failed',
      causes: ['TypeError LEVEL: write failed', 'Error ENOSPC: no space left'],
    });
  });

  test('may be no error, or several', () => {
    const { logger, lines } = setUp();
    const refusals = ['::1', '127.0.0.1'].map((host) => new Error(`refused by ${host}`));
    const aggregate = new AggregateError(refusals, '', { cause: 'Bearer canary' });
    logger.error('m', {}, aggregate);
    expect(JSON.parse(lines[0]!)).toMatchObject({
      error: 'AggregateError: ',
      causes: ['Bearer <redacted>', 'Error: refused by ::1', 'Error: refused by 127.0.0.1'],
    });
  });

  test('is bounded in number and length, and may lead back to itself', () => {
    const { logger, lines } = setUp();
    let chain = new Error('last');
    for (let depth = 0; depth < 100; depth += 1)
      chain = new Error('x'.repeat(9_000), { cause: chain });
    logger.error('deep', {}, chain);
    expect(JSON.parse(lines[0]!).causes).toHaveLength(8);
    expect(lines[0]!.length).toBeLessThan(25_000);
    const ring = new Error('ring');
    ring.cause = new Error('other', { cause: ring });
    logger.error('ring', {}, ring);
    expect(JSON.parse(lines[1]!).causes).toEqual(['Error: other']);
  });

  test('is printed in text records', () => {
    const { logger, lines } = setUp({ format: 'text' });
    logger.error('m', {}, new Error('outer', { cause: new Error('the "inner" one') }));
    expect(lines[0]).toContain('causes=["Error: the \\"inner\\" one"]');
  });
});

describe('CL-103: a record stays small', () => {
  const long = 'x'.repeat(20_000_000);
  test.each<[string, (logger: Logger) => void]>([
    ['a message', (logger) => logger.info(long)],
    ['a field', (logger) => logger.info('m', { path: long })],
    ['a bound field', (logger) => logger.child({ path: long }).info('m')],
    ['an error', (logger) => logger.error('m', {}, new Error(long))],
    ['a cause that is no error', (logger) => logger.error('m', {}, long)],
  ])('whatever the length of %s', (_name, act) => {
    const { logger, lines } = setUp();
    act(logger);
    expect(lines[0]!.length).toBeLessThan(20_000);
    expect(lines[0]).toContain('(200000');
  });

  test('a credential that the cut takes the end of is redacted all the same', () => {
    const { logger, lines } = setUp();
    for (const quote of ["'", '"', '$$', '$tag$']) {
      logger.info(`CREATE USER a PASSWORD ${quote}${'canary'.repeat(20_000)}${quote}`);
    }
    logger.info(`${'x'.repeat(4_080)} Basic ${'canary'.repeat(10)}`);
    expect(lines.join('')).not.toContain('canary');
  });
});

describe('a text record is what it seems', () => {
  const forged = '2027-01-15T08:00:00.000Z ERROR forged';
  const breaks = ['\n', '\r', '\r\n', '\u0085', '\u2028', '\u2029', '\u001b[2J', '\u0000'];
  const places: readonly (readonly [string, (logger: Logger, text: string) => void])[] = [
    ['message', (logger, text) => logger.info(text)],
    ['field', (logger, text) => logger.info('m', { reason: text })],
    ['field name', (logger, text) => logger.info('m', { [text]: 1 })],
    ['error', (logger, text) => logger.error('m', {}, new Error(text))],
    ['cause', (logger, text) => logger.error('m', {}, new Error('e', { cause: new Error(text) }))],
    ['text as cause', (logger, text) => logger.error('m', {}, text)],
  ];
  test.each(places.flatMap(([place, act]) => breaks.map((text) => [place, text, act] as const)))(
    'whatever the %s holds: %j',
    (_place, text, act) => {
      const { logger, lines } = setUp({ format: 'text' });
      act(logger, `before${text}${forged}`);
      const [record = '', ...rest] = lines.join('').trimEnd().split('\n');
      expect(record).toMatch(/^\d{4}-\S+Z (INFO|ERROR) /);
      for (const line of rest) expect(line).toMatch(/^ {4}\S/);
      expect(lines.join('').replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
    },
  );
});

/** Statements with a secret in every way to write it. */
function statements(secret: string): readonly string[] {
  const strings = [
    `'${secret}'`,
    `'\\ " ${secret}\\'`,
    `"it's ${secret}"`,
    `$$${secret}$$`,
    `$t$ ' $$ \n ${secret}$t$`,
  ];
  const client = (entry: string) => `CREATE CLIENT c TYPE HTTP CONFIG {'a' = 'b', ${entry}}`;
  return [
    ...strings.map((text) => `CREATE USER ada WITH PASSWORD ${text}`),
    `ALTER USER ada SET password // it's\n "${secret}";`,
    ...strings.map((text) => client(`'sasl.password' = ${text}`)),
    `CREATE USER ada WITH PASSWORD'${secret}'`,
    `CREATE USER ada WITH Password $t$ $T$ ${secret}$t$`,
    client(`'addr' = 'amqp://me:p@${secret}@host/'`),
    client(`"TOKEN"='${secret}'`),
    client(`'account_key' = ${secret}`),
    client(`'headers' = // all\n 'x-key=${secret}'`),
  ];
}

test.each([
  "CREATE CLIENT c TYPE HTTP CONFIG {'note' = 'token', 'token' = SECRET 's' KEY 'k'}",
  "TO POSTGRES p INSERT TO TABLE t VALUES {'token' = input.token, 'api_key' = lower(k)}",
  'CREATE RELAY password SCHEMA s UNBRANCHED',
  "CREATE CLIENT c TYPE HTTP CONFIG {'password' = SECRET 's', 'sasl.password' = SECRET 's'}",
  "'addr' = 'http://host:80/a@b'",
])('what is no secret is logged: %s', (text) => {
  const { logger, lines } = setUp();
  logger.info('m', { text });
  expect(JSON.parse(lines[0]!)).toMatchObject({ text });
});

test.each([
  ['words of a host', 'a.'],
  ['schemes', 'a://'],
  ['ports', '://a:'],
  ['comments', 'PASSWORD//'],
  ['lines of comments', '//PASSWORD\n'],
  ['blanks', 'PASSWORD      '],
  ['opened strings', "PASSWORD 'a\n"],
  ['opened tags', 'PASSWORD $a'],
  ['keys', "'token' = // "],
  ['quotes', `'"`],
])('a text is searched once, whatever it holds: %s', (_name, part) => {
  const text = part.repeat(2_000_000 / part.length);
  const startedMs = performance.now();
  redactText(text, text.length);
  // By the square of its length it would take many minutes.
  expect(performance.now() - startedMs).toBeLessThan(5_000);
});

test('a count of rows is no row', () => {
  const { logger, lines } = setUp();
  logger.info('m', { rows: 5 });
  expect(JSON.parse(lines[0]!)).toMatchObject({ rows: 5 });
});

describe.each(['json', 'text'] as const)('CL-103: no secret reaches the log (%s)', (format) => {
  const canary = 'canary4711';
  test.each<[string, (logger: Logger) => void]>([
    ['a password field', (logger) => logger.info('m', { password: canary })],
    ['a field named like one', (logger) => logger.info('m', { initDefaultUserPassword: canary })],
    ['an authorization field', (logger) => logger.info('m', { authorization: canary })],
    ['a token field', (logger) => logger.info('m', { session_token: canary })],
    ['a payload field', (logger) => logger.info('m', { payload: canary })],
    ['a row field', (logger) => logger.info('m', { row: canary })],
    ['a branch key field', (logger) => logger.info('m', { branch_key: canary })],
    ['a child field', (logger) => logger.child({ password: canary }).info('m')],
    ['a Basic header in the message', (logger) => logger.info(`got Basic ${canary}==`)],
    ['a Bearer header in a field', (logger) => logger.info('m', { header: `Bearer ${canary}` })],
    ['a URL with a password', (logger) => logger.info('m', { url: `amqp://u:${canary}@h:1/` })],
    ['a URL with a token', (logger) => logger.info('m', { url: `nats://${canary}@h:1/` })],
    ['a URL with a ticket', (logger) => logger.info(`GET /session?auth=${canary}&x=1`)],
    ...statements(canary).map((text): [string, (logger: Logger) => void] => [
      text,
      (logger) => logger.info('m', { text }),
    ]),
    ['a cause', (logger) => logger.error('m', {}, new Error(`sent Basic ${canary}`))],
    ['a cause that is no error', (logger) => logger.error('m', {}, `Bearer ${canary}`)],
  ])('%s', (_name, act) => {
    const { logger, lines } = setUp({ format });
    act(logger);
    expect(lines).toHaveLength(1);
    expect(lines[0]).not.toContain(canary);
    expect(lines[0]).toContain('<redacted>');
  });
});
