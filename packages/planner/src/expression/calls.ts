import {
  columnTypeName,
  type DataType,
  equalTypes,
  type FunctionCall,
  isFloatType,
  isIntegerType,
  isNumericType,
  isScalarType,
} from '@nervix/model';
import { isAggregateOnly } from './aggregates.js';
import { anyOptional, anySensitive, type Checked, type CheckResult } from './checked.js';
import type { BuiltinFunction, ParameterRule, TypeClass } from './functions/builtin-function.js';
import { findBuiltin } from './functions/builtin-functions.js';
import { UNSUPPORTED_FUNCTIONS } from './functions/unsupported-functions.js';
import { isOrderable } from './operators.js';
import type { ScopePolicy } from './scope-policy.js';

/** Types a call of a function that is not an aggregate. */
export function checkCall(
  node: FunctionCall,
  values: readonly Checked[],
  policy: ScopePolicy,
): CheckResult {
  const definition = findBuiltin(node.name);
  if (definition === undefined) return unknownFunction(node.name, values.length);
  if (definition.readsHeaders && !policy.headers) {
    return (
      `function '${definition.name}' is only available to ingestors ` +
      'whose connector supports headers'
    );
  }
  const rules = rulesOf(definition, values.length);
  if (typeof rules === 'string') return rules;
  const common = commonType(definition, rules, values);
  if (typeof common === 'string') return common;
  const [first] = values;
  if (definition.isTransparent && first !== undefined) return { ...first, isSensitive: false };
  const type = definition.result === 'T' ? common.type : definition.result;
  if (type === null) return unknownFunction(node.name, values.length);
  return {
    expression: {
      kind: 'call',
      function: definition.name,
      arguments: values.map((value) => value.expression),
      type,
      optional: isOptional(definition, values),
    },
    isSensitive: anySensitive(values),
  };
}

function unknownFunction(written: string, arity: number): string {
  const name = written.toLowerCase();
  if (name === 'write_header') return 'write_header must be a top-level call in an INVOKE clause';
  if (UNSUPPORTED_FUNCTIONS.has(name) && !isAggregateOnly(name)) {
    return `function '${name}' is not supported by this release`;
  }
  return `unknown function '${written}' with arity ${arity}`;
}

/** One rule per argument, or the reason that many arguments are refused. */
function rulesOf(
  { name, parameters, optionalParameters, rest }: BuiltinFunction,
  found: number,
): readonly ParameterRule[] | string {
  const isFixed = rest === null && optionalParameters.length === 0;
  const maximum = parameters.length + optionalParameters.length;
  if (isFixed && found !== parameters.length) {
    if (name === 'round' && found === 2) {
      return "function 'round' with 2 arguments is not supported by this release";
    }
    return `function '${name}' expects exactly ${parameters.length} argument(s), found ${found}`;
  }
  if (found < parameters.length || (rest === null && found > maximum)) {
    return `unknown function '${name}' with arity ${found}`;
  }
  const rules = [...parameters, ...optionalParameters].slice(0, found);
  while (rest !== null && rules.length < found) rules.push(rest);
  return rules;
}

/** The type the `same` arguments share (null without any), or the reason arguments are refused. */
function commonType(
  { name }: BuiltinFunction,
  rules: readonly ParameterRule[],
  values: readonly Checked[],
): { readonly type: DataType | null } | string {
  let common: DataType | null = null;
  for (const [index, rule] of rules.entries()) {
    const found = values[index]?.expression.type;
    if (found === undefined) continue;
    const required = requirementDefect(rule, found);
    if (required !== undefined) {
      return `function '${name}' requires ${required} input, found ${columnTypeName(found)}`;
    }
    if (rule.kind !== 'same') continue;
    common ??= found;
    if (!equalTypes(common, found)) {
      const types = `${columnTypeName(common)} and ${columnTypeName(found)}`;
      return `function '${name}' requires matching argument types, found ${types}`;
    }
  }
  return { type: common };
}

/** What the parameter wants, when the argument is something else. */
function requirementDefect(rule: ParameterRule, found: DataType): string | undefined {
  switch (rule.kind) {
    case 'exact':
      return found === rule.type ? undefined : columnTypeName(rule.type);
    case 'integer':
      return isIntegerType(found) ? undefined : 'integer';
    case 'same':
      return isOfClass(found, rule.class) ? undefined : CLASS_WORDS[rule.class];
  }
}

const CLASS_WORDS: Readonly<Record<TypeClass, string>> = {
  any: 'any',
  scalar: 'scalar',
  orderable: 'numeric, Utf8 or Timestamp',
  numeric: 'numeric',
  float: 'floating-point',
};

function isOfClass(type: DataType, typeClass: TypeClass): boolean {
  switch (typeClass) {
    case 'any':
      return true;
    case 'scalar':
      return isScalarType(type);
    case 'orderable':
      return isOrderable(type);
    case 'numeric':
      return isNumericType(type);
    case 'float':
      return isFloatType(type);
  }
}

function isOptional({ nullability }: BuiltinFunction, values: readonly Checked[]): boolean {
  switch (nullability) {
    case 'strict':
      return anyOptional(values);
    case 'never':
      return false;
    case 'always':
      return true;
    case 'all_arguments':
      return values.every((value) => value.expression.optional);
  }
}
