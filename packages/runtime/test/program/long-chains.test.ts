import type { SchemaPlan, TypedExpression, TypedProgram } from '@nervix/model';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { compileWindows } from '../../src/aggregate/compile-windows.js';
import { BatchBuilder } from '../../src/batch/batch-builder.js';
import { readValue } from '../../src/column/column.js';
import { compileProjection } from '../../src/program/compile-projection.js';
import { DomainUdfs } from '../../src/udf/domain-udfs.js';
import { programIn } from '../support/programs.js';
import { udfPlan } from '../support/udf-plans.js';

const SCHEMA: SchemaPlan = {
  name: 'probe',
  fields: [
    { name: 'a', type: 'I64', optional: true, sensitive: false },
    { name: 'b', type: 'I64', optional: false, sensitive: false },
  ],
};
const chain = (count: number, term: string, operator: string): string =>
  Array.from({ length: count }, () => term).join(` ${operator} `);
const program = (text: string): TypedProgram => programIn('processor_condition', text, SCHEMA);

function resultsOf(text: string): unknown[] {
  const rows = new BatchBuilder(SCHEMA);
  for (const row of [
    [1n, 1n],
    [null, 2n],
    [0n, 3n],
  ])
    rows.appendRow(row);
  const projection = compileProjection({ input: SCHEMA, fields: { made: program(text) } });
  const { batch, failures, sourceRows } = projection.run(rows.finish());
  const results: unknown[] = failures.map(({ row, kind }) => [row, kind]);
  sourceRows.forEach((row, index) => {
    results.push([row, readValue(batch.columns[0]!, index)]);
  });
  return results.sort((left, right) => (left as number[])[0]! - (right as number[])[0]!);
}

/** Each kind of chain, with a term whose failure ends it in a row. */
const CHAINS = (count: number): [string, string, unknown[]][] => [
  ['or', chain(count, 'a = 1', 'OR'), [true, null, false]],
  ['and', chain(count, 'a = 1', 'AND'), [true, null, false]],
  ['or that ends', `${chain(count, 'a = 1', 'OR')} OR b = 2`, [true, true, false]],
  [
    'or that fails',
    `${chain(count, 'b = 9', 'OR')} OR 1 / a = 1`,
    [true, null, 'division_by_zero'],
  ],
  ['sum', chain(count, 'a', '+'), [BigInt(count), null, 0n]],
  ['difference', chain(count, 'b', '-'), [1, 2, 3].map((b) => BigInt(b * (2 - count)))],
  ['casts', `a${' AS I32 AS I64'.repeat(count / 2)}`, [1n, null, 0n]],
  ['distinctions', `(b = 1)${' IS DISTINCT FROM FALSE'.repeat(count)}`, [true, false, false]],
];

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('long chains', () => {
  test.each([...CHAINS(2000), ...CHAINS(20_000)])(
    '%s are computed (case %#)',
    (_, text, expected) => {
      expect(resultsOf(text)).toEqual(expected.map((value, row) => [row, value]));
    },
  );

  test.each(CHAINS(2000))('%s are computed by the interpreter', (_, text, expected) => {
    vi.stubGlobal('Function', function forbidden() {
      throw new EvalError('code made of text is forbidden');
    });
    expect(resultsOf(text)).toEqual(expected.map((value, row) => [row, value]));
  });
});

test('a chain of 100,000 terms is computed', () => {
  expect(
    resultsOf(chain(100_000, 'a = 1', 'OR')).map((result) => (result as unknown[])[1]),
  ).toEqual([true, null, false]);
});

test('conditionals of 5,000 arms are computed', () => {
  const arms = Array.from({ length: 5000 }, (_, index) => `WHEN b = ${index + 3} THEN ${index}`);
  expect(resultsOf(`CASE ${arms.join(' ')} ELSE -1 END`)).toEqual([
    [0, -1n],
    [1, -1n],
    [2, 0n],
  ]);
});

test('aggregates of windows stand in chains', () => {
  const sum = programIn('window_set', chain(2000, 'SUM(input.b)', '+'), SCHEMA);
  const windows = compileWindows({
    input: SCHEMA,
    keys: {},
    rows: 2,
    fields: { first: sum, second: sum },
  });
  const rows = new BatchBuilder(SCHEMA);
  for (const row of [
    [1n, 1n],
    [null, 2n],
  ])
    rows.appendRow(row);
  const { batch } = windows.run(rows.finish());
  expect([batch.value('first', 0), batch.value('second', 0)]).toEqual([6000n, 6000n]);
});

test('calls of UDFs stand in chains', () => {
  const udfs = new DomainUdfs([udfPlan('const f = (a) => a + 1n;', ['I64'], 'I64')]);
  const one = program('b').expression;
  const facts = { type: 'I64', optional: false, sensitive: false } as const;
  let expression: TypedExpression = {
    ...{ kind: 'udf_call', name: 'f', arguments: [one], volatile: false },
    ...facts,
  };
  for (let index = 0; index < 5000; index += 1) {
    expression = { kind: 'binary', operator: 'add', left: expression, right: one, ...facts };
  }
  const made = { version: 1, expression, aggregates: [], reads: ['input.b'] } as const;
  const rows = new BatchBuilder(SCHEMA);
  rows.appendRow([null, 2n]);
  const projection = compileProjection({ input: SCHEMA, fields: { made }, udfs });
  expect(projection.run(rows.finish()).batch.value('made', 0)).toBe(10_003n);
});
