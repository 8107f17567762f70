import {
  type ArgumentType,
  type BuiltinFunction,
  type CallResolution,
  columnTypeName,
  containsBytes,
  type DataType,
  type FunctionCall,
  findAggregate,
  type Parameter,
  parameterWords,
  resolveCall,
  type TypedAggregate,
  type TypedExpression,
  type TypedLiteral,
} from '@nervix/model';
import { anySensitive, type CheckResult } from './checked.js';
import { readAggregateConstants } from './constants/aggregate-constants.js';

/** True for a name that a window route reads as an aggregate. */
export function isAggregate(name: string): boolean {
  return findAggregate(name) !== undefined || name.toUpperCase() === 'PERCENTILE';
}

/** Types the call of an aggregate. */
export function checkAggregate(
  node: FunctionCall,
  values: readonly TypedExpression[],
): CheckResult<TypedAggregate> {
  const definition = findAggregate(node.name);
  if (definition === undefined) {
    return 'PERCENTILE is not supported; use PERCENTILE_LINEAR_HISTOGRAM';
  }
  // A list or BYTES inside is refused with the place of the argument, by the window itself.
  const types = values.map(
    ({ type, optional }): ArgumentType => ({ type: type === 'BYTES' ? ORDERED : type, optional }),
  );
  const resolution = resolveCall(definition, types);
  if (resolution.kind !== 'ok') return resolutionDefect(definition, resolution, values.length);
  const split = resolution.parameters.filter(({ constant }) => constant === null).length;
  const args = values.slice(0, split);
  const constants = readAggregateConstants(
    definition.name,
    resolution.parameters.slice(split),
    values.slice(split),
  );
  if (typeof constants === 'string') return constants;
  return aggregate(definition, resolution, args, constants);
}

/** Stands for BYTES while arguments are typed. */
const ORDERED: DataType = 'STRING';

function aggregate(
  { name }: BuiltinFunction,
  { signature, type, optional }: Extract<CallResolution, { kind: 'ok' }>,
  args: readonly TypedExpression[],
  constants: readonly TypedLiteral[],
): CheckResult<TypedAggregate> {
  const first = args[0]?.type;
  const result = signature.result.kind === 'same' ? (first ?? type) : type;
  if (result === null) return `${name} has no value`;
  return {
    function: name,
    arguments: args,
    constants,
    type: result,
    optional,
    sensitive: anySensitive(args),
  };
}

function resolutionDefect(
  { name, signatures }: BuiltinFunction,
  resolution: Exclude<CallResolution, { kind: 'ok' }>,
  found: number,
): string {
  switch (resolution.kind) {
    case 'arity': {
      const expected = resolution.expected ?? signatures[0]?.parameters.length ?? 0;
      return `${name} expects ${expected} argument(s), found ${found}`;
    }
    case 'mismatch': {
      const wanted = wordsOf(resolution.parameter);
      return `${name} requires ${wanted} input, found ${columnTypeName(resolution.found)}`;
    }
    case 'unequal': {
      const types = `${columnTypeName(resolution.first)} and ${columnTypeName(resolution.found)}`;
      return `${name} requires matching argument types, found ${types}`;
    }
  }
}

function wordsOf(parameter: Parameter): string {
  return parameterWords(parameter, columnTypeName);
}

/** Index of the first argument that a window may not retain, or -1. */
export function bytesArgument(aggregate: TypedAggregate): number {
  return aggregate.arguments.findIndex(({ type }) => containsBytes(type));
}
