import { columnTypeName, equalTypes, type TypedExpression, type UdfCall } from '@nervix/model';
import { anySensitive, type CheckResult } from './checked.js';
import type { ExpressionScope } from './scope.js';

/** `udf::name(…)`: arguments of exactly the declared types. */
export function checkUdfCall(
  node: UdfCall,
  values: readonly TypedExpression[],
  { policy, surroundings }: ExpressionScope,
): CheckResult {
  const definition = surroundings.udf(node.name);
  if (definition === undefined) return `referenced UDF 'udf::${node.name}' does not exist`;
  const { name, arguments: parameters, returns, volatile } = definition;
  if (parameters.length !== values.length) {
    const counts = `${parameters.length} argument(s), found ${values.length}`;
    return `UDF '${name}' expects exactly ${counts}`;
  }
  if (policy.isConstant && volatile) return 'must use deterministic side-effect-free expressions';
  let isNullPossible = false;
  for (const [index, parameter] of parameters.entries()) {
    const value = values[index];
    if (value === undefined) continue;
    if (!equalTypes(value.type, parameter.type)) {
      const wanted = columnTypeName(parameter.type);
      const words = `requires ${wanted}, found ${columnTypeName(value.type)}`;
      return `UDF '${name}' argument ${index + 1} ${words}; cast explicitly`;
    }
    isNullPossible ||= value.optional && !parameter.optional;
  }
  return {
    kind: 'udf_call',
    name,
    volatile,
    arguments: values,
    type: returns.type,
    optional: returns.optional || isNullPossible,
    sensitive: anySensitive(values),
  };
}
