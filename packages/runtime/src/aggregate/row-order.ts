import { bitAt } from '../column/bitmap.js';
import type { Column } from '../column/column.js';
import type { ArgumentColumn } from './aggregate-input.js';

/** A row of an argument, kept instead of a copy of its value. */
export interface RowReference {
  readonly argument: ArgumentColumn;
  readonly row: number;
}

/** Total order of two present rows of one type: NaN above everything, zeros equal. */
export function compareRows(
  left: ArgumentColumn,
  leftRow: number,
  right: ArgumentColumn,
  rightRow: number,
): number {
  if (left.words !== null && right.words !== null) {
    const isUnsigned = left.column.type === 'U64';
    const leftHigh = left.words[leftRow * 2 + 1] as number;
    const rightHigh = right.words[rightRow * 2 + 1] as number;
    if (leftHigh !== rightHigh) {
      const isBelow = isUnsigned ? leftHigh >>> 0 < rightHigh >>> 0 : leftHigh < rightHigh;
      return isBelow ? -1 : 1;
    }
    const leftLow = (left.words[leftRow * 2] as number) >>> 0;
    return leftLow - ((right.words[rightRow * 2] as number) >>> 0);
  }
  if (left.doubles !== null && right.doubles !== null) {
    return compareDoubles(left.doubles[leftRow] as number, right.doubles[rightRow] as number);
  }
  return compareOther(left.column, leftRow, right.column, rightRow);
}

/** Order of doubles with NaN above everything and zeros equal. */
export function compareDoubles(left: number, right: number): number {
  if (left < right) return -1;
  if (left > right) return 1;
  if (left === right) return 0;
  const isLeftNaN = Number.isNaN(left);
  return isLeftNaN === Number.isNaN(right) ? 0 : isLeftNaN ? 1 : -1;
}

function compareOther(left: Column, leftRow: number, right: Column, rightRow: number): number {
  if (left.kind === 'boolean' && right.kind === 'boolean') {
    return Number(bitAt(left.bits, leftRow)) - Number(bitAt(right.bits, rightRow));
  }
  if (left.kind !== 'binary' || right.kind !== 'binary') return 0;
  let at = left.offsets[leftRow] as number;
  let to = right.offsets[rightRow] as number;
  const end = left.offsets[leftRow + 1] as number;
  const stop = right.offsets[rightRow + 1] as number;
  while (at < end && to < stop) {
    const difference = (left.bytes[at++] as number) - (right.bytes[to++] as number);
    if (difference !== 0) return difference;
  }
  return end - at - (stop - to);
}
