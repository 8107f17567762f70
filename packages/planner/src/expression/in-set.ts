import {
  columnTypeName,
  type Expression,
  isOfClass,
  printFloat,
  type TypedExpression,
  WORD_OPERATORS,
} from '@nervix/model';
import type { Constant } from '../constant/cast-constant.js';
import { evaluateConstant } from '../constant/evaluate-constant.js';
import type { CheckResult } from './checked.js';

/** `[NOT] IN (…)`. The elements are evaluated here, once, exactly as a row would evaluate them. */
export function checkIn(
  negated: boolean,
  operand: TypedExpression,
  elements: readonly Expression[],
): CheckResult {
  const { type } = operand;
  if (!isOfClass(type, WORD_OPERATORS.in.operands)) {
    return `IN is not valid for ${columnTypeName(type)}`;
  }
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
    kind: 'in',
    negated,
    operand,
    elements: constants,
    type: 'BOOL',
    optional: elements.length > 0 && operand.optional,
    sensitive: operand.sensitive,
  };
}

/**
 * A constant as plans carry it: integers and instants as decimal text. A float that is not finite
 * has no literal, so it stays the conversion of its text.
 */
function constantExpression({ type, value }: Constant): TypedExpression {
  const plain = { optional: false, sensitive: false } as const;
  if (typeof value === 'number' && !Number.isFinite(value)) {
    const text = printFloat(value, false);
    const operand = { kind: 'literal', type: 'STRING', value: text, ...plain } as const;
    return { kind: 'cast', isTry: false, operand, target: type, type, ...plain };
  }
  const literal = typeof value === 'bigint' ? String(value) : value;
  return { kind: 'literal', type, ...plain, optional: value === null, value: literal };
}
