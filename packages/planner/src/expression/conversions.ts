import {
  columnTypeName,
  conversionOf,
  type DataType,
  isScalarType,
  type ScalarType,
  type TypedExpression,
} from '@nervix/model';
import type { CheckResult } from './checked.js';

/**
 * Why a conversion is refused when it is declared, or undefined. Conversions that merely fail for
 * some or all values (`TRUE AS DATETIME`) are not refused.
 */
export function conversionDefect(from: DataType, to: ScalarType): string | undefined {
  if (conversionOf(from, to) !== 'refused') return undefined;
  return isScalarType(from)
    ? 'BYTES conversions require bytes_from_utf8, bytes_to_utf8, base64 or hex functions'
    : `unsupported cast from ${columnTypeName(from)} to ${columnTypeName(to)}`;
}

/** `e AS T` and `TRY_CAST(e AS T)`; the latter may always be null. */
export function checkCast(
  isTry: boolean,
  operand: TypedExpression,
  target: ScalarType,
): CheckResult {
  const defect = conversionDefect(operand.type, target);
  if (defect !== undefined) return defect;
  const { sensitive } = operand;
  const optional = isTry || operand.optional;
  return { kind: 'cast', isTry, operand, target, type: target, optional, sensitive };
}
