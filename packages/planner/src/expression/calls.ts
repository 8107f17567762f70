import {
  type BuiltinFunction,
  type CallResolution,
  columnTypeName,
  type FunctionCall,
  findFunction,
  parameterWords,
  resolveCall,
  type TypedExpression,
} from '@nervix/model';
import { anySensitive, type CheckResult } from './checked.js';
import { readConstant, zoneDefect } from './constants/constant-argument.js';
import { checkLookup } from './lookups.js';
import { checkList } from './operators.js';
import type { ExpressionScope } from './scope.js';

/** Types a call of a function that is not an aggregate. */
export function checkCall(
  node: FunctionCall,
  values: readonly TypedExpression[],
  scope: ExpressionScope,
): CheckResult {
  const definition = findFunction(node.name);
  if (definition === undefined) return unknownFunction(node.name, values.length);
  const defect = placeDefect(definition, scope);
  if (defect !== undefined) return defect;
  if (definition.place === 'lookup') return checkLookup(node, values, scope);
  const resolution = resolveCall(definition, values);
  if (resolution.kind !== 'ok') return resolutionDefect(definition, resolution, values.length);
  const args = constantArguments(definition, resolution.parameters, values);
  if (typeof args === 'string') return args;
  const [first] = args;
  if (definition.isTransparent && first !== undefined) return { ...first, sensitive: false };
  const { name } = definition;
  if (name === 'array' || name === 'vec') return checkList(args, name);
  const { type, optional, signature } = resolution;
  if (type === null) return unknownFunction(node.name, values.length);
  const { overload } = signature;
  return {
    kind: 'call',
    function: name,
    overload,
    arguments: args,
    type,
    optional,
    sensitive: anySensitive(args),
  };
}

function unknownFunction(written: string, arity: number): string {
  return `unknown function '${written}' with arity ${arity}`;
}

function placeDefect({ name, place, stability }: BuiltinFunction, scope: ExpressionScope) {
  const { policy, headerless } = scope;
  if (place === 'invoke') return `${name} must be a top-level call in an INVOKE clause`;
  if (place === 'header_source' && !policy.headers) {
    return `function '${name}' is only available to ingestors whose connector supports headers`;
  }
  if (place === 'header_source' && headerless !== null) {
    return `${headerless} ingestors do not support read_header or read_headers`;
  }
  if (policy.isConstant && stability !== 'immutable') {
    return 'must use deterministic side-effect-free expressions';
  }
  return place === 'lookup' && !policy.lookups
    ? `function '${name}' is not available in ${policy.context}`
    : undefined;
}

function resolutionDefect(
  { name }: BuiltinFunction,
  resolution: Exclude<CallResolution, { kind: 'ok' }>,
  found: number,
): string {
  switch (resolution.kind) {
    case 'arity':
      return resolution.expected === null
        ? unknownFunction(name, found)
        : `function '${name}' expects exactly ${resolution.expected} argument(s), found ${found}`;
    case 'mismatch': {
      const wanted = parameterWords(resolution.parameter, columnTypeName);
      const words = `${wanted} input, found ${columnTypeName(resolution.found)}`;
      return `function '${name}' requires ${words}`;
    }
    case 'unequal': {
      const types = `${columnTypeName(resolution.first)} and ${columnTypeName(resolution.found)}`;
      return `function '${name}' requires matching argument types, found ${types}`;
    }
  }
}

/** The arguments, those that have to be constant in canonical spelling. */
function constantArguments(
  { name }: BuiltinFunction,
  parameters: Extract<CallResolution, { kind: 'ok' }>['parameters'],
  values: readonly TypedExpression[],
): readonly TypedExpression[] | string {
  const args: TypedExpression[] = [];
  for (const [index, value] of values.entries()) {
    const rule = parameters[index]?.constant ?? null;
    const argument = { functionName: name, position: index + 1, value };
    const read = rule === null ? value : readConstant({ ...argument, rule });
    if (typeof read === 'string') return read;
    args.push(read);
  }
  return (name === 'parse_datetime' ? zoneDefect(args) : undefined) ?? args;
}
