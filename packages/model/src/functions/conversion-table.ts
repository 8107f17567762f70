import {
  type DataType,
  isFloatType,
  isIntegerType,
  isScalarType,
  type ScalarType,
} from '../data-type.js';

/**
 * What a conversion does: `always` succeeds, `may_fail`, `never` succeeds for a value that is not
 * null, or is `refused` when the statement is applied.
 */
export type Conversion = 'always' | 'may_fail' | 'never' | 'refused';

/** What `AS` and `TRY_CAST` do from one type to another. */
export function conversionOf(from: DataType, to: ScalarType): Conversion {
  if (!isScalarType(from)) return 'refused';
  if (from === to) return 'always';
  if (from === 'BYTES' || to === 'BYTES') return 'refused';
  if (to === 'STRING') return 'always';
  if (from === 'STRING') return 'may_fail';
  if (from === 'BOOL') return to === 'DATETIME' ? 'never' : 'always';
  if (to === 'BOOL') return from === 'DATETIME' ? 'never' : 'always';
  if (isFloatType(to)) return 'always';
  if (from === 'DATETIME') return to === 'I64' ? 'always' : 'may_fail';
  if (isFloatType(from)) return 'may_fail';
  if (to === 'DATETIME') return from === 'U64' ? 'may_fail' : 'always';
  return isIntegerType(to) && holds(to, from) ? 'always' : 'may_fail';
}

/** Whether an integer type holds all values of another. */
function holds(to: string, from: string): boolean {
  const bits = (type: string): number => Number(type.slice(1));
  if (to.startsWith('U') && !from.startsWith('U')) return false;
  return to.startsWith(from.charAt(0)) ? bits(to) >= bits(from) : bits(to) > bits(from);
}
