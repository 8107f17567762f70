import { describe, expect, test, vi } from 'vitest';
import {
  format,
  outlineScript,
  parseExpression,
  parseScript,
  parseStatement,
  SOURCE_BYTES_MAX,
  wordsIn,
} from '../src/index.ts';
import { survive } from './support/survive.ts';

const relay = 'CREATE RELAY a SCHEMA b UNBRANCHED';
const subscription = 'CREATE SUBSCRIPTION s TO r WHERE ';

/** The one refusal of a text: what it says and the text that it points at. */
function refusal(text: string): { readonly message: string; readonly at: string } {
  const { statements, errors } = parseScript(text);
  expect(statements).toEqual([]);
  const [error, ...others] = errors;
  expect(others).toEqual([]);
  const { start, end } = error!.span;
  const at = new TextDecoder('utf-8', { ignoreBOM: true }).decode(
    new TextEncoder().encode(text).subarray(start, end),
  );
  return { message: error!.message, at };
}

describe('NSPL 1.1: characters that are no token are refused where they stand', () => {
  test.each([
    ['a byte order mark', `\uFEFF${relay}`, '\uFEFF'],
    ['NUL', `CREATE\0${relay}`, '\0'],
    ['a Cyrillic letter that looks like C', relay.replace('C', '\u0421'), '\u0421'],
    ['a full-width letter', relay.replace('a', '\uFF41'), '\uFF41'],
    ['a zero-width space', `CREATE\u200BRELAY a`, '\u200B'],
    ['a soft hyphen', `CRE\u00ADATE`, '\u00AD'],
    ['a curly quote', 'CREATE USER u WITH PASSWORD \u2019', '\u2019'],
  ])('%s', (_name, text, at) => {
    expect(refusal(text).at).toBe(at);
    survive(text);
  });

  test('a lone surrogate, which has no bytes of its own in UTF-8', () => {
    const text = `CREATE RELAY \uD800 SCHEMA b UNBRANCHED`;
    const { errors } = parseScript(text);
    expect(errors.map(({ stage, span }) => [stage, span.start])).toEqual([['lex', 13]]);
    survive(text);
  });
});

test('NSPL 1.1: line ends may be CR LF, and every white space of Unicode parts tokens', () => {
  const spaces = '\t\n\v\f\r \u0085\u00A0\u1680\u2000\u200A\u2028\u2029\u202F\u205F\u3000';
  for (const space of ['\r\n', ...spaces]) {
    const { statements, errors } = parseScript(relay.replaceAll(' ', space));
    expect(errors, JSON.stringify(space)).toEqual([]);
    expect(statements).toHaveLength(1);
  }
});

test('NSPL 3.1: reserved words are refused as bare fields and read as quoted ones', () => {
  const reserved =
    'WHERE SET INHERIT ALL EXCEPT LEAK SENSITIVE INVOKE AS AND OR IN BETWEEN IS DISTINCT FROM ' +
    'WHEN THEN ELSE END';
  for (const word of reserved.split(' ')) {
    expect(refusal(`${subscription}${word} = 1`).at, word).toBe(word);
    expect(parseExpression(`\`${word.toLowerCase()}\` = 1`).kind, word).toBe('parsed');
    expect(parseExpression(`input.${word} = 1`).kind, word).toBe('parsed');
  }
});

describe('NSPL 15.5: nesting has a limit, and reaching it is an ordinary refusal', () => {
  const deep = 10_000;
  const nestings: readonly [name: string, text: string][] = [
    ['parentheses', `${'('.repeat(deep)}1${')'.repeat(deep)}`],
    ['open parentheses', '('.repeat(deep)],
    ['calls', `${'f('.repeat(deep)}1${')'.repeat(deep)}`],
    ['lists', `${'['.repeat(deep)}1${']'.repeat(deep)}`],
    ['prefixes', `${'-'.repeat(deep)}1`],
    ['conditions', `${'IF TRUE THEN '.repeat(deep)}1${' ELSE 2 END'.repeat(deep)}`],
    ['cases', `${'CASE WHEN '.repeat(deep)}1`],
    ['casts to try', `${'TRY_CAST('.repeat(deep)}1${' AS I64)'.repeat(deep)}`],
    ['sets', `a IN (${'a IN ('.repeat(deep)}`],
  ];
  test.each(nestings)('%s', (_name, expression) => {
    const { message } = refusal(subscription + expression);
    expect(message).toBe('expression nesting exceeds 256 levels');
    survive(subscription + expression);
  });

  test('types', () => {
    const text = `CREATE SCHEMA s (a ${'VEC<'.repeat(deep)}U8${'>'.repeat(deep)})`;
    expect(refusal(text).message).toBe('expression nesting exceeds 256 levels');
    survive(text);
  });
});

describe('NSPL 1: length has a limit, and reaching it is an ordinary refusal', () => {
  const TEN_MEGABYTES = 10 * 1024 * 1024;

  test.each([
    ['statements', `${relay};\n`],
    ['comments', '// a comment\n'],
    ['blanks', ' '],
    ['semicolons', ';'],
  ])('10 MB of %s are read', (_name, part) => {
    const { errors } = parseScript(part.repeat(Math.ceil(TEN_MEGABYTES / part.length)));
    expect(errors).toEqual([]);
  });

  test.each([
    ['a word', 'a'],
    ['a number', '1'],
    ['an open string', "'"],
    ['commas', ','],
    ['terms', 'a + '],
  ])('10 MB that begin with %s are refused in one place', (_name, part) => {
    const text = part.repeat(Math.ceil(TEN_MEGABYTES / part.length));
    const { errors } = parseScript(text);
    expect(errors).toHaveLength(1);
    expect(errors[0]!.message.length).toBeLessThan(10_000);
  });

  test('behind a thousand refused statements the rest is left unread, and is said to be', () => {
    const text = `${'x;'.repeat(1_000)}BEGIN;${'x;'.repeat(2_000_000)}`;
    const { statements, errors } = parseScript(text);
    expect(statements).toEqual([]);
    expect(errors).toHaveLength(1_001);
    expect(errors.at(-1)).toEqual({
      code: 'NSPL_TOO_MANY',
      stage: 'parse',
      message: '1000 statements were refused; the rest of the text was not read',
      span: { start: 2_000, end: text.length },
    });
    expect(outlineScript(text).errors).toEqual(errors);
    expect(format(text)).toEqual({ kind: 'refused', errors });
  });

  test('a longer text is refused as a whole, whatever reads it', () => {
    const text = `BEGIN ${' '.repeat(SOURCE_BYTES_MAX)}`;
    const { statements, errors } = parseScript(text);
    expect(statements).toEqual([]);
    expect(errors.map(({ code }) => code)).toEqual(['NSPL_TOO_LARGE']);
    expect(outlineScript(text)).toEqual({ statements: [], errors });
    for (const read of [parseStatement, parseExpression, format]) {
      expect(read(text)).toEqual({ kind: 'refused', errors });
    }
    expect(wordsIn(text)).toEqual([]);
  });
});

describe('NSPL 1.4: of numbers, the length is looked at before they are converted', () => {
  const DIGITS = 1_000_000;
  const nines = '9'.repeat(DIGITS);
  const batch = (messages: string, size: string) =>
    'CREATE EMITTER e FROM r TO POSTGRES c INSERT TO TABLE t VALUES {"a" = a} MODE ACK RETRY ' +
    `POLICY BACKOFF 1s MAX 2s BATCH MAX MESSAGES ${messages} MAX SIZE ${size} FLUSH IMMEDIATE`;
  const window = (width: string) =>
    `CREATE WINDOW PROCESSOR w FROM r WIDTH ${width} STEP 1 MESSAGES MAX STATE SIZE `;
  const cut = `${'9'.repeat(64)}…`;
  const wide = `'0.${'9'.repeat(62)}…'`;
  const TOO_PRECISE = 'its fraction has more than 64 digits';
  const TOO_LARGE = 'it is larger than a byte count can be';
  const NUMBERS: readonly [slot: string, text: string, message: string][] = [
    ['a 64-bit integer', `${relay} CAPACITY ${nines}`, `invalid integer '${cut}'`],
    [
      'a 32-bit integer',
      `CREATE CLIENT c TYPE POSTGRES POOL SIZE MIN ${nines} MAX 2 CONFIG {}`,
      `invalid integer '${cut}'; expected 0 through 4294967295`,
    ],
    ['a count of messages', window(`${nines} MESSAGES`), `invalid integer '${cut}'`],
    ['messages of a batch', batch(nines, '1MB'), `invalid integer '${cut}'`],
    [
      'the size of a batch',
      batch('1', `${nines}MB`),
      `BATCH MAX SIZE '${cut}' exceeds the largest size a 64-bit byte count can hold`,
    ],
    ['a size', `${window('1 MESSAGES')}${nines}MB`, `invalid byte_size_literal: ${TOO_LARGE}`],
    [
      'the fraction of a size',
      `${window('1 MESSAGES')}0.${nines}MB`,
      `invalid byte_size_literal: ${TOO_PRECISE}`,
    ],
    [
      'a duration',
      `CREATE BRANCH b SCHEMA s TTL ${nines}s`,
      `invalid duration '${cut}': it is longer than a duration can be`,
    ],
    [
      'the fraction of a duration',
      `CREATE BRANCH b SCHEMA s TTL 0.${nines}s`,
      `invalid duration ${wide}: ${TOO_PRECISE}`,
    ],
    [
      'the unit of a duration',
      `CREATE BRANCH b SCHEMA s TTL 1${'a'.repeat(DIGITS)}`,
      `invalid duration '1${'a'.repeat(63)}…': unknown unit '${'a'.repeat(64)}…'`,
    ],
    [
      'a clock duration',
      `CREATE PACED DOMAIN d WITH PERIOD ${nines}s SKEW 1s`,
      `invalid duration '${cut}': it is longer than a duration can be`,
    ],
    [
      'an integer of an expression',
      `${subscription}a = ${nines}`,
      `invalid integer literal '${cut}': number too large to fit in target type`,
    ],
  ];

  test.each(NUMBERS)('%s', (_slot, text, message) => {
    const convert = vi.spyOn(globalThis, 'BigInt');
    const { errors } = parseScript(text);
    const longest = convert.mock.calls.map(([digits]) => String(digits).length);
    vi.restoreAllMocks();
    expect(errors.map((error) => error.message)).toEqual([message]);
    expect(Math.max(0, ...longest)).toBeLessThanOrEqual(64);
  });
});
