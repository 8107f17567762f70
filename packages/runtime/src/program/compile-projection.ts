import type { ConstructionPlan, SchemaPlan, TypedProgram } from '@nervix/model';
import type { RecordBatch } from '../batch/record-batch.js';
import { runtimeError } from '../errors.js';
import type { UdfCalls } from '../udf/udf-calls.js';
import { compileConstruction } from './compile-construction.js';
import { compilePredicate } from './compile-predicate.js';
import { hostSnapshot } from './host-snapshot.js';
import { checkBatch, checkProgram } from './program-check.js';
import type { ExecutionSnapshot, RowFailure } from './row-set.js';

/** Records made of records, each field by an expression over the `input` row. */
export interface ProjectionInput {
  /** Schema of the records that are read. */
  readonly input: SchemaPlan;
  /** Expressions of the new fields, in their order. */
  readonly fields: Readonly<Record<string, TypedProgram>>;
  /** Condition that a record is read at all; null and FALSE leave it out. */
  readonly where?: TypedProgram;
  /** The functions that expressions call; absent where none does. */
  readonly udfs?: UdfCalls;
}

export interface ProjectionResult {
  /** One record for each row that passed and did not fail. */
  readonly batch: RecordBatch;
  /** For each record the row it was made from. */
  readonly sourceRows: Int32Array;
  /** Why rows have no record, by their position in the batch that was read. */
  readonly failures: readonly RowFailure[];
}

export interface Projection {
  /** Schema of the records that are made. */
  readonly output: SchemaPlan;
  /**
   * Reads a batch of the input schema; the present is the host's unless it is given.
   *
   * @throws RuntimeError RUNTIME_INVALID_ARGUMENT for a batch of another schema
   */
  run(batch: RecordBatch, snapshot?: ExecutionSnapshot): ProjectionResult;
}

/**
 * Compiles typed expressions into columnar code for batches of a schema.
 *
 * @throws RuntimeError RUNTIME_INVALID_PROGRAM for a program of another version, with a defect, with
 *   aggregates, or for records of another schema, and for a condition that is none
 */
export function compileProjection({ input, fields, where, udfs }: ProjectionInput): Projection {
  const schemas = { input };
  const programs = Object.entries(fields);
  const sources = { input, udfs };
  for (const [name, program] of programs) checkProgram(name, program, sources);
  if (where !== undefined) checkProgram('where', where, sources);
  if (where !== undefined && where.expression.type !== 'BOOL') {
    throw runtimeError('RUNTIME_INVALID_PROGRAM', {
      field: 'where',
      problem: 'it is no condition',
    });
  }
  const output: SchemaPlan = {
    name: input.name,
    fields: programs.map(([name, { expression }]) => ({
      name,
      type: expression.type,
      optional: expression.optional,
      sensitive: expression.sensitive,
    })),
  };
  const plan: ConstructionPlan = {
    assignments: programs.map(([field, { expression, reads }], index) => ({
      field,
      operation: 'set',
      index,
      value: expression,
      paths: [...reads, `output.${field}`].sort(),
    })),
    where: null,
  };
  const construction = compileConstruction(plan, schemas, output);
  const predicate =
    where === undefined ? null : compilePredicate(where.expression, schemas, 'source_where');
  return {
    output,
    run(batch, given = hostSnapshot()) {
      checkBatch(batch, input);
      const snapshot = udfs === undefined ? given : { ...given, udfs };
      const rows = { rowCount: batch.rowCount, input: batch };
      if (predicate === null) return construction.run(rows, snapshot);
      const chosen = predicate.select(rows, snapshot);
      const selection = chosen.rows;
      const selected = { ...rows, rowCount: selection.length, selection };
      const made = construction.run(selected, snapshot);
      const rowOf = (row: number): number => chosen.rows[row] ?? row;
      const failures = made.failures.map((failure) => ({ ...failure, row: rowOf(failure.row) }));
      return {
        batch: made.batch,
        // Without failures every selected row has its record.
        sourceRows: made.failures.length === 0 ? selection : made.sourceRows.map(rowOf),
        failures: [...chosen.failures, ...failures].sort((left, right) => left.row - right.row),
      };
    },
  };
}
