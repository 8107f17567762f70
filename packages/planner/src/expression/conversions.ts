import { columnTypeName, type DataType, isScalarType, type ScalarType } from '@nervix/model';
import type { Checked, CheckResult } from './checked.js';

/**
 * Why a conversion is refused when it is declared, or undefined. Conversions that merely fail for
 * some or all values (`TRUE AS DATETIME`) are not refused.
 */
export function conversionDefect(from: DataType, to: ScalarType): string | undefined {
  if (!isScalarType(from)) {
    return `unsupported cast from ${columnTypeName(from)} to ${columnTypeName(to)}`;
  }
  if ((from === 'BYTES') === (to === 'BYTES')) return undefined;
  return 'BYTES conversions require bytes_from_utf8, bytes_to_utf8, base64 or hex functions';
}

/** `e AS T` and `TRY_CAST(e AS T)`; the latter may always be null. */
export function checkCast(isTry: boolean, operand: Checked, target: ScalarType): CheckResult {
  const defect = conversionDefect(operand.expression.type, target);
  if (defect !== undefined) return defect;
  return {
    expression: {
      kind: 'cast',
      isTry,
      operand: operand.expression,
      target,
      type: target,
      optional: isTry || operand.expression.optional,
    },
    isSensitive: operand.isSensitive,
  };
}
