import { integerRange } from '@nervix/model';
import type { ClockType } from './posix-rule.js';
import type { LocalTime, TimeZone } from './time-zone.js';

export const NANOS_PER_SECOND = 1_000_000_000n;
const { min: MIN, max: MAX } = integerRange('I64');

/** Nanoseconds of the units of one length. */
export const UNIT_NANOS: Readonly<Record<string, bigint>> = {
  nanosecond: 1n,
  microsecond: 1_000n,
  millisecond: 1_000_000n,
  second: NANOS_PER_SECOND,
  minute: 60n * NANOS_PER_SECOND,
  hour: 3_600n * NANOS_PER_SECOND,
  day: 86_400n * NANOS_PER_SECOND,
  week: 604_800n * NANOS_PER_SECOND,
};

/** Months of the units that calendars count. */
export const UNIT_MONTHS: Readonly<Record<string, number>> = { month: 1, quarter: 3, year: 12 };

/** Largest whole number of units at or below. */
export function floorDivide(value: bigint, unit: bigint): bigint {
  const quotient = value / unit;
  return value % unit < 0n ? quotient - 1n : quotient;
}

/** Whether an instant is one of DATETIME. */
export function isInRange(instant: bigint): boolean {
  return instant >= MIN && instant <= MAX;
}

/** An instant as a clock of a zone shows it. */
export interface LocalInstant {
  /** Whole seconds since 1970 in UTC. */
  readonly seconds: number;
  /** The same of the local clock. */
  readonly local: number;
  readonly nanos: number;
  readonly clock: ClockType;
}

export function localInstant(instant: bigint, zone: TimeZone): LocalInstant {
  const whole = floorDivide(instant, NANOS_PER_SECOND);
  const seconds = Number(whole);
  const clock = zone.typeAt(seconds);
  const nanos = Number(instant - whole * NANOS_PER_SECOND);
  return { seconds, local: seconds + clock.offset, nanos, clock };
}

/** Nanoseconds since 1970 of seconds and a fraction. */
export function instantOf(seconds: number, nanos: number): bigint {
  return BigInt(seconds) * NANOS_PER_SECOND + BigInt(nanos);
}

/**
 * The instant of a local time: of a repeated one the earlier, of a skipped one as far behind the
 * change as the gap is long.
 */
export function compatibleInstant(local: number, { instants, gap }: LocalTime): number {
  const [first] = instants;
  if (first !== undefined) return first;
  return local - (gap?.before ?? 0);
}
