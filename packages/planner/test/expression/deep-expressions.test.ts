import { type Expression, equalData } from '@nervix/model';
import { expect, test } from 'vitest';
import { planTransaction, snapshotOf } from '../../src/index.js';
import {
  binary,
  bool,
  call,
  caseOf,
  cast,
  field,
  inSet,
  int,
  list,
  not,
} from '../support/expressions.js';
import { change, DOMAIN, junction, messagesOf, planWith, SAMPLE } from '../support/models.js';
import { typeOf } from '../support/typing.js';

const LENGTH = 100_000;
const TOO_DEEP = 'expression nesting exceeds 256 levels';

function repeat(count: number, first: Expression, step: (inner: Expression) => Expression) {
  let expression = first;
  for (let index = 0; index < count; index += 1) expression = step(expression);
  return expression;
}

test.each<[string, Expression, string]>([
  ['sum', repeat(LENGTH, int(1), (left) => binary(left, 'add', int(1))), 'I64'],
  ['casts', repeat(LENGTH, int(1), (inner) => cast(inner, 'I64')), 'I64'],
  [
    'constant casts',
    inSet(
      int(1),
      repeat(LENGTH, int(1), (inner) => cast(inner, 'I64')),
    ),
    'BOOL',
  ],
  ['conjunction', repeat(LENGTH, bool(true), (left) => binary(left, 'and', bool(true))), 'BOOL'],
  ['arguments', call('concat', ...Array.from({ length: LENGTH }, () => field('text'))), 'STRING'],
  ['list', list(...Array.from({ length: LENGTH }, () => int(1))), `ARRAY<I64, ${LENGTH}>`],
  ['set', inSet(int(1), ...Array.from({ length: LENGTH }, (_, index) => int(index))), 'BOOL'],
  [
    'arms',
    caseOf(Array.from({ length: LENGTH / 10 }, () => [field('flag'), int(1)] as const)),
    'I64?',
  ],
])('a flat %s of 100,000 parts is typed', (_, expression, type) => {
  expect(typeOf(expression)).toBe(type);
});

test.each<[string, Expression]>([
  ['brackets', repeat(256, int(1), (right) => binary(int(1), 'add', right))],
  ['NOT', repeat(256, bool(true), not)],
  ['calls', repeat(256, field('text'), (inner) => call('lower', inner))],
  ['conditionals', repeat(256, int(1), (inner) => caseOf([[bool(true), inner]], int(1)))],
])('256 nested %s are typed', (_, expression) => {
  expect(typeOf(expression)).not.toBe(TOO_DEEP);
});

test.each<[string, Expression]>([
  ['brackets', repeat(LENGTH, int(1), (right) => binary(int(1), 'add', right))],
  ['NOT', repeat(LENGTH, bool(true), not)],
  ['calls', repeat(LENGTH, field('text'), (inner) => call('lower', inner))],
])('100,000 nested %s are refused', (_, expression) => {
  expect(typeOf(expression)).toBe(TOO_DEEP);
});

test('long chains pass through comparison and planning of a change', () => {
  const chain = () =>
    change(junction, {
      filter: repeat(LENGTH, bool(true), (left) => binary(left, 'and', bool(true))),
    });
  expect(equalData(chain(), chain())).toBe(true);
  expect(messagesOf(planWith(chain()))).toEqual([]);
  const base = snapshotOf(DOMAIN, [...SAMPLE, chain()]);
  const outcome = planTransaction(base, [
    { kind: 'drop_model', modelKind: 'junction', name: 'split' },
    { kind: 'create_model', ifNotExists: false, model: chain() },
  ]);
  expect(outcome).toMatchObject({
    kind: 'planned',
    steps: [{ decision: { transitions: [], schedule: null } }],
  });
});
