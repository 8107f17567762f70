import type { SchemaPlan, TypedAssignment, TypedExpression } from '@nervix/model';
import { describe, expect, test } from 'vitest';
import { BatchBuilder } from '../../src/batch/batch-builder.js';
import type { RecordBatch } from '../../src/batch/record-batch.js';
import { compileConstruction } from '../../src/program/compile-construction.js';
import { SNAPSHOT } from './expression-fixture.js';

const INPUT: SchemaPlan = {
  name: 'in',
  fields: [
    { name: 'id', type: 'I64', optional: false, sensitive: false },
    { name: 'name', type: 'STRING', optional: true, sensitive: false },
  ],
};
const OUTPUT: SchemaPlan = {
  name: 'out',
  fields: [
    { name: 'id', type: 'I64', optional: false, sensitive: false },
    { name: 'name', type: 'STRING', optional: true, sensitive: false },
    { name: 'share', type: 'I64', optional: false, sensitive: false },
    { name: 'note', type: 'STRING', optional: true, sensitive: false },
  ],
};

function read(
  row: 'input' | 'output' | 'branch',
  field: string,
  type: 'I64' | 'STRING',
  optional = false,
): TypedExpression {
  return { kind: 'column', row, field, type, optional, sensitive: false };
}

function integer(value: number): TypedExpression {
  return { kind: 'literal', value: String(value), type: 'I64', optional: false, sensitive: false };
}

function over(
  operator: 'div' | 'add' | 'gt',
  left: TypedExpression,
  right: TypedExpression,
): TypedExpression {
  return {
    kind: 'binary',
    operator,
    left,
    right,
    type: operator === 'gt' ? 'BOOL' : 'I64',
    optional: false,
    sensitive: false,
  };
}

function assign(index: number, field: string, value: TypedExpression): TypedAssignment {
  return {
    field,
    operation: index < 2 ? 'inherit' : 'set',
    index,
    value,
    paths: [`output.${field}`],
  };
}

function input(...ids: bigint[]): RecordBatch {
  const builder = new BatchBuilder(INPUT);
  for (const id of ids) builder.appendRow([id, id % 2n === 0n ? null : `n${id}`]);
  return builder.finish();
}

const INHERIT = [
  assign(0, 'id', read('input', 'id', 'I64')),
  assign(1, 'name', read('input', 'name', 'STRING', true)),
];
const SHARE = assign(2, 'share', over('div', integer(100), read('output', 'id', 'I64')));

describe('route construction (RT-41, RT-43, RT-45)', () => {
  test('inherited columns are the input columns themselves while every row stays (RT-6)', () => {
    const construction = compileConstruction(
      { assignments: [...INHERIT, SHARE], where: null },
      { input: INPUT },
      OUTPUT,
    );
    const rows = input(1n, 2n);
    const { batch, sourceRows, failures } = construction.run(
      { rowCount: 2, input: rows },
      SNAPSHOT,
    );
    expect(failures).toEqual([]);
    expect([...sourceRows]).toEqual([0, 1]);
    expect(batch.columns[0]).toBe(rows.columns[0]);
    expect(batch.columns[1]).toBe(rows.columns[1]);
    expect([batch.value('share', 1), batch.value('note', 1)]).toEqual([50n, null]);
  });

  test('a failing row ends there, with what had been assigned; the others go on', () => {
    const later = assign(3, 'share', over('div', integer(1), integer(0)));
    const never = assign(4, 'note', read('input', 'name', 'STRING', true));
    const construction = compileConstruction(
      { assignments: [...INHERIT, SHARE], where: null },
      { input: INPUT },
      OUTPUT,
    );
    const result = construction.run({ rowCount: 3, input: input(1n, 0n, 5n) }, SNAPSHOT);
    expect([...result.sourceRows]).toEqual([0, 2]);
    expect(result.failures).toEqual([
      {
        row: 1,
        operation: 'set',
        operationIndex: 2,
        kind: 'division_by_zero',
        detail: 'integer division by zero',
        paths: ['output.share'],
      },
    ]);
    const partial = result.partialOutput(1);
    expect(OUTPUT.fields.map(({ name }) => partial.value(name, 0))).toEqual([0n, null, null, null]);

    const twice = compileConstruction(
      { assignments: [...INHERIT, SHARE, later, never], where: null },
      { input: INPUT },
      OUTPUT,
    );
    const both = twice.run({ rowCount: 2, input: input(5n, 0n) }, SNAPSHOT);
    expect(both.batch.rowCount).toBe(0);
    expect(both.failures.map(({ row, operationIndex }) => [row, operationIndex])).toEqual([
      [0, 3],
      [1, 2],
    ]);
    expect(both.partialOutput(0).value('share', 0)).toBe(20n);
    expect(both.partialOutput(0).value('note', 0)).toBeNull();
  });

  test('numbers that share a loop fail one after the other all the same (RT-41)', () => {
    const output = {
      name: 'out',
      fields: ['a', 'b', 'c'].map((name) => ({ ...OUTPUT.fields[0]!, name })),
    };
    const id = read('input', 'id', 'I64');
    const less = (by: number) => over('add', id, integer(-by));
    const assignments = [
      assign(2, 'a', over('div', integer(12), less(1))),
      assign(3, 'b', over('div', integer(12), less(2))),
      assign(4, 'c', over('div', integer(12), less(3))),
    ];
    const construction = compileConstruction(
      { assignments, where: null },
      { input: INPUT },
      output,
    );
    const wide = 2n ** 53n + 2n;
    const batch = input(1n, 2n, 3n, 5n, wide);
    const rows = { rowCount: 5, input: batch };
    const result = construction.run(rows, SNAPSHOT);
    expect(result.failures.map(({ row, operationIndex }) => [row, operationIndex])).toEqual([
      [0, 2],
      [1, 3],
      [2, 4],
    ]);
    expect([...result.sourceRows]).toEqual([3, 4]);
    const values = (record: RecordBatch, row = 0) =>
      ['a', 'b', 'c'].map((name) => record.value(name, row));
    expect(values(result.batch)).toEqual([3n, 4n, 6n]);
    expect(values(result.batch, 1)).toEqual([0n, 0n, 0n]);
    expect(values(result.partialOutput(0))).toEqual([null, null, null]);
    expect(values(result.partialOutput(1))).toEqual([12n, null, null]);
    expect(values(result.partialOutput(2))).toEqual([6n, 12n, null]);
  });

  test('x = y, y = x gives both fields the old y; input reads stay original (RT-41)', () => {
    const assignments = [
      assign(2, 'id', read('input', 'id', 'I64')),
      assign(3, 'share', over('add', read('input', 'id', 'I64'), integer(1))),
      assign(4, 'id', read('output', 'share', 'I64')),
      assign(5, 'share', read('output', 'id', 'I64')),
    ];
    const { batch } = compileConstruction(
      { assignments, where: null },
      { input: INPUT },
      OUTPUT,
    ).run({ rowCount: 1, input: input(5n) }, SNAPSHOT);
    expect([batch.value('id', 0), batch.value('share', 0)]).toEqual([6n, 6n]);
  });

  test('WHERE sees the finished record; SET failures count even for rows it would drop', () => {
    const where = over('gt', read('output', 'share', 'I64'), integer(20));
    const construction = compileConstruction(
      { assignments: [...INHERIT, SHARE], where },
      { input: INPUT },
      OUTPUT,
    );
    const result = construction.run({ rowCount: 4, input: input(1n, 0n, 50n, 3n) }, SNAPSHOT);
    expect([...result.sourceRows]).toEqual([0, 3]);
    expect(result.batch.value('name', 1)).toBe('n3');
    expect(result.failures.map(({ row }) => row)).toEqual([1]);
  });

  test('a failing WHERE is a route_where failure with the whole record behind it', () => {
    const where = over('gt', over('div', integer(1), read('output', 'id', 'I64')), integer(0));
    const assignments = [...INHERIT, assign(2, 'share', integer(7))];
    const result = compileConstruction({ assignments, where }, { input: INPUT }, OUTPUT).run(
      { rowCount: 1, input: input(0n) },
      SNAPSHOT,
    );
    expect(result.failures).toMatchObject([
      { operation: 'route_where', operationIndex: null, paths: ['output.id'] },
    ]);
    expect(result.partialOutput(0).value('share', 0)).toBe(7n);
  });

  test('one branch row stands for all rows', () => {
    const assignments = [...INHERIT, assign(2, 'share', read('branch', 'id', 'I64'))];
    const schemas = { input: INPUT, branch: INPUT };
    const { batch } = compileConstruction({ assignments, where: null }, schemas, OUTPUT).run(
      { rowCount: 3, input: input(1n, 2n, 3n), branch: input(9n) },
      SNAPSHOT,
    );
    expect([0, 1, 2].map((row) => batch.value('share', row))).toEqual([9n, 9n, 9n]);
  });
});
