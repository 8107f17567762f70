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
import {
  compileFusedColumns,
  type FusedColumns,
  type FusedPart,
  fusibleCount,
} from './fused-columns.js';
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

/** One assignment, or several whose columns one loop makes. */
interface Step {
  readonly assigned: readonly AssignedField[];
  readonly program: FusedColumns;
}

interface AssignedField {
  readonly fieldIndex: number;
  readonly context: OperationContext;
}

/** Compiles a construction for records of the schema `output`. */
export function compileConstruction(
  plan: ConstructionPlan,
  schemas: RowSchemas,
  output: SchemaPlan,
): Construction {
  const all: RowSchemas = { ...schemas, output };
  const steps = stepsOf(plan.assignments, all, output);
  const fields = steps.flatMap((step) => step.assigned);
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
      for (const step of steps) {
        const made = step.program.run(working, snapshot, failures);
        step.assigned.forEach(({ fieldIndex }, index) => {
          const column = made[index] as Column;
          assigned.push(column);
          columns[fieldIndex] = column;
        });
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
        partialOutput: (row) => partialRecord(row, { list, fields, assigned, partialSchema }),
      };
    },
  };
}

function stepsOf(
  assignments: readonly TypedAssignment[],
  schemas: RowSchemas,
  output: SchemaPlan,
): readonly Step[] {
  const parts = assignments.map(({ value, operation, index, paths, field }) => {
    const fieldIndex = output.fields.findIndex(({ name }) => name === field);
    assert(fieldIndex >= 0, 'assignments name fields of the output');
    return { expression: value, fieldIndex, context: { operation, operationIndex: index, paths } };
  });
  const steps: Step[] = [];
  for (let at = 0; at < parts.length; ) {
    const fused = parts.slice(at, at + fusibleCount(parts.slice(at)));
    const program = fused.length === 0 ? undefined : compileFusedColumns(fused, schemas);
    const assigned = program === undefined ? parts.slice(at, at + 1) : fused;
    steps.push({ assigned, program: program ?? alone(assigned, schemas) });
    at += assigned.length;
  }
  return steps;
}

/** Expressions that have their loops to themselves. */
function alone(parts: readonly FusedPart[], schemas: RowSchemas): FusedColumns {
  const programs = parts.map(({ expression }) => compileColumn(expression, schemas));
  return {
    run: (rows, snapshot, failures) =>
      parts.map(({ context }, index) => {
        failures.enter(context);
        return (programs[index] as ColumnProgram).run(rows, snapshot, failures);
      }),
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
  readonly fields: readonly AssignedField[];
  readonly assigned: readonly Column[];
  readonly partialSchema: SchemaPlan;
}

function partialRecord(row: number, inputs: PartialInputs): RecordBatch {
  const { list, fields, assigned, partialSchema } = inputs;
  const failure = list.find((candidate) => candidate.row === row);
  const columns = partialSchema.fields.map((field) => nullColumn(field.type, 1));
  for (let index = 0; index < fields.length; index += 1) {
    const { fieldIndex, context } = fields[index] as AssignedField;
    const isFailed =
      failure?.operation === context.operation && failure.operationIndex === context.operationIndex;
    if (isFailed) break;
    columns[fieldIndex] = sliceColumn(assigned[index] as Column, row, row + 1);
  }
  return new RecordBatch(partialSchema, 1, columns);
}
