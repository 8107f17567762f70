import { describe, expect, test } from 'vitest';
import { parseScript } from '../src/index.js';

/** The first thing that is wrong in a text, and the part of it that is meant. */
function fault(text: string): readonly [string | undefined, string] {
  const [error] = parseScript(text).errors;
  const { start = 0, end = 0 } = error?.span ?? {};
  return [error?.message, text.slice(start, end)];
}

describe('TX-49: what is missing is named by its slot', () => {
  test.each([
    ['CREATE RELAY', 'expected relay_name, found end of input', ''],
    ['CREATE SCHEMA (id I64);', 'expected schema_name, found (', '('],
    // A name that refers to something is told by what it refers to.
    ['DROP RELAY', 'expected ref:relay, found end of input', ''],
  ])('%s', (text, message, part) => {
    expect(fault(text)).toEqual([message, part]);
  });

  test('a clause in the wrong place lists what could follow', () => {
    const [message] = fault('REBIND RESOURCE r ON VERSION 1;');
    expect(message).toBe('expected TO, found ON');
    const [several] = fault('BEGIN ON;');
    expect(several).toMatch(/^expected (.+ \| )*(;|end of input)( \| .+)*, found ON$/);
  });
});
