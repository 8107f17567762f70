import { describe, expect, test } from 'vitest';
import {
  type DataType,
  type TypedExpression,
  typedExpressionDefect,
  typedNodes,
} from '../src/index.js';

const plain = { optional: false, sensitive: false } as const;
const column = (
  type: DataType,
  change: Partial<Pick<TypedExpression, 'optional' | 'sensitive'>> = {},
): TypedExpression => ({ kind: 'column', row: 'input', field: 'x', type, ...plain, ...change });
const literal = (type: DataType, value: string | number | boolean | null): TypedExpression => ({
  kind: 'literal',
  type,
  value,
  ...plain,
  optional: value === null,
});

const [i64, i32, text, flag] = [column('I64'), column('I32'), column('STRING'), column('BOOL')];
const sum: TypedExpression = {
  kind: 'binary',
  operator: 'add',
  left: i64,
  right: literal('I64', '1'),
  type: 'I64',
  ...plain,
};
const upper: TypedExpression = {
  kind: 'call',
  function: 'upper',
  overload: 'upper',
  arguments: [text],
  type: 'STRING',
  ...plain,
};

const SOUND: Readonly<Record<string, TypedExpression>> = {
  sum,
  upper,
  null: literal('STRING', null),
  negation: { kind: 'unary', operator: 'neg', operand: i32, type: 'I32', ...plain },
  distinct: { kind: 'distinct', negated: false, left: text, right: text, type: 'BOOL', ...plain },
  in: {
    kind: 'in',
    negated: true,
    operand: column('STRING', { optional: true }),
    elements: [literal('STRING', 'a')],
    type: 'BOOL',
    optional: true,
    sensitive: false,
  },
  between: {
    kind: 'between',
    negated: false,
    operand: i64,
    low: i64,
    high: sum,
    type: 'BOOL',
    ...plain,
  },
  cast: {
    kind: 'cast',
    isTry: true,
    operand: text,
    target: 'U8',
    type: 'U8',
    ...plain,
    optional: true,
  },
  case: {
    kind: 'case',
    operand: null,
    // biome-ignore lint/suspicious/noThenProperty: the vocabulary's own name.
    arms: [{ when: flag, then: i64 }],
    otherwise: null,
    type: 'I64',
    ...plain,
    optional: true,
  },
  list: {
    kind: 'list',
    elements: [i64, sum],
    type: { kind: 'array', element: 'I64', length: 2 },
    ...plain,
  },
  vec: { kind: 'list', elements: [], type: { kind: 'vec', element: 'BYTES' }, ...plain },
  lookup: {
    kind: 'lookup',
    map: 'm',
    key: text,
    field: 'f',
    type: 'BYTES',
    optional: true,
    sensitive: true,
  },
  json: {
    kind: 'json_read',
    isTry: false,
    document: text,
    path: '$',
    type: 'F32',
    ...plain,
    optional: true,
  },
  exists: { kind: 'json_exists', document: text, path: '$', type: 'BOOL', ...plain },
  udf: { kind: 'udf_call', name: 'f', volatile: false, arguments: [i32], type: 'F64', ...plain },
  leaked: { ...upper, arguments: [column('STRING', { sensitive: true })] },
};

describe('TYPE 3-8: what follows from the tables is sound', () => {
  test.each(Object.entries(SOUND))('%s', (_, expression) => {
    expect(typedExpressionDefect(expression)).toBe(undefined);
  });
});

/** Every way to claim something else about the outermost node. */
function claims(expression: TypedExpression): readonly TypedExpression[] {
  const types: DataType[] = ['U8', 'I64', 'STRING', 'BOOL', { kind: 'vec', element: 'I64' }];
  return [
    { ...expression, optional: !expression.optional } as TypedExpression,
    ...types
      .filter((type) => JSON.stringify(type) !== JSON.stringify(expression.type))
      .map((type) => ({ ...expression, type }) as TypedExpression),
  ];
}

/** Nodes whose type nothing inside of them tells, so that it has to be believed. */
const SOURCES = new Set(['lookup', 'json', 'udf', 'null', 'list', 'vec']);

describe('a node that claims another type or nullability is found', () => {
  test.each(Object.entries(SOUND).filter(([name]) => !SOURCES.has(name)))('%s', (_, expression) => {
    for (const claim of claims(expression)) {
      expect(typedExpressionDefect(claim)).toMatch(/^\w+: ./u);
    }
  });
});

test.each<[string, TypedExpression, string]>([
  ['two types', { ...sum, right: i32 } as TypedExpression, 'binary: mixes I64 and I32'],
  [
    'a wrong operand',
    { ...sum, left: text, right: text } as TypedExpression,
    'binary: takes no STRING',
  ],
  ['no function', { ...upper, function: 'upper2' } as TypedExpression, 'call: calls no function'],
  ['an alias', { ...upper, function: 'btrim' } as TypedExpression, 'call: calls no function'],
  [
    'another overload',
    { ...upper, overload: 'lower' } as TypedExpression,
    'call: is no call of lower',
  ],
  [
    'another argument',
    { ...upper, arguments: [i64] } as TypedExpression,
    'call: calls upper with other arguments',
  ],
  ['a number as text', literal('I64', 'x'), 'literal: is no decimal text'],
  ['a number above its type', literal('I8', '128'), 'literal: is out of the range of I8'],
  ['a number below its type', literal('U64', '-1'), 'literal: is out of the range of U64'],
  [
    'an instant beyond 64 bits',
    literal('DATETIME', '9223372036854775808'),
    'literal: is out of the range of DATETIME',
  ],
  [
    'a unit that is read from the record',
    {
      kind: 'call',
      function: 'date_trunc',
      overload: 'date_trunc',
      arguments: [text, column('DATETIME')],
      type: 'DATETIME',
      ...plain,
    },
    'call: calls date_trunc with an argument 1 that is no literal',
  ],
  ['an infinite float', literal('F64', Number.POSITIVE_INFINITY), 'literal: is no number'],
  ['a literal of BYTES', literal('BYTES', 'x'), 'literal: has a type without literals, BYTES'],
  [
    'sensitivity from nowhere',
    { ...sum, sensitive: true },
    'binary: is sensitive without a part that is',
  ],
  [
    'a key of BYTES',
    { ...SOUND['lookup'], key: column('BYTES') } as TypedExpression,
    'lookup: has a key of BYTES',
  ],
  [
    'a list of another length',
    { ...SOUND['list'], type: { kind: 'array', element: 'I64', length: 3 } } as TypedExpression,
    'list: has another length',
  ],
  [
    'a list of other elements',
    { ...SOUND['list'], type: { kind: 'vec', element: 'I32' } } as TypedExpression,
    'list: has an element of another type',
  ],
  ['no list', { ...SOUND['list'], type: 'I64' } as TypedExpression, 'list: is no list'],
  [
    'a fault far inside',
    {
      ...upper,
      arguments: [{ ...upper, arguments: [{ ...text, type: 'I64' }] }],
    } as TypedExpression,
    'call: calls upper with other arguments',
  ],
])('%s is told', (_, expression, defect) => {
  expect(typedExpressionDefect(expression)).toBe(defect);
});

test('chains longer than a call stack is deep are walked, outermost first', () => {
  let chain: TypedExpression = i64;
  for (let index = 0; index < 100_000; index += 1)
    chain = { ...sum, left: chain } as TypedExpression;
  expect(typedExpressionDefect(chain)).toBe(undefined);
  const kinds = [...typedNodes(chain)].map(({ kind }) => kind);
  expect(kinds).toHaveLength(200_001);
  expect([kinds[0], kinds.at(-1)]).toEqual(['binary', 'literal']);
});
