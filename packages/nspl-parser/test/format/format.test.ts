import { describe, expect, test } from 'vitest';
import { type FormatResult, format, parseScript } from '../../src/index.ts';

/** The formatted text of a script. */
function formatted(text: string): string {
  const result = format(text);
  if (result.kind !== 'formatted') throw new Error(JSON.stringify(result));
  expect(result.isChanged).toBe(result.text !== text);
  return result.text;
}

describe('CL-89: the text of SHOW CREATE', () => {
  test.each([
    ['keywords and names', 'create Relay TRIPS schema Trip unbranched', ['CREATE RELAY trips']],
    ['implicit values', 'CREATE RELAY a SCHEMA b UNBRANCHED', ['UNBRANCHED CAPACITY 1;']],
    ['types', 'create schema s (a vec<u32> optional)', ['  a VEC<U32> OPTIONAL']],
    ['strings', `create user a with password $$it's$$`, [`WITH PASSWORD "it's";`]],
    ['strings of several lines', `create user a with password $x$1\n2$x$`, ['$s$1\n2$s$']],
    [
      'parentheses, durations and byte sizes',
      'create junction j from a collect for 1h30m max batch size 64kib unbranched to b ' +
        'where ((input.x)) > (1) flush immediate on message error log',
      ['COLLECT FOR 1h30m MAX BATCH SIZE 64kib', 'WHERE input.x > 1'],
    ],
    ['passwords', "create user a with password 'hunter2'", ["PASSWORD 'hunter2';"]],
  ])('%s', (_name, text, parts) => {
    for (const part of parts) expect(formatted(text)).toContain(part);
  });

  test('a text that is formatted is given back', () => {
    const text = 'BEGIN;\n\n// two\nSTOP; // now\n';
    expect(format(text)).toEqual({
      kind: 'formatted',
      text,
      isChanged: false,
      statementCount: 2,
      commentCount: 2,
    } satisfies FormatResult);
  });
});

const TALL = 'CREATE SCHEMA s (\n  a U32\n);';

describe('CL-89: layout of statements and comments', () => {
  test.each([
    ['statements of one line', 'begin;stop ;\n\n\n\nrevert', 'BEGIN;\nSTOP;\n\nREVERT;\n'],
    [
      'statements of several lines',
      `begin;${TALL}${TALL}\nstop`,
      `BEGIN;\n\n${TALL}\n\n${TALL}\n\nSTOP;\n`,
    ],
    ['lone terminators', ';;begin;;\n;\nstop;;', 'BEGIN;\nSTOP;\n'],
    ['the start and the end', '\n\n  // a \t\n\n\nbegin\n  // b', '// a\n\nBEGIN;\n// b\n'],
    ['a comment behind a statement', 'begin;// a\nstop // b', 'BEGIN; // a\nSTOP; // b\n'],
    ['a comment behind several', `begin; ${TALL};;  // a`, `BEGIN;\n\n${TALL} // a\n`],
    ['a comment above', 'begin;\n\n\n  // a\n  // b\n stop', 'BEGIN;\n\n// a\n// b\nSTOP;\n'],
    [
      'above one of several lines',
      `begin;\n// a\n// b\n${TALL}`,
      `BEGIN;\n\n// a\n// b\n${TALL}\n`,
    ],
    ['below one of several lines', `${TALL}\n// a\n\nbegin`, `${TALL}\n// a\n\nBEGIN;\n`],
    ['between two of them', `${TALL}\n// a\n\n// b\n${TALL}`, `${TALL}\n// a\n\n// b\n${TALL}\n`],
    ['comments that hold statements', '// begin; @ `\nstop // ;', '// begin; @ `\nSTOP; // ;\n'],
    ['comments as they are', 'stop;\n//\ta  "b\u00a0\n//', 'STOP;\n//\ta  "b\u00a0\n//\n'],
  ])('%s', (_name, text, expected) => {
    expect(formatted(text)).toBe(expected);
    expect(formatted(expected)).toBe(expected);
  });

  test('a statement with a comment inside is left as it is', () => {
    const inner = 'create  user a // who\r\n  with password\t"x" ;';
    expect(formatted(`begin;${inner}stop`)).toBe(`BEGIN;\n\n${inner}\n\nSTOP;\n`);
    expect(formatted('begin;\nuse // a\r\n d // b')).toBe('BEGIN;\n\nuse // a\r\n d // b\n');
    expect(formatted('begin // a\n; // b')).toBe('begin // a\n; // b\n');
  });

  test('line breaks become line feeds, but not inside strings', () => {
    const text = 'begin;\r\n\r\n// a\r\ncreate user u\r\nwith password $$1\r\n2$$;\r\n';
    expect(formatted(text)).toBe('BEGIN;\n\n// a\nCREATE USER u WITH PASSWORD $s$1\r\n2$s$;\n');
  });

  test.each(['', ' \r\n', ';;', '// a', '  // a \r\n\n\n// b'])(
    'BC-03: %j has nothing to format',
    (text) => {
      const commentCount = text.split('//').length - 1;
      const result: FormatResult = {
        kind: 'formatted',
        text,
        isChanged: false,
        statementCount: 0,
        commentCount,
      };
      expect(format(text)).toEqual(result);
    },
  );
});

describe('CL-90: what is no script', () => {
  test.each([
    ['a byte order mark', '\ufeffBEGIN', '\ufeff', 0],
    ['a character that is no token', '// @\nBEGIN @', '@', 11],
    ['a statement', 'BEGIN; USE x y;', 'y', 13],
    ['in a script of comments', '// a\n@', '@', 5],
  ])('%s is refused at its place', (_name, text, pointed, start) => {
    const { errors } = parseScript(text);
    expect(format(text)).toEqual({ kind: 'refused', errors });
    const span = { start, end: start + Buffer.byteLength(pointed) };
    expect(errors).toMatchObject([{ message: expect.stringContaining(pointed), span }]);
  });

  test('every error is told', () => {
    const result = format('USE; BEGIN; DROP; // x\n LIST');
    expect(result).toMatchObject({ errors: [{}, {}, {}] });
  });

  test('a text that would grow beyond what can be read', () => {
    const statement = 'create relay r schema s unbranched; // ';
    const text = statement.padEnd(2 ** 24, 'x');
    expect(parseScript(text).errors).toEqual([]);
    expect(format(text)).toEqual({
      kind: 'refused',
      errors: [
        {
          code: 'NSPL_TOO_LARGE',
          stage: 'lex',
          message: 'formatted text would exceed 16777216 bytes',
          span: { start: 0, end: 0 },
        },
      ],
    });
  });
});

test('BC-01: comments and strings with slashes leave everything else alone', () => {
  const live = "CREATE USER a WITH PASSWORD '// not; a comment';";
  const text = `BEGIN;\n// CREATE RELAY {{r}} SCHEMA nowhere; USE\n${live}`;
  const { statements, errors } = parseScript(text);
  expect(errors).toEqual([]);
  expect(statements.map((parsed) => parsed.text)).toEqual(['BEGIN;', live]);
  expect(statements[1]?.statement).toMatchObject({ password: '// not; a comment' });
  expect(formatted(text)).toBe(`${text}\n`);

  const bad = parseScript(`${text} DROP é;`).errors;
  const start = Buffer.byteLength(`${text} DROP `);
  expect(bad.map(({ span }) => span)).toEqual([{ start, end: start + 2 }]);
});

test('NSPL 15.5: a chain of a hundred thousand operators is formatted', () => {
  const chain = `a${'+a'.repeat(100_000)}`;
  expect(formatted(`create subscription s to r where ${chain}`)).toBe(
    `CREATE SUBSCRIPTION s TO r WHERE ${chain.replaceAll('+', ' + ')};\n`,
  );
});
