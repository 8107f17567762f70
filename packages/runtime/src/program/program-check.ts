import {
  equalTypes,
  type SchemaPlan,
  TYPED_PROGRAM_VERSION,
  type TypedAggregate,
  type TypedExpression,
  type TypedProgram,
  typedAggregateDefect,
  typedExpressionDefect,
  typedNodes,
} from '@nervix/model';
import { refuseArgument } from '../argument-checks.js';
import type { RecordBatch } from '../batch/record-batch.js';
import { runtimeError } from '../errors.js';
import type { UdfCalls } from '../udf/udf-calls.js';

/** What programs that run outside a graph may read. */
export interface ProgramSources {
  readonly input: SchemaPlan;
  readonly udfs?: UdfCalls | undefined;
}

/**
 * Checks that a program can run over records of a schema.
 *
 * @throws RuntimeError RUNTIME_INVALID_PROGRAM for a program of another version, with a defect, for
 *   records of another schema, and with aggregates where there are none
 */
export function checkProgram(
  field: string,
  { version, expression, aggregates }: TypedProgram,
  sources: ProgramSources,
  reading: 'rows' | 'aggregates' = 'rows',
): void {
  const problem =
    version !== TYPED_PROGRAM_VERSION
      ? `it has version ${version}, not ${TYPED_PROGRAM_VERSION}`
      : reading === 'rows'
        ? aggregates.length > 0
          ? 'it reads aggregates'
          : (typedExpressionDefect(expression) ?? inputDefect(expression, sources))
        : windowDefect(expression, aggregates, sources);
  if (problem !== undefined) throw runtimeError('RUNTIME_INVALID_PROGRAM', { field, problem });
}

/**
 * Checks that a batch has the fields that programs were compiled for, in their places.
 *
 * @throws RuntimeError RUNTIME_INVALID_ARGUMENT for a batch of another schema, and
 *   RUNTIME_BATCH_RECYCLED for one that was given back
 */
export function checkBatch({ schema, columns }: RecordBatch, { name, fields }: SchemaPlan): void {
  if (schema.fields === fields) return;
  if (columns.length !== fields.length)
    refuseArgument('batch', `is of another schema than '${name}'`);
  for (const [index, expected] of fields.entries()) {
    const given = schema.fields[index];
    const isSame =
      given?.name === expected.name &&
      equalTypes(given.type, expected.type) &&
      (expected.optional || !given.optional);
    if (isSame) continue;
    refuseArgument('batch', `is of another schema than '${name}' in field '${expected.name}'`);
  }
}

/** What an expression reads that its sources do not have. */
function inputDefect(
  root: TypedExpression,
  { input: { fields }, udfs }: ProgramSources,
): string | undefined {
  for (const node of typedNodes(root)) {
    if (node.kind === 'state' || node.kind === 'lookup') {
      return `it reads more than its input: ${node.kind}`;
    }
    if (node.kind === 'udf_call' && udfs?.has(node.name) !== true) {
      return `it calls a UDF that is not given: ${node.name}`;
    }
    if (node.kind !== 'column') continue;
    const named = node.row === 'input' ? fields.find(({ name }) => name === node.field) : undefined;
    const isSame = named?.optional === node.optional && equalTypes(named.type, node.type);
    if (!isSame) return `its input has no such field as ${node.row}.${node.field}`;
  }
  return undefined;
}

/** What an expression over the aggregates of rows reads that those do not have. */
function windowDefect(
  root: TypedExpression,
  aggregates: readonly TypedAggregate[],
  sources: ProgramSources,
): string | undefined {
  for (const node of typedNodes(root)) {
    if (node.kind === 'column') return 'it reads rows beside its aggregates';
    if (node.kind === 'aggregate' && aggregates[node.index] === undefined) {
      return 'it reads an aggregate that it does not have';
    }
  }
  const read = aggregates.flatMap((aggregate) => aggregate.arguments);
  const defects = [
    typedExpressionDefect(root),
    ...aggregates.map(typedAggregateDefect),
    ...read.map((argument) => inputDefect(argument, sources)),
  ];
  return defects.find((defect) => defect !== undefined);
}
