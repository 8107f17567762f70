import { columnTypeName, type Expression, isNumericType, type TypedLiteral } from '@nervix/model';
import type { Constant } from '../constant/cast-constant.js';
import { evaluateConstant } from '../constant/evaluate-constant.js';
import type { Checked, CheckResult } from './checked.js';

/** `[NOT] IN (…)`. The elements are evaluated here, once, exactly as a row would evaluate them. */
export function checkIn(
  negated: boolean,
  operand: Checked,
  elements: readonly Expression[],
): CheckResult {
  const { type } = operand.expression;
  const isComparable =
    isNumericType(type) || type === 'BOOL' || type === 'STRING' || type === 'DATETIME';
  if (!isComparable) return `IN is not valid for ${columnTypeName(type)}`;
  const literals: TypedLiteral[] = [];
  for (const [index, element] of elements.entries()) {
    const outcome = evaluateConstant(element);
    if (outcome.kind === 'refused') return `IN set element ${index + 1}: ${outcome.reason}`;
    const { constant } = outcome;
    if (constant.value === null) return `IN set element ${index + 1} is null`;
    if (constant.type !== type) {
      const found = columnTypeName(constant.type);
      return `IN set element ${index + 1} has type ${found}, expected ${columnTypeName(type)}`;
    }
    literals.push(constantLiteral(constant));
  }
  return {
    expression: {
      kind: 'in',
      negated,
      operand: operand.expression,
      elements: literals,
      type: 'BOOL',
      optional: elements.length > 0 && operand.expression.optional,
    },
    isSensitive: operand.isSensitive,
  };
}

/**
 * The literal of a constant. Integers and instants carry decimal text; a float that is not finite
 * carries the text `NaN`, `Infinity` or `-Infinity`, so that plans stay JSON.
 */
function constantLiteral({ type, value }: Constant): TypedLiteral {
  const literal = { kind: 'literal', type, optional: value === null } as const;
  if (typeof value === 'bigint') return { ...literal, value: String(value) };
  const isText = typeof value === 'number' && !Number.isFinite(value);
  return { ...literal, value: isText ? String(value) : value };
}
