import {
  type DataType,
  TYPED_PROGRAM_VERSION,
  type TypedExpression,
  type TypedProgram,
} from '@nervix/model';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Value } from '../../src/column/column.js';
import { compileProjection } from '../../src/program/compile-projection.js';
import { interpretExpression } from '../../src/program/interpret-expression.js';
import { RowFault } from '../../src/program/row-fault.js';
import type { RowSet } from '../../src/program/row-set.js';
import { propertyRuns } from '../support/property-runs.js';
import { SNAPSHOT } from './expression-fixture.js';
import {
  Dice,
  expression,
  LISTS,
  randomBatch,
  SCALARS,
  SCHEMA,
  schemaReadBy,
} from './random-program.js';

const RUNS = propertyRuns(60);

const program = (made: TypedExpression): TypedProgram => ({
  version: TYPED_PROGRAM_VERSION,
  expression: made,
  aggregates: [],
  reads: [],
});

/** The value of an expression for a row, or its failure. */
function outcome(made: TypedExpression, rows: RowSet, row: number): Value | RowFault {
  try {
    return interpretExpression(made, { rows, row, snapshot: SNAPSHOT });
  } catch (fault) {
    if (fault instanceof RowFault) return fault;
    throw fault;
  }
}

test('a projection makes a record of each row that passes and does not fail (RT-41, RT-45)', () => {
  fc.assert(
    fc.property(
      fc.integer(),
      fc.constantFrom<DataType>(...SCALARS, ...LISTS),
      fc.constantFrom<DataType>(...SCALARS),
      (seed, first, second) => {
        const dice = new Dice(seed);
        const where = dice.chance(0.8) ? expression(dice, 2, 'BOOL') : undefined;
        const fields = [expression(dice, 2, first), expression(dice, 2, second)];
        const input = schemaReadBy(...fields, ...(where === undefined ? [] : [where]));
        const batch = randomBatch(dice, 1 + dice.below(30), input);
        const rows: RowSet = { rowCount: batch.rowCount, input: batch };
        const projection = compileProjection({
          input,
          fields: { a: program(fields[0]!), b: program(fields[1]!) },
          ...(where === undefined ? {} : { where: program(where) }),
        });
        const made = projection.run(batch, SNAPSHOT);

        const records: { row: number; values: Value[] }[] = [];
        const failures: unknown[] = [];
        for (let row = 0; row < batch.rowCount; row += 1) {
          const chosen = where === undefined ? true : outcome(where, rows, row);
          const values = chosen === true ? fields.map((each) => outcome(each, rows, row)) : [];
          const fault = [chosen, ...values].find((each) => each instanceof RowFault);
          if (fault !== undefined) failures.push([row, fault.kind, fault.detail]);
          else if (chosen === true) records.push({ row, values: values as Value[] });
        }
        const found = Array.from(made.sourceRows, (row, index) => ({
          row,
          values: [made.batch.value('a', index), made.batch.value('b', index)],
        }));
        expect(found).toEqual(records);
        expect(made.failures.map(({ row, kind, detail }) => [row, kind, detail])).toEqual(failures);
      },
    ),
    { numRuns: RUNS },
  );
});

const column = {
  kind: 'column',
  row: 'input',
  field: 'i64',
  type: 'I64',
  optional: false,
  sensitive: false,
} as const;

test.each([
  ['of another version', { ...program(column), version: 2 as never }, 'it has version 2, not 1'],
  [
    'that reads aggregates',
    { ...program(column), aggregates: [{} as never] },
    'it reads aggregates',
  ],
  [
    'with a defect',
    program({ ...{ kind: 'unary', operator: 'not', operand: column }, ...column, kind: 'unary' }),
    'unary: takes no I64',
  ],
])('a program %s is refused', (_, made, problem) => {
  const compile = () => compileProjection({ input: SCHEMA, fields: { a: made } });
  expect(compile).toThrow(`program of 'a' cannot be compiled: ${problem}`);
});
