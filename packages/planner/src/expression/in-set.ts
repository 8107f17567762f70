import {
  columnTypeName,
  type Expression,
  isNumericType,
  printFloat,
  type TypedExpression,
} from '@nervix/model';
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
  const constants: TypedExpression[] = [];
  for (const [index, element] of elements.entries()) {
    const outcome = evaluateConstant(element);
    if (outcome.kind === 'refused') return `IN set element ${index + 1}: ${outcome.reason}`;
    const { constant } = outcome;
    if (constant.value === null) return `IN set element ${index + 1} is null`;
    if (constant.type !== type) {
      const found = columnTypeName(constant.type);
      return `IN set element ${index + 1} has type ${found}, expected ${columnTypeName(type)}`;
    }
    constants.push(constantExpression(constant));
  }
  return {
    expression: {
      kind: 'in',
      negated,
      operand: operand.expression,
      elements: constants,
      type: 'BOOL',
      optional: elements.length > 0 && operand.expression.optional,
    },
    isSensitive: operand.isSensitive,
  };
}

/**
 * A constant as plans carry it: integers and instants as decimal text. A float that is not finite
 * has no literal, so it stays the conversion of its text.
 */
function constantExpression({ type, value }: Constant): TypedExpression {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    const text = printFloat(value, false);
    const operand = { kind: 'literal', type: 'STRING', optional: false, value: text } as const;
    const target = type;
    return { kind: 'cast', isTry: false, operand, target, type, optional: false };
  }
  const literal = { kind: 'literal', type, optional: value === null } as const;
  return { ...literal, value: typeof value === 'bigint' ? String(value) : value };
}
