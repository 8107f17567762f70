import type { Value } from '../column/column.js';
import { compareBytes, compareText } from '../column/text.js';

/** Equality of present scalars of one type: NaN differs from everything, zeros are equal. */
export function equalScalars(left: Value, right: Value): boolean {
  if (left instanceof Uint8Array && right instanceof Uint8Array) {
    return compareBytes(left, right) === 0;
  }
  return left === right;
}

/** IEEE and code point order: NaN is neither below nor above anything. */
export function isBelow(left: Value, right: Value): boolean {
  if (typeof left === 'string' && typeof right === 'string') return compareText(left, right) < 0;
  return (left as number) < (right as number);
}

/** Total order of present scalars of one type: NaN above everything, zeros equal. */
export function compareScalars(left: Value, right: Value): number {
  if (typeof left === 'string' && typeof right === 'string') return compareText(left, right);
  if (left instanceof Uint8Array && right instanceof Uint8Array) return compareBytes(left, right);
  if (left === right) return 0;
  if (Number.isNaN(left)) return Number.isNaN(right) ? 0 : 1;
  if (Number.isNaN(right)) return -1;
  return (left as number) < (right as number) ? -1 : 1;
}
