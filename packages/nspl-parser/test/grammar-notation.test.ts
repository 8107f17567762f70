import { describe, expect, test } from 'vitest';
import type { GrammarNode } from '../src/grammar.ts';
import { readGrammarNotation } from '../src/grammar-notation.ts';

const keyword = (text: string): GrammarNode => ({ kind: 'keyword', text });
const comma: GrammarNode = { kind: 'punctuation', text: ',' };
const rule = (name: string): GrammarNode => ({ kind: 'rule', name });

function read(body: string): GrammarNode | undefined {
  return readGrammarNotation(`x ::= ${body}`).get('x');
}

describe('notation of grammars', () => {
  test.each<[string, GrammarNode]>([
    ["'AND'", keyword('AND')],
    ["'IS NOT'", { kind: 'sequence', items: [keyword('IS'), keyword('NOT')] }],
    ['NUMBER', { kind: 'value', label: 'number' }],
    ["a | ('B' | c)", { kind: 'choice', alternatives: [rule('a'), keyword('B'), rule('c')] }],
    ['a b?', { kind: 'sequence', items: [rule('a'), { kind: 'optional', item: rule('b') }] }],
    ['a+', { kind: 'repeat', item: rule('a'), separator: null }],
    ['a*', { kind: 'optional', item: { kind: 'repeat', item: rule('a'), separator: null } }],
    ["a % ','", { kind: 'repeat', item: rule('a'), separator: comma }],
    [
      "a %? ','",
      {
        kind: 'sequence',
        items: [
          { kind: 'repeat', item: rule('a'), separator: comma },
          { kind: 'optional', item: comma },
        ],
      },
    ],
    ['a | ', { kind: 'optional', item: rule('a') }],
    ['a | a', rule('a')],
    ['(a b) c', { kind: 'sequence', items: [rule('a'), rule('b'), rule('c')] }],
  ])('%s', (body, expected) => {
    expect(read(body)).toEqual(expected);
  });

  test('a rule ends where the next one begins', () => {
    const rules = readGrammarNotation("a ::= b 'X'\n  c\nb ::= 'Y'");
    expect([...rules]).toEqual([
      ['a', { kind: 'sequence', items: [rule('b'), keyword('X'), rule('c')] }],
      ['b', keyword('Y')],
    ]);
  });

  test.each([
    "x ::= 'a",
    'x ::= (a',
    'x ::= a)',
    'x ::= ?',
    'X ::= a',
    'x',
    'x ::= a x ::= b',
    'x ::= #',
  ])('refuses %s', (text) => {
    expect(() => readGrammarNotation(text)).toThrow(SyntaxError);
  });
});
