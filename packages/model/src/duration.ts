import { DIGITS_MAX, FRACTION_DEFECT, quotedUnit, wholeNumber } from './decimal-digits.js';

const NANOS_PER_SECOND = 1_000_000_000n;

const UNIT_NANOS: ReadonlyMap<string, bigint> = new Map(
  (
    [
      [1n, ['nanos', 'nsec', 'ns']],
      [1_000n, ['usec', 'us']],
      [1_000_000n, ['millis', 'msec', 'ms']],
      [NANOS_PER_SECOND, ['seconds', 'second', 'secs', 'sec', 's']],
      [60n * NANOS_PER_SECOND, ['minutes', 'minute', 'mins', 'min', 'm']],
      [3_600n * NANOS_PER_SECOND, ['hours', 'hour', 'hrs', 'hr', 'h']],
      [86_400n * NANOS_PER_SECOND, ['days', 'day', 'd']],
      [604_800n * NANOS_PER_SECOND, ['weeks', 'week', 'wks', 'wk', 'w']],
      [2_630_016n * NANOS_PER_SECOND, ['months', 'month', 'M']],
      [31_557_600n * NANOS_PER_SECOND, ['years', 'year', 'yrs', 'yr', 'y']],
    ] as const
  ).flatMap(([nanos, units]) => units.map((unit) => [unit, nanos] as const)),
);

/** What no duration reaches. */
const NANOS_END = (1n << 64n) * NANOS_PER_SECOND;

/** Outcome of reading a duration or size text. */
export type ReadResult<T> =
  | { readonly kind: 'ok'; readonly value: T }
  | { readonly kind: 'refused'; readonly reason: string };

/**
 * Reads a duration text such as `250ms`, `1h30m` or `1.5s`. Units are case-sensitive; a month is
 * 30.44 days and a year 365.25 days. A fraction has at most 64 digits.
 *
 * @returns nanoseconds, or the reason the text is refused
 */
export function readDuration(text: string): ReadResult<bigint> {
  const span = /([0-9]+)(?:\.([0-9]+))?([A-Za-z]+)/y;
  let nanos = 0n;
  let position = 0;
  while (position < text.length) {
    span.lastIndex = position;
    const match = span.exec(text);
    if (match === null) return { kind: 'refused', reason: 'number expected' };
    const [whole, integer = '', fraction, unitName = ''] = match;
    const unit = UNIT_NANOS.get(unitName);
    if (unit === undefined) {
      return { kind: 'refused', reason: `unknown unit ${quotedUnit(unitName)}` };
    }
    const number = wholeNumber(integer);
    nanos += number === undefined ? NANOS_END : number * unit;
    if (fraction !== undefined) {
      if (fraction.length > DIGITS_MAX) return { kind: 'refused', reason: FRACTION_DEFECT };
      nanos += (BigInt(fraction) * unit) / 10n ** BigInt(fraction.length);
    }
    position += whole.length;
  }
  if (text.length === 0) return { kind: 'refused', reason: 'number expected' };
  if (nanos >= NANOS_END) {
    return { kind: 'refused', reason: 'it is longer than a duration can be' };
  }
  return { kind: 'ok', value: nanos };
}

const CLOCK_UNITS: readonly (readonly [string, bigint])[] = [
  ['d', 86_400n * NANOS_PER_SECOND],
  ['h', 3_600n * NANOS_PER_SECOND],
  ['m', 60n * NANOS_PER_SECOND],
  ['s', NANOS_PER_SECOND],
  ['ms', 1_000_000n],
  ['us', 1_000n],
  ['ns', 1n],
];

/**
 * Prints a clock duration as one integer of its largest exactly dividing unit (`1500ms`, `1m`).
 *
 * @param nanos nanoseconds, not negative
 */
export function printClockDuration(nanos: bigint): string {
  if (nanos === 0n) return '0s';
  for (const [unit, size] of CLOCK_UNITS) {
    if (nanos % size === 0n) return `${nanos / size}${unit}`;
  }
  return `${nanos}ns`;
}
