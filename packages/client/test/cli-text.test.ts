import { describe, expect, test } from 'vitest';
import { isSensitiveText } from '../src/cli/sensitive-text.js';
import { sourceReport } from '../src/cli/source-report.js';
import { endsWithTerminator } from '../src/cli/statement-end.js';

describe('endsWithTerminator', () => {
  test.each([
    ['STOP;', true],
    ['STOP; // done', true],
    ['STOP;\n\n', true],
    ['STOP', false],
    ["CREATE USER a WITH PASSWORD ';'", false],
    ['STOP // ;', false],
    ['X $$ body; $$', false],
    ['X $tag$ body; $$ ; $tag$;', true],
    ['X $tag$ unterminated;', false],
    ['', false],
  ])('%j ends its statement: %j (CL-83)', (text, expected) => {
    expect(endsWithTerminator(text)).toBe(expected);
  });
});

describe('source reports', () => {
  test('places count characters of byte offsets (CL-81)', () => {
    const source = { label: 'a', text: 'ä\nöx' };
    expect(sourceReport(source, { start: 5, end: 6 }, 'what')).toBe(
      'a:2:2: what\n  2 | öx\n    |  ^',
    );
  });

  test('carets stand below the span, behind tabs too', () => {
    const source = { label: 'a.nspl', text: 'STOP;\n\tDROP relay x;' };
    expect(sourceReport(source, { start: 12, end: 17 }, 'what')).toBe(
      'a.nspl:2:7: what\n  2 | \tDROP relay x;\n    | \t     ^^^^^',
    );
  });

  test('neither a secret nor its line is shown (CL-83)', () => {
    const source = { label: 'a', text: "CREATE USER a WITH PASSWORD\n'x' 'hunter2';" };
    const message = 'expected end of input, found "hunter2"';
    expect(sourceReport(source, { start: 32, end: 41 }, message)).toBe(
      'a:2:5: expected end of input, found a string',
    );
  });

  test('a statement of several lines is marked, unless any of them may hold a secret', () => {
    const source = { label: 'a', text: "CREATE USER a\nWITH\nPASSWORD 'x';\nUSE\n\u001b[2Jd;" };
    expect(sourceReport(source, { start: 33, end: 43 }, 'what')).toBe('a:4:1: what');
    const apart = { ...source, text: source.text.replace('PASSWORD', 'PASSWURD') };
    expect(sourceReport(apart, { start: 33, end: 43 }, 'what\u001b')).toBe(
      'a:4:1: what<U+001B>\n  4 | USE\n    | ^^^\n  5 | <U+001B>[2Jd;\n    | ^^^^^^^^^^^^^',
    );
    expect(sourceReport(source, { start: 0, end: 33 }, 'what')).toBe('a:1:1: what');
  });

  test('the end of the input has one caret', () => {
    const source = { label: 'a', text: 'DROP' };
    expect(sourceReport(source, { start: 4, end: 4 }, 'what')).toBe(
      'a:1:5: what\n  1 | DROP\n    |     ^',
    );
  });
});

test.each([
  ["CREATE USER a WITH PASSWORD 'x'", true],
  ["CONFIG 'sasl.password' = 'x'", true],
  ["'secret_access_key' = 'x'", true],
  ['CREATE USER a WITH PASSWORD $$x$$', true],
  ["{'a' = 'b', 'account_key' = 'x'}", true],
  ["{'DSN'='x'}", true],
  ['{"ssl.key" = x}', true],
  ["{$$connection_string$$ = 'x'}", true],
  ["{'headers' = 'x'}", true],
  ["{'addr' = 'amqp://me:x@host/'}", true],
  ["{'addr' = 'http://host/a@b', 'key_id' = 'x'}", false],
  ["SET branch_key = 'x'", false],
  ['CREATE RELAY a SCHEMA b UNBRANCHED', false],
  ['SELECT secret', false],
])('%j may hold a secret: %j (CL-83)', (text, expected) => {
  expect(isSensitiveText(text)).toBe(expected);
});
