import { describe, expect, test } from 'vitest';
import { createLogger, type Logger, type LoggerOptions } from '../../src/logging/logger.ts';

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
  logger.child({ incarnation: 7 }).info('listener is open', { domain: 'd', port: 1 });
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^\{.*\}\n$/);
  expect(JSON.parse(lines[0]!)).toEqual({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    node: 'node-1',
    incarnation: 7,
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
  const { logger, lines } = setUp({ format: 'text' });
  logger.warn('two\nlines', { domain: 'd', reason: 'it is "so"' });
  expect(lines[0]).toMatch(
    /^\d{4}-\S+Z WARN {2}two\\nlines node=node-1 domain=d reason="it is \\"so\\""\n$/,
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
    ['a URL with a ticket', (logger) => logger.info(`GET /session?auth=${canary}&x=1`)],
    ['a statement', (logger) => logger.info(`CREATE USER ada WITH PASSWORD '${canary}'`)],
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
