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
