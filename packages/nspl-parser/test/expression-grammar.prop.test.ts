import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  readAssignments,
  readExpressions,
  readInherit,
  readInvocations,
} from '../src/expression/construction-reader.ts';
import { EXPRESSION_RULES } from '../src/expression/expression-grammar.ts';
import { ExpressionReader } from '../src/expression/expression-reader.ts';
import { ParseFailure } from '../src/failure.ts';
import { partsOf, referencedRules } from '../src/grammar.ts';
import type { GrammarNode } from '../src/grammar-node.ts';
import { Lexer } from '../src/lexer.ts';
import { RESERVED_IN_EXPRESSIONS } from '../src/names.ts';
import { NodeSpans } from '../src/spans.ts';
import {
  isSentence,
  type Language,
  sentences,
  type ValueTokens,
} from './support/grammar-recognizer.ts';

const isWord = (token: string): boolean => /^[A-Za-z_]/u.test(token);
const value = (takes: ValueTokens['takes'], ...examples: readonly string[]): ValueTokens => ({
  takes,
  examples,
});

const language: Language = {
  rules: EXPRESSION_RULES,
  values: new Map([
    [
      'name',
      value(
        (token) => isWord(token) && !RESERVED_IN_EXPRESSIONS.has(token.toLowerCase()),
        'x',
        'Fare',
        'max',
        'left',
        'flush',
        'u8',
      ),
    ],
    ['word', value(isWord, 'y', 'end', 'IN', 'city', 'as')],
    ['quoted_name', value((token) => token.startsWith('`'), '`end`', '`a-b`')],
    ['number', value((token) => /^[0-9]/u.test(token), '1', '0', '2.5')],
    ['string', value((token) => token.startsWith("'"), "'a'", "''")],
    ['json_path', value((token) => token.startsWith("'$"), "'$.a'", "'$'")],
    ['array_length', value((token) => /^[1-9][0-9]*$/u.test(token), '3', '224')],
  ]),
};

type Read = (reader: ExpressionReader) => unknown;
const READERS: readonly [rule: string, read: Read][] = [
  ['expression', (reader) => reader.expression()],
  ['expressions', readExpressions],
  ['assignments', readAssignments],
  ['inheritance', readInherit],
  ['invocations', readInvocations],
];

/** Whether the reader takes all of the tokens; undefined if it objects to a repeated field. */
function isRead(read: Read, tokens: readonly string[]): boolean | undefined {
  const segment = new Lexer(tokens.join(' ')).next();
  if (segment === undefined) return false;
  const reader = new ExpressionReader();
  reader.enter(segment.tokens, 0, new NodeSpans());
  try {
    read(reader);
  } catch (error) {
    if (!(error instanceof ParseFailure)) throw error;
    return error.message.startsWith('duplicate field') ? undefined : false;
  }
  return reader.position === segment.tokens.length;
}

const mutation = fc.record({
  place: fc.nat(),
  change: fc.constantFrom('drop', 'repeat', 'swap', 'replace'),
  token: fc.constantFrom(
    ...'x . , ( ) [ ] NOT IN AS IS FROM AND CASE WHEN END udf :: I64 message 1'.split(' '),
    "'$.a'",
  ),
});

function mutate(tokens: readonly string[], by: { place: number; change: string; token: string }) {
  const at = by.place % tokens.length;
  const changed = [...tokens];
  if (by.change === 'drop') changed.splice(at, 1);
  else if (by.change === 'repeat') changed.splice(at, 0, changed[at]!);
  else if (by.change === 'swap') changed.splice(at, 2, ...changed.slice(at, at + 2).reverse());
  else changed[at] = by.token;
  return changed;
}

describe.each(READERS)('NSPL 3: the notation of %s', (rule, read) => {
  test('has only sentences that the reader takes', () => {
    fc.assert(
      fc.property(sentences(language, rule), (tokens) => {
        expect(isSentence(language, rule, tokens)).toBe(true);
        expect(isRead(read, tokens), tokens.join(' ')).not.toBe(false);
      }),
    );
  });

  test('has every sentence that the reader takes, and no other', () => {
    let refused = 0;
    fc.assert(
      fc.property(sentences(language, rule), mutation, (tokens, by) => {
        const changed = mutate(tokens, by);
        const taken = isRead(read, changed);
        if (taken === undefined) return;
        expect(isSentence(language, rule, changed), changed.join(' ')).toBe(taken);
        if (!taken) refused += 1;
      }),
      { numRuns: 500 },
    );
    expect(refused).toBeGreaterThan(100);
  });
});

test('NSPL 3: no arithmetic follows a set directly', () => {
  for (const text of ['x IN ( ) - 1', 'x OR y NOT IN ( 1 ) * 2', 'x IN ( 1 ) IN ( 2 ) + 3']) {
    expect(isSentence(language, 'expression', text.split(' '))).toBe(false);
    expect(isRead(READERS[0]![1], text.split(' '))).toBe(false);
  }
});

test('every rule of the notation is defined, used and readable', () => {
  const names = [...EXPRESSION_RULES.keys()];
  const used = new Set([...EXPRESSION_RULES.values()].flatMap(referencedRules));
  expect([...used].filter((name) => !EXPRESSION_RULES.has(name))).toEqual([]);
  const starts = READERS.map(([rule]) => rule);
  expect(names.filter((name) => !used.has(name) && !starts.includes(name))).toEqual([]);
  const labels = (node: GrammarNode): string[] =>
    node.kind === 'value' ? [node.label] : partsOf(node).flatMap(labels);
  const values = new Set([...EXPRESSION_RULES.values()].flatMap(labels));
  expect([...values].sort()).toEqual([...language.values.keys()].sort());
});
