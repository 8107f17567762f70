import type { SchemaPlan, TypedExpression } from '@nervix/model';
import { describe, expect, test } from 'vitest';
import { BatchBuilder } from '../../src/batch/batch-builder.js';
import { readValue, type Value } from '../../src/column/column.js';
import { compileCallStages } from '../../src/program/call-stages.js';
import {
  compileColumn,
  compileSelection,
  interpretedColumn,
} from '../../src/program/column-program.js';
import { RowFailures } from '../../src/program/row-failures.js';
import { invalidArgument, type RowFault } from '../../src/program/row-fault.js';
import type { ExecutionSnapshot, ProgramRows } from '../../src/program/row-set.js';
import type { UdfCalls } from '../../src/udf/udf-calls.js';
import { SNAPSHOT } from './expression-fixture.js';

const SCHEMA: SchemaPlan = {
  name: 'rows',
  fields: [
    { name: 'x', type: 'I32', optional: false, sensitive: false },
    { name: 'maybe', type: 'I32', optional: true, sensitive: false },
  ],
};
const plain = { optional: false, sensitive: false } as const;
const x: TypedExpression = { kind: 'column', row: 'input', field: 'x', type: 'I32', ...plain };
const maybe: TypedExpression = { ...x, field: 'maybe', optional: true };
const int = (value: number): TypedExpression => ({
  ...{ kind: 'literal', type: 'I32', value: String(value) },
  ...plain,
});
const binary = (
  operator: 'add' | 'div' | 'lt' | 'eq',
  left: TypedExpression,
  right: TypedExpression,
): TypedExpression => {
  const type = operator === 'add' || operator === 'div' ? 'I32' : 'BOOL';
  const optional = left.optional || right.optional;
  return { kind: 'binary', operator, left, right, type, optional, sensitive: false };
};
const udf = (name: string, ...args: TypedExpression[]): TypedExpression => ({
  ...{ kind: 'udf_call', name, volatile: name === 'count', arguments: args, type: 'I32' },
  ...{ optional: true, sensitive: false },
});
const cases = (
  arms: readonly (readonly [when: TypedExpression, then: TypedExpression])[],
  otherwise: TypedExpression | null,
  operand: TypedExpression | null = null,
): TypedExpression => ({
  ...{ kind: 'case', operand, otherwise, arms: arms.map(([when, then]) => ({ when, then })) },
  ...{ type: 'I32', optional: true, sensitive: false },
});

/** Functions that remember what they were called with. */
class RecordedUdfs implements UdfCalls {
  readonly calls: [name: string, columns: readonly (readonly Value[])[]][] = [];
  #count = 0;

  has(): boolean {
    return true;
  }

  requiredArguments(name: string): readonly number[] {
    return name === 'lenient' ? [] : [0];
  }

  call(name: string, columns: readonly (readonly Value[])[], rowCount: number) {
    this.calls.push([name, columns]);
    if (name === 'broken') throw new Error('the batch fails');
    return Array.from({ length: rowCount }, (_, row): Value | RowFault => {
      const first = columns[0]?.[row] as number;
      if (name === 'count') {
        this.#count += 1;
        return this.#count;
      }
      if (name === 'lenient') return first ?? -1;
      if (name === 'picky' && first % 2 === 0) return invalidArgument('even');
      return first * 10;
    });
  }
}

type Row = readonly [x: number, maybe: number | null];

interface Outcome {
  readonly values: readonly (Value | string)[];
  readonly calls: RecordedUdfs['calls'];
}

/** Each row's value or failure, by generated code and by the interpreter, which must agree. */
function outcomeOf(expression: TypedExpression, rows: readonly Row[], failed: number[] = []) {
  const builder = new BatchBuilder(SCHEMA);
  for (const row of rows) builder.appendRow(row);
  const given: ProgramRows = { rowCount: rows.length, input: builder.finish() };
  const [compiled, interpreted] = [compileColumn, interpretedWithStages].map((compile): Outcome => {
    const udfs = new RecordedUdfs();
    const failures = new RowFailures(rows.length, {
      operation: 'set',
      operationIndex: null,
      paths: [],
    });
    for (const row of failed) failures.failed[row] = 1;
    const program = compile(expression, { input: SCHEMA });
    const column = program.run(given, { ...SNAPSHOT, udfs }, failures);
    const failures_ = failures.count === 0 ? [] : failures.list();
    const texts = new Map(failures_.map(({ row, kind, detail }) => [row, `${kind}: ${detail}`]));
    const values = rows.map((_, row) => texts.get(row) ?? readValue(column, row));
    return { values, calls: udfs.calls };
  });
  expect(compiled).toEqual(interpreted);
  return compiled as Outcome;
}

function interpretedWithStages(
  expression: TypedExpression,
  schemas: Parameters<typeof compileColumn>[1],
) {
  const stages = compileCallStages(expression, schemas, (part, sources) =>
    interpretedColumn(part, sources.stages),
  );
  return {
    run(rows: ProgramRows, snapshot: ExecutionSnapshot, failures: RowFailures) {
      const staged = stages?.run(rows, snapshot, failures);
      const ready = staged === undefined ? rows : { ...rows, staged };
      return interpretedColumn(expression, stages?.sources.stages).run(ready, snapshot, failures);
    },
  };
}

const ROWS: readonly Row[] = [
  [1, 5],
  [2, null],
  [3, 7],
  [0, 8],
];

describe('calls of UDFs over a batch (TYPE 8)', () => {
  test('one call takes all rows, inside of other operations', () => {
    const { values, calls } = outcomeOf(binary('add', udf('f', x), int(1)), ROWS);
    expect(values).toEqual([11, 21, 31, 1]);
    expect(calls).toEqual([['f', [[1, 2, 3, 0]]]]);
  });

  test('rows without a required argument have no result and are not run', () => {
    const { values, calls } = outcomeOf(udf('f', maybe), ROWS);
    expect(values).toEqual([50, null, 70, 80]);
    expect(calls).toEqual([['f', [[5, 7, 8]]]]);
  });

  test('an optional argument is run with its null', () => {
    expect(outcomeOf(udf('lenient', maybe), ROWS).values).toEqual([5, -1, 7, 8]);
  });

  test('a row that failed before, or in an argument, is not run', () => {
    const argument = binary('div', int(6), x);
    const { values, calls } = outcomeOf(udf('f', argument), ROWS, [0]);
    expect(values.slice(1)).toEqual([30, 20, 'division_by_zero: integer division by zero']);
    expect(calls).toEqual([['f', [[3, 2]]]]);
  });

  test('a row that fails keeps the others, and the first failure in order is told', () => {
    const late = binary('add', binary('div', int(6), x), udf('picky', x));
    expect(outcomeOf(late, ROWS).values).toEqual([
      16,
      'invalid_argument: even',
      32,
      'division_by_zero: integer division by zero',
    ]);
    const early = binary('add', udf('picky', x), binary('div', int(6), x));
    expect(outcomeOf(early, ROWS).values.at(-1)).toBe('invalid_argument: even');
  });

  test('AND and OR take both operands, whose failures count', () => {
    const logic = (operator: 'and' | 'or'): TypedExpression => ({
      ...{ kind: 'binary', operator, type: 'BOOL', optional: false, sensitive: false },
      left: binary('lt', x, int(operator === 'and' ? 0 : 9)),
      right: binary('eq', { ...udf('picky', x), optional: false }, int(10)),
    });
    const even = 'invalid_argument: even';
    expect(outcomeOf(logic('or'), ROWS).values).toEqual([true, even, true, even]);
    expect(outcomeOf(logic('and'), ROWS).values).toEqual([false, even, false, even]);
  });

  test('calls nest, and equal ones are made once', () => {
    const { values, calls } = outcomeOf(binary('add', udf('f', udf('f', x)), udf('f', x)), ROWS);
    expect(values).toEqual([110, 220, 330, 0]);
    expect(calls).toEqual([
      ['f', [[1, 2, 3, 0]]],
      ['f', [[10, 20, 30, 0]]],
    ]);
  });

  test('volatile calls are made at each occurrence', () => {
    expect(outcomeOf(binary('add', udf('count', x), udf('count', x)), ROWS).values).toEqual([
      6, 8, 10, 12,
    ]);
  });

  test('no rows make a call of none', () => {
    expect(outcomeOf(udf('f', x), [])).toEqual({ values: [], calls: [['f', [[]]]] });
  });

  test('what fails all rows fails the batch', () => {
    expect(() => outcomeOf(udf('broken', x), ROWS)).toThrow('the batch fails');
  });
});

describe('calls of UDFs in conditionals (TYPE 3.1, TYPE 8)', () => {
  test('only rows that select an arm come to its call', () => {
    const expression = cases([[binary('lt', x, int(2)), udf('f', x)]], udf('picky', x));
    const { values, calls } = outcomeOf(expression, ROWS);
    expect(values).toEqual([10, 'invalid_argument: even', 30, 0]);
    expect(calls).toEqual([
      ['f', [[1, 0]]],
      ['picky', [[2, 3]]],
    ]);
  });

  test('calls in conditions are made for the rows that reach them', () => {
    const expression = cases(
      [
        [binary('eq', x, int(1)), int(100)],
        [binary('eq', udf('f', x), int(20)), udf('f', maybe)],
      ],
      null,
    );
    const { values, calls } = outcomeOf(expression, ROWS);
    expect(values).toEqual([100, null, null, null]);
    expect(calls).toEqual([
      ['f', [[2, 3, 0]]],
      ['f', [[]]],
    ]);
  });

  test('a condition that fails takes its row out, and its failure is told', () => {
    const failing = binary('lt', binary('div', int(6), x), int(4));
    const { values, calls } = outcomeOf(cases([[failing, udf('f', x)]], udf('f', maybe)), ROWS);
    expect(values).toEqual([50, 20, 30, 'division_by_zero: integer division by zero']);
    expect(calls).toEqual([
      ['f', [[2, 3]]],
      ['f', [[5]]],
    ]);
  });

  test('the operand of a simple CASE is computed once, a volatile one too', () => {
    const expression = cases(
      [
        [int(1), udf('f', x)],
        [int(2), udf('picky', x)],
      ],
      int(0),
      udf('count', x),
    );
    const { values, calls } = outcomeOf(expression, ROWS);
    expect(values).toEqual([10, 'invalid_argument: even', 0, 0]);
    expect(calls.map(([name]) => name)).toEqual(['count', 'f', 'picky']);
  });

  test('a selection runs them as well', () => {
    const builder = new BatchBuilder(SCHEMA);
    for (const row of ROWS) builder.appendRow(row);
    const program = compileSelection(binary('lt', udf('f', x), int(20)), { input: SCHEMA });
    const failures = new RowFailures(4, { operation: 'set', operationIndex: null, paths: [] });
    const rows = { rowCount: 4, input: builder.finish() };
    const selected = program.run(rows, { ...SNAPSHOT, udfs: new RecordedUdfs() }, failures);
    expect([...selected]).toEqual([0, 3]);
  });
});
