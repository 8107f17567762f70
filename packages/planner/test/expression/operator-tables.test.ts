import {
  BINARY_OPERATORS,
  type BinaryOperator,
  type Conversion,
  conversionOf,
  type Expression,
  SCALAR_TYPES,
  type ScalarType,
} from '@nervix/model';
import { describe, expect, test } from 'vitest';
import {
  between,
  binary,
  caseOf,
  cast,
  distinct,
  field,
  inSet,
  list,
  neg,
  not,
  tryCast,
} from '../support/expressions.js';
import { ELEMENTS, TYPE_COLUMNS, TYPE_SETS } from '../support/signature-rows.js';
import { typeOf, typing } from '../support/typing.js';

const TYPES = Object.keys(TYPE_COLUMNS);
const columnOf = (type: string, prefix = ''): Expression => field(prefix + TYPE_COLUMNS[type]);
const isRefused = (expression: Expression): boolean => typeof typing(expression) === 'string';

/** Operand types of chapter 3 by letter, and whether the result is T or BOOL. */
const BINARY: Readonly<Record<BinaryOperator, readonly [set: string, result: 'T' | 'BOOL']>> = {
  add: ['n', 'T'],
  sub: ['n', 'T'],
  mul: ['n', 'T'],
  div: ['n', 'T'],
  rem: ['n', 'T'],
  eq: ['k', 'BOOL'],
  not_eq: ['k', 'BOOL'],
  gt: ['o', 'BOOL'],
  lt: ['o', 'BOOL'],
  gt_eq: ['o', 'BOOL'],
  lt_eq: ['o', 'BOOL'],
  and: ['b', 'BOOL'],
  or: ['b', 'BOOL'],
};

type Pairing = (left: Expression, right: Expression) => Expression;

function pairDefects(make: Pairing, set: string, result: 'T' | 'BOOL'): readonly string[] {
  const allowed = TYPE_SETS[set] ?? [];
  return TYPES.flatMap((left) =>
    TYPES.flatMap((right) => {
      const expression = make(columnOf(left), columnOf(right));
      const isAllowed = left === right && allowed.includes(left);
      const found = isRefused(expression) ? 'refused' : typeOf(expression);
      const expected = isAllowed ? (result === 'T' ? left : result) : 'refused';
      return found === expected ? [] : [`${left}, ${right}: ${found}`];
    }),
  );
}

describe('TYPE 3 truth tables of operators', () => {
  test.each(Object.entries(BINARY))('%s', (operator, [set, result]) => {
    const make: Pairing = (left, right) => binary(left, operator as BinaryOperator, right);
    expect(pairDefects(make, set, result)).toEqual([]);
  });

  test('IS DISTINCT FROM', () => expect(pairDefects(distinct, 'k', 'BOOL')).toEqual([]));

  test('BETWEEN, each bound', () => {
    expect(pairDefects((left, right) => between(left, left, right), 'o', 'BOOL')).toEqual([]);
    expect(pairDefects((left, right) => between(left, right, left), 'o', 'BOOL')).toEqual([]);
  });

  test('TYPE 3.1 results of CASE', () => {
    const make: Pairing = (left, right) => caseOf([[field('flag'), left]], right);
    expect(pairDefects(make, 'k', 'T')).toEqual([]);
  });

  test('TYPE 3.1 operand and values of a simple CASE', () => {
    const make: Pairing = (left, right) => caseOf([[right, field('flag')]], field('flag'), left);
    expect(pairDefects(make, 'k', 'BOOL')).toEqual([]);
  });

  test('IN', () => {
    const taken = TYPES.filter((type) => !isRefused(inSet(columnOf(type))));
    expect(taken.sort()).toEqual([...(TYPE_SETS['c'] ?? [])].sort());
  });

  test.each<[string, (operand: Expression) => Expression, string]>([
    ['unary -', neg, 'g'],
    ['NOT', not, 'b'],
  ])('%s', (_, make, set) => {
    const taken = TYPES.filter((type) => !isRefused(make(columnOf(type))));
    expect(taken.sort()).toEqual([...(TYPE_SETS[set] ?? [])].sort());
    for (const type of taken) expect(typeOf(make(columnOf(type)))).toBe(type);
  });

  test('TYPE 6.7 elements of a list have one exact type', () => {
    for (const left of TYPES) {
      for (const right of TYPES) {
        const made = typeOf(list(columnOf(left), columnOf(right)));
        const [, element, lengths] = /^ARRAY<(.+), (2(?:, \d+)*)>$/u.exec(made) ?? [];
        expect(element !== undefined).toBe(left === right);
        if (ELEMENTS[left] === undefined && left === right) expect(element).toBe(left);
        if (lengths !== undefined) expect(lengths.startsWith('2')).toBe(true);
      }
    }
  });
});

describe('TYPE 1.2 operators over nulls', () => {
  const OPERAND: Readonly<Record<string, string>> = { n: 'I64', k: 'I64', o: 'I64', b: 'BOOL' };

  test.each(Object.entries(BINARY))('%s is optional when an operand is', (operator, [set]) => {
    const type = OPERAND[set] ?? '';
    const make = (left: string, right: string) =>
      typeOf(binary(columnOf(type, left), operator as BinaryOperator, columnOf(type, right)));
    expect(make('', '')).not.toContain('?');
    for (const [left, right] of [
      ['opt_', ''],
      ['', 'opt_'],
      ['opt_', 'opt_'],
    ] as const) {
      expect(make(left, right)).toMatch(/\?$/u);
    }
  });

  test('IS DISTINCT FROM never is, an empty IN never is, BETWEEN is by each part', () => {
    const [required, optional] = [columnOf('I64'), columnOf('I64', 'opt_')];
    expect(typeOf(distinct(optional, optional))).toBe('BOOL');
    expect(typeOf(inSet(optional))).toBe('BOOL');
    expect(typeOf(inSet(optional, { kind: 'integer', digits: '1' }))).toBe('BOOL?');
    expect(typeOf(between(required, required, optional))).toBe('BOOL?');
    expect(typeOf(between(required, required, required))).toBe('BOOL');
  });
});

/** The table of chapter 4: rows from, columns to, in the order of the header. */
const CONVERSIONS = `
         U8 I8 U16 I16 U32 I32 U64 I64 F32 F64 BOOL STRING DATETIME BYTES
U8       Y  P  Y   Y   Y   Y   Y   Y   Y   Y   Y    Y      Y        N
I8       P  Y  P   Y   P   Y   P   Y   Y   Y   Y    Y      Y        N
U16      P  P  Y   P   Y   Y   Y   Y   Y   Y   Y    Y      Y        N
I16      P  P  P   Y   P   Y   P   Y   Y   Y   Y    Y      Y        N
U32      P  P  P   P   Y   P   Y   Y   Y   Y   Y    Y      Y        N
I32      P  P  P   P   P   Y   P   Y   Y   Y   Y    Y      Y        N
U64      P  P  P   P   P   P   Y   P   Y   Y   Y    Y      P        N
I64      P  P  P   P   P   P   P   Y   Y   Y   Y    Y      Y        N
F32      P  P  P   P   P   P   P   P   Y   Y   Y    Y      P        N
F64      P  P  P   P   P   P   P   P   Y   Y   Y    Y      P        N
BOOL     Y  Y  Y   Y   Y   Y   Y   Y   Y   Y   Y    Y      F        N
STRING   P  P  P   P   P   P   P   P   P   P   P    Y      P        N
DATETIME P  P  P   P   P   P   P   Y   Y   Y   F    Y      Y        N
BYTES    N  N  N   N   N   N   N   N   N   N   N    N      N        Y
`;

describe('TYPE 4 conversions', () => {
  const [header = '', ...rows] = CONVERSIONS.trim().split('\n');
  const targets = header.trim().split(/\s+/u) as readonly ScalarType[];
  const words: Readonly<Record<string, Conversion>> = {
    Y: 'always',
    P: 'may_fail',
    F: 'never',
    N: 'refused',
  };

  test('the table has every scalar type', () => {
    expect([...targets].sort()).toEqual([...SCALAR_TYPES].sort());
    expect(rows).toHaveLength(SCALAR_TYPES.length);
  });

  test.each(rows)('%s', (row) => {
    const [from = '', ...letters] = row.trim().split(/\s+/u);
    for (const [index, target] of targets.entries()) {
      const letter = letters[index] ?? '';
      expect(conversionOf(from as ScalarType, target)).toBe(words[letter]);
      expect(isRefused(cast(columnOf(from), target))).toBe(letter === 'N');
      expect(isRefused(tryCast(columnOf(from), target))).toBe(letter === 'N');
      if (letter === 'N') continue;
      expect(typeOf(cast(columnOf(from), target))).toBe(target);
      expect(typeOf(cast(columnOf(from, 'opt_'), target))).toBe(`${target}?`);
      expect(typeOf(cast(columnOf(from, 'sec_'), target))).toBe(`${target}!`);
      expect(typeOf(tryCast(columnOf(from), target))).toBe(`${target}?`);
    }
  });

  test.each(Object.keys(ELEMENTS))('no list is converted: %s', (type) => {
    for (const target of SCALAR_TYPES) expect(isRefused(cast(columnOf(type), target))).toBe(true);
  });
});

test('TYPE 3 operators have the names of messages', () => {
  expect(Object.values(BINARY_OPERATORS).map(({ name }) => name)).toEqual(
    'Mul Div Rem Add Sub Eq NotEq Gt Lt GtEq LtEq And Or'.split(' '),
  );
});
