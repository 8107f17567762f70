import { readByteSize, readDuration } from '@nervix/model';

/** A quantity, or why its text is refused. */
export type Quantity<Value> =
  | { readonly kind: 'ok'; readonly value: Value }
  | { readonly kind: 'unreadable'; readonly reason: string }
  | { readonly kind: 'zero' };

/** Reads a duration above zero, in nanoseconds. */
export function positiveDuration(text: string): Quantity<bigint> {
  const read = readDuration(text);
  if (read.kind === 'refused') return { kind: 'unreadable', reason: read.reason };
  return read.value > 0n ? { kind: 'ok', value: read.value } : { kind: 'zero' };
}

/** Reads a byte size above zero. */
export function positiveByteSize(text: string): Quantity<bigint> {
  const read = readByteSize(text);
  if (read.kind === 'refused') return { kind: 'unreadable', reason: read.reason };
  return read.value > 0n ? { kind: 'ok', value: read.value } : { kind: 'zero' };
}

/** Reads a decimal count from 1 to the largest exact number. */
export function positiveCount(text: string): Quantity<number> {
  if (!/^[0-9]+$/.test(text)) return { kind: 'unreadable', reason: 'an integer is expected' };
  const value = Number(text);
  if (value === 0) return { kind: 'zero' };
  if (Number.isSafeInteger(value)) return { kind: 'ok', value };
  return { kind: 'unreadable', reason: 'it is too large' };
}

/** The reason of a quantity that is not accepted, where one text covers both cases. */
export function quantityDefect(quantity: Exclude<Quantity<unknown>, { kind: 'ok' }>): string {
  return quantity.kind === 'zero' ? 'it must be greater than zero' : quantity.reason;
}
