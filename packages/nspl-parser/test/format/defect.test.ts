import { expect, test, vi } from 'vitest';
import { format } from '../../src/index.ts';
import { printStatement } from '../../src/printer/statement.ts';

vi.mock('../../src/printer/statement.ts', () => ({ printStatement: vi.fn() }));

test.each([
  ['cannot print', () => fail('no text'), 'the script cannot be printed: no text'],
  [
    'prints no script',
    () => 'BEGIN @;',
    "the formatted text cannot be read: unexpected character '@'",
  ],
  ['prints something else', () => 'STOP;', 'the statement in line 2 is not kept'],
  ['prints more', () => 'BEGIN;BEGIN;', 'the end of the text is not kept'],
  ['adds a comment', () => 'BEGIN; // b\n', 'the end of the text is not kept'],
  ['adds a comment inside', () => 'BEGIN // b\n;', 'the statement in line 2 is not kept'],
])('CL-90: a printer that %s is at fault', (_name, print, message) => {
  vi.mocked(printStatement).mockImplementation(print);
  expect(format('\nBEGIN;')).toEqual({ kind: 'defect', message });
});

test('CL-90: a printer that swallows a comment is at fault', () => {
  vi.mocked(printStatement).mockReturnValue("USE d\n;// '");
  expect(format("use d;// '\nuse d; // b")).toEqual({
    kind: 'defect',
    message: 'the comment in line 1 is not kept',
  });
});

test('CL-90: a printer that changes its mind is at fault', () => {
  let calls = 0;
  vi.mocked(printStatement).mockImplementation(() => {
    calls += 1;
    return `BEGIN${' '.repeat(calls)};`;
  });
  expect(format('BEGIN')).toEqual({
    kind: 'defect',
    message: 'the formatted text would be formatted differently',
  });
});

function fail(reason: string): never {
  throw new Error(reason);
}
