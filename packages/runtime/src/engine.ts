/**
 * The columnar engine alone, for Node and for browsers: batches, columns and compiled expressions,
 * without sources, sinks and graph.
 */
export {
  compileWindows,
  type Windows,
  type WindowsInput,
  type WindowsResult,
} from './aggregate/compile-windows.js';
export { BatchBuilder } from './batch/batch-builder.js';
export { RecordBatch } from './batch/record-batch.js';
export type {
  ArrayColumn,
  BinaryColumn,
  BooleanColumn,
  Column,
  FixedColumn,
  FixedType,
  FixedValues,
  Value,
  VecColumn,
} from './column/column.js';
export { readValue } from './column/column.js';
export type { ColumnBuilder } from './column/column-builder.js';
export { RuntimeError } from './errors.js';
export {
  compileDeduplication,
  type Deduplication,
  type DeduplicationInput,
  type DeduplicationResult,
} from './key/compile-deduplication.js';
export type {
  Projection,
  ProjectionInput,
  ProjectionResult,
} from './program/compile-projection.js';
export { compileProjection } from './program/compile-projection.js';
export type { ExecutionSnapshot, FailureKind, RowFailure } from './program/row-set.js';
export type { UdfCallContext, UdfCalls } from './udf/udf-calls.js';
