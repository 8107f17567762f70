import { describe, expect, test } from 'vitest';
import { EXPRESSION_RULES } from '../src/expression/expression-grammar.ts';
import { type GrammarNode, partsOf } from '../src/grammar.ts';
import { parseExpression, printStatement } from '../src/index.ts';
import { tokensOf } from './support/negative-cases.ts';
import {
  canonical as canonicalOf,
  expectRefusal,
  expressionRefusal,
  read,
} from './support/reading.ts';
import { EXPRESSION_FORMS, type Form, LIST_FORMS } from './support/tables/expression-forms.ts';

/** Target types of conversions with the type that each means. */
const CAST_TYPES =
  'U8:U8 UINT8:U8 I8:I8 INT8:I8 U16:U16 UINT16:U16 I16:I16 INT16:I16 U32:U32 UINT32:U32 ' +
  'I32:I32 INT32:I32 U64:U64 UINT64:U64 I64:I64 INT64:I64 BOOL:BOOL BOOLEAN:BOOL ' +
  'STRING:STRING UTF8:STRING BYTES:BYTES DATETIME:DATETIME F32:F32 FLOAT32:F32 F64:F64 FLOAT64:F64';
const CAST_FORMS: readonly Form[] = CAST_TYPES.split(' ').map((pair) => {
  const [alias = '', type = ''] = pair.split(':');
  return {
    rule: 'castType',
    accepted: `a AS ${alias.toLowerCase()}`,
    canonical: `a AS ${type}`,
    refused: `a AS ${alias}_`,
    message: `unsupported type '${alias}_'`,
    pointed: `${alias}_`,
  };
});
const FORMS = [...EXPRESSION_FORMS, ...CAST_FORMS];

describe('NSPL 3, 9.2: a form of an expression', () => {
  test.each(FORMS)('$rule: $accepted', ({ accepted, canonical }) => {
    expect(canonicalOf(accepted)).toBe(canonical);
    expect(canonicalOf(canonical)).toBe(canonical);
  });
});

describe('NSPL 3, 10: an expression that is none', () => {
  test.each(FORMS)('$rule: $refused', ({ refused, message, pointed }) => {
    expect(expressionRefusal(refused)).toBe(message);
    const result = parseExpression(refused);
    const span = result.kind === 'refused' ? result.errors[0]?.span : undefined;
    expect(Buffer.from(refused).subarray(span?.start, span?.end).toString()).toBe(pointed);
  });

  const embedded = FORMS.filter(
    ({ refused, message, pointed }) =>
      !message.startsWith('expected end of input') &&
      (pointed === '' || !refused.startsWith(pointed)),
  );
  test.each(embedded)('is refused alike inside a statement: $refused', (form) => {
    expectRefusal(`CREATE JUNCTION j FROM r WHERE ${form.refused}`, form.message, form.pointed);
  });
});

describe('NSPL 3, 3.2, 10: a list or a construction', () => {
  const before = (text: string) =>
    text.startsWith('DEDUPLICATE')
      ? 'CREATE DEDUPLICATOR d FROM r'
      : 'CREATE JUNCTION j FROM r UNBRANCHED TO b';
  const behind = (text: string) =>
    `${text.startsWith('DEDUPLICATE') ? 'MAX TIME 1s UNBRANCHED TO b ' : ''}FLUSH IMMEDIATE ON MESSAGE ERROR LOG`;

  test.each(LIST_FORMS)('$rule: $accepted', ({ accepted, canonical }) => {
    const statement = read(`${before(accepted)} ${accepted} ${behind(accepted)}`);
    const printed = printStatement(statement).replaceAll(/\n */gu, ' ');
    expect(printed).toContain(` ${canonical} ${behind(accepted)};`);
  });

  test.each(LIST_FORMS)('$rule: $refused', ({ refused, message, pointed }) => {
    expectRefusal(`${before(refused)} ${refused}`, message, pointed);
  });
});

/** Keywords and punctuation of a piece of the notation. */
function symbolsOf(node: GrammarNode): readonly string[] {
  if (node.kind === 'keyword' || node.kind === 'punctuation') return node.text.split(' ');
  return partsOf(node).flatMap(symbolsOf);
}

test('NSPL 3: every rule of expressions has its forms, with every symbol of it', () => {
  const missing = [...EXPRESSION_RULES].flatMap(([rule, node]) => {
    const forms = [...FORMS, ...LIST_FORMS].filter((form) => form.rule === rule);
    const used = forms.flatMap(({ accepted }) => tokensOf(accepted).map(({ image }) => image));
    const known = new Set(used.map((image) => image.toUpperCase()));
    const symbols = symbolsOf(node).filter((symbol) => !known.has(symbol.toUpperCase()));
    return forms.length === 0 ? [rule] : symbols.map((symbol) => `${rule}: ${symbol}`);
  });
  expect(missing).toEqual([]);
});
