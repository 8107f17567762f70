import {
  assert,
  type ConstructionPlan,
  type SchemaPlan,
  type TypedAssignment,
} from '@nervix/model';
import { RecordBatch } from '../batch/record-batch.js';
import type { Column } from '../column/column.js';
import { nullColumn, sliceColumn, takeColumn } from '../column/column-copy.js';
import { type ColumnProgram, compileColumn, compileSelection } from './column-program.js';
import { readPaths } from './expression-paths.js';
import { identityRows } from './identity-rows.js';
import { type OperationContext, RowFailures } from './row-failures.js';
import type { ExecutionSnapshot, ProgramRows, RowFailure, RowSchemas, RowSet } from './row-set.js';

/** Builds output records from rows. */
export interface Construction {
  run(rows: RowSet, snapshot: ExecutionSnapshot): ConstructionResult;
}

export interface ConstructionResult {
  /** The records that were built and passed WHERE. */
  readonly batch: RecordBatch;
  /** For each record the row it was built from. */
  readonly sourceRows: Int32Array;
  readonly failures: readonly RowFailure[];
  /**
   * What had been assigned when a failed row failed: one record of the output's fields, all of them
   * optional.
   */
  readonly partialOutput: (row: number) => RecordBatch;
}

interface Step {
  readonly fieldIndex: number;
  readonly context: OperationContext;
  readonly program: ColumnProgram;
}

/** Compiles a construction for records of the schema `output`. */
export function compileConstruction(
  plan: ConstructionPlan,
  schemas: RowSchemas,
  output: SchemaPlan,
): Construction {
  const all: RowSchemas = { ...schemas, output };
  const steps = plan.assignments.map((assignment) => stepOf(assignment, all, output));
  const where = plan.where === null ? null : compileSelection(plan.where, all);
  const whereContext: OperationContext = {
    operation: 'route_where',
    operationIndex: null,
    paths: plan.where === null ? [] : readPaths(plan.where),
  };
  const partialSchema: SchemaPlan = {
    name: output.name,
    fields: output.fields.map((field) => ({ ...field, optional: true })),
  };
  return {
    run(rows, snapshot) {
      const failures = new RowFailures(rows.rowCount, whereContext);
      const columns: (Column | null)[] = output.fields.map(() => null);
      const assigned: Column[] = [];
      const working: ProgramRows = {
        ...rows,
        output: { schema: output, rowCount: rows.rowCount, columns },
      };
      for (const { fieldIndex, context, program } of steps) {
        failures.enter(context);
        const column = program.run(working, snapshot, failures);
        assigned.push(column);
        columns[fieldIndex] = column;
      }
      finalize(output, columns, rows.rowCount);
      let selected: Int32Array | null = null;
      if (where !== null) {
        failures.enter(whereContext);
        selected = where.run(working, snapshot, failures);
      } else if (failures.count > 0) {
        selected = failures.survivors();
      }
      const kept = keep(columns as readonly Column[], selected, rows.rowCount);
      const list = failures.list();
      return {
        batch: new RecordBatch(output, kept.rows.length, kept.columns),
        sourceRows: kept.rows,
        failures: list,
        partialOutput: (row) => partialRecord(row, { list, steps, assigned, partialSchema }),
      };
    },
  };
}

function stepOf(assignment: TypedAssignment, schemas: RowSchemas, output: SchemaPlan): Step {
  const { operation, index, paths, field } = assignment;
  const fieldIndex = output.fields.findIndex(({ name }) => name === field);
  assert(fieldIndex >= 0, 'assignments name fields of the output');
  return {
    fieldIndex,
    context: { operation, operationIndex: index, paths },
    program: compileColumn(assignment.value, schemas),
  };
}

/** Gives omitted optional fields typed nulls. */
function finalize(output: SchemaPlan, columns: (Column | null)[], rowCount: number): void {
  for (let index = 0; index < columns.length; index += 1) {
    const field = output.fields[index];
    if (columns[index] !== null || field === undefined) continue;
    assert(field.optional || rowCount === 0, 'a construction assigns every required field');
    columns[index] = nullColumn(field.type, rowCount);
  }
}

function keep(
  columns: readonly Column[],
  selected: Int32Array | null,
  rowCount: number,
): { readonly rows: Int32Array; readonly columns: readonly Column[] } {
  if (selected === null || selected.length === rowCount) {
    return { rows: identityRows(rowCount), columns };
  }
  return { rows: selected, columns: columns.map((column) => takeColumn(column, selected)) };
}

interface PartialInputs {
  readonly list: readonly RowFailure[];
  readonly steps: readonly Step[];
  readonly assigned: readonly Column[];
  readonly partialSchema: SchemaPlan;
}

function partialRecord(row: number, inputs: PartialInputs): RecordBatch {
  const { list, steps, assigned, partialSchema } = inputs;
  const failure = list.find((candidate) => candidate.row === row);
  const columns = partialSchema.fields.map((field) => nullColumn(field.type, 1));
  for (let index = 0; index < steps.length; index += 1) {
    const { fieldIndex, context } = steps[index] as Step;
    const isFailed =
      failure?.operation === context.operation && failure.operationIndex === context.operationIndex;
    if (isFailed) break;
    columns[fieldIndex] = sliceColumn(assigned[index] as Column, row, row + 1);
  }
  return new RecordBatch(partialSchema, 1, columns);
}
