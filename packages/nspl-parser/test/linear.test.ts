import { afterEach, expect, test, vi } from 'vitest';
import { TokenCursor } from '../src/expression/token-cursor.ts';
import { GrammarHost } from '../src/grammar/grammar-host.ts';
import { parseExpression, parseScript, printExpression } from '../src/index.ts';

afterEach(() => vi.restoreAllMocks());

/** Steps that reading a text takes: characters and tokens looked at. */
function steps(text: string): number {
  const characters = vi.spyOn(String.prototype, 'charCodeAt');
  const peeks = vi.spyOn(TokenCursor.prototype, 'peek');
  const takes = vi.spyOn(GrammarHost.prototype, 'take');
  parseScript(text);
  const count = characters.mock.calls.length + peeks.mock.calls.length + takes.mock.calls.length;
  vi.restoreAllMocks();
  return count;
}

const repeated = (head: string, part: string, tail: string) => (times: number) =>
  head + part.repeat(times) + tail;

const subscription = 'CREATE SUBSCRIPTION s TO r WHERE ';
const GROWING: readonly [name: string, (times: number) => string][] = [
  ['statements', repeated('', 'CREATE RELAY a SCHEMA b UNBRANCHED; ', '')],
  ['refused statements', repeated('', 'CREATE RELAY a SCHEMA b FOO; ', '')],
  ['fields of a schema', repeated('CREATE SCHEMA s (', 'a U32 OPTIONAL, ', 'b U32)')],
  ['terms of a sum', repeated(subscription, 'a + ', 'a')],
  ['casts', repeated(`${subscription}a`, ' AS I64', '')],
  ['comparisons', repeated(`${subscription}a`, ' = b IN (1)', '')],
  ['arms of a case', repeated(`${subscription}CASE`, ' WHEN a THEN b', ' END')],
  [
    'routes',
    repeated(
      'CREATE JUNCTION j FROM a UNBRANCHED',
      ' TO b FLUSH IMMEDIATE ON MESSAGE ERROR LOG',
      '',
    ),
  ],
  ['a late refusal', repeated('CREATE SCHEMA s (', 'a U32, ', '%)')],
  ['strings', repeated('CREATE CLIENT c TYPE HTTP CONFIG {', "'a' = $$b$$, ", '}')],
  ['unclosed strings', repeated('', "'a\n", '')],
  ['unclosed dollar quotes', repeated('', '$a ', '')],
  ['comments', repeated('', '// x\n', 'BEGIN')],
];

test.each(GROWING)('NSPL 15.6: twice as many %s take twice the steps', (_name, text) => {
  const few = steps(text(200));
  const many = steps(text(400));
  expect(many).toBeGreaterThan(few);
  expect(many).toBeLessThan(few * 2.2);
});

test('NSPL 15.5: a chain of a hundred thousand operators is read and printed in a loop', () => {
  const text = `a${' + a'.repeat(100_000)}`;
  const result = parseExpression(text);
  if (result.kind === 'refused') throw new Error(result.errors[0]?.message);
  expect(printExpression(result.expression)).toBe(text);
});
