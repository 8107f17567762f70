import { assert, type SchemaPlan, type TypedProgram } from '@nervix/model';
import type { RecordBatch } from '../batch/record-batch.js';
import type { Column } from '../column/column.js';
import { runtimeError } from '../errors.js';
import { compileExpressions } from '../program/compile-expressions.js';
import { hostSnapshot } from '../program/host-snapshot.js';
import { checkBatch, checkProgram } from '../program/program-check.js';
import type { ExecutionSnapshot, RowFailure } from '../program/row-set.js';
import { KeyHistory } from './key-history.js';

/** Which records of a stream are repetitions. */
export interface DeduplicationInput {
  /** Schema of the records. */
  readonly input: SchemaPlan;
  /** Expressions whose values together are a record's key; nulls are equal to each other. */
  readonly keys: readonly TypedProgram[];
  /** DATETIME of a record, never null. Records should come in its order. */
  readonly time: TypedProgram;
  /** Nanoseconds in which a key that was let through makes others repetitions. */
  readonly withinNanos: bigint;
}

export interface DeduplicationResult {
  /** The records that are no repetitions, in order. */
  readonly batch: RecordBatch;
  /** For each of them its row in the batch that was read. */
  readonly sourceRows: Int32Array;
  /** Why other rows have no key or time. */
  readonly failures: readonly RowFailure[];
}

/** Deduplication with the keys that it has seen. */
export interface Deduplication {
  /** Keys that are remembered at present. */
  readonly size: number;
  /** @throws RuntimeError RUNTIME_INVALID_ARGUMENT for a batch of another schema */
  run(batch: RecordBatch, snapshot?: ExecutionSnapshot): DeduplicationResult;
}

/**
 * Compiles the deduplication of a stream of batches by the time in the records.
 *
 * @throws RuntimeError RUNTIME_INVALID_PROGRAM as `compileProjection` does, for a time that is none
 *   or may be null, and for a duration below zero
 */
export function compileDeduplication(options: DeduplicationInput): Deduplication {
  const { input, keys, time, withinNanos } = options;
  for (const [index, key] of keys.entries()) checkProgram(`keys ${index}`, key, { input });
  checkProgram('time', time, { input });
  const { type, optional } = time.expression;
  if (type !== 'DATETIME' || optional) {
    throw runtimeError('RUNTIME_INVALID_PROGRAM', { field: 'time', problem: 'it is no instant' });
  }
  if (typeof withinNanos !== 'bigint' || withinNanos < 0n) {
    const problem = 'it is no bigint of nanoseconds from 0 on';
    throw runtimeError('RUNTIME_INVALID_PROGRAM', { field: 'withinNanos', problem });
  }
  const parts = [time, ...keys].map(({ expression }) => expression);
  const expressions = compileExpressions(parts, { input }, 'deduplicate');
  const history = new KeyHistory(parts.slice(1), withinNanos);
  return {
    get size() {
      return history.size;
    },
    run(batch, snapshot = hostSnapshot()) {
      checkBatch(batch, input);
      const rows = { rowCount: batch.rowCount, input: batch };
      const { columns, failures } = expressions.evaluate(rows, snapshot);
      const [instants, ...values] = columns;
      const failed = new Set(failures.map(({ row }) => row));
      const isSkipped = failed.size === 0 ? null : (row: number): boolean => failed.has(row);
      const sourceRows = history.admit(values, instantsOf(instants), isSkipped);
      return { batch: batch.take(sourceRows), sourceRows, failures };
    },
  };
}

function instantsOf(column: Column | undefined): BigInt64Array {
  const values = column?.kind === 'fixed' ? column.values : null;
  assert(values instanceof BigInt64Array, 'instants are 64-bit integers');
  return values;
}
