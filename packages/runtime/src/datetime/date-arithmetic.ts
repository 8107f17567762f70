import {
  dateOfDays,
  dayOfYear,
  daysInMonth,
  daysOfDate,
  daysSinceMonday,
  isoWeek,
  SECONDS_PER_DAY,
} from './civil-date.js';
import {
  compatibleInstant,
  floorDivide,
  instantOf,
  type LocalInstant,
  localInstant,
  NANOS_PER_SECOND,
  UNIT_MONTHS,
  UNIT_NANOS,
} from './instant.js';
import type { TimeZone } from './time-zone.js';

const MINUTE = 60;
const HOUR = 3600;

function daysOf({ local }: Pick<LocalInstant, 'local'>): number {
  return Math.floor(local / SECONDS_PER_DAY);
}

/** One part of an instant. */
export function datePart(part: string, instant: bigint, zone: TimeZone): number {
  const at = localInstant(instant, zone);
  const days = daysOf(at);
  const ofDay = at.local - days * SECONDS_PER_DAY;
  switch (part) {
    case 'hour':
      return Math.floor(ofDay / HOUR);
    case 'minute':
      return Math.floor(ofDay / MINUTE) % 60;
    case 'second':
      return ofDay % 60;
    case 'millisecond':
      return Math.floor(at.nanos / 1_000_000);
    case 'microsecond':
      return Math.floor(at.nanos / 1_000);
    case 'nanosecond':
      return at.nanos;
    case 'day_of_week':
      return (daysSinceMonday(days) + 1) % 7;
    case 'iso_day_of_week':
      return daysSinceMonday(days) + 1;
    case 'day_of_year':
      return dayOfYear(days);
    case 'iso_year':
      return isoWeek(days).year;
    case 'iso_week':
      return isoWeek(days).week;
    default:
      return calendarPart(part, days);
  }
}

function calendarPart(part: string, days: number): number {
  const { year, month, day } = dateOfDays(days);
  switch (part) {
    case 'year':
      return year;
    case 'quarter':
      return Math.floor((month - 1) / 3) + 1;
    case 'month':
      return month;
    default:
      return day;
  }
}

/** Local seconds at which the unit that holds a local time begins. */
function unitStart(unit: string, local: number): number {
  const days = Math.floor(local / SECONDS_PER_DAY);
  const { year, month } = dateOfDays(days);
  switch (unit) {
    case 'minute':
      return Math.floor(local / MINUTE) * MINUTE;
    case 'hour':
      return Math.floor(local / HOUR) * HOUR;
    case 'day':
      return days * SECONDS_PER_DAY;
    case 'week':
      return (days - daysSinceMonday(days)) * SECONDS_PER_DAY;
    case 'month':
      return daysOfDate(year, month, 1) * SECONDS_PER_DAY;
    case 'quarter':
      return daysOfDate(year, month - ((month - 1) % 3), 1) * SECONDS_PER_DAY;
    default:
      return daysOfDate(year, 1, 1) * SECONDS_PER_DAY;
  }
}

/**
 * The earliest instant from which the clock showed times inside the unit of an instant, without
 * interruption until the instant; it may lie below the range of DATETIME.
 */
export function truncateDate(unit: string, instant: bigint, zone: TimeZone): bigint {
  const nanos = UNIT_NANOS[unit];
  if (nanos !== undefined && nanos <= NANOS_PER_SECOND) return floorDivide(instant, nanos) * nanos;
  const { seconds, local } = localInstant(instant, zone);
  const start = unitStart(unit, local);
  let at = seconds;
  for (;;) {
    const { offset } = zone.typeAt(at);
    const change = zone.transitionBefore(at);
    if (change === undefined || change.time + offset < start) return instantOf(start - offset, 0);
    const before = zone.typeAt(change.time - 1).offset;
    const shown = change.time + before;
    // Just before the change the clock showed the times up to `shown`.
    const isInside = shown > start && unitStart(unit, shown - 1) === start;
    if (!isInside) return instantOf(change.time, 0);
    at = change.time - 1;
  }
}

/** Start of the bin of `width` that holds an instant, counted from an origin. */
export function binDate(width: bigint, instant: bigint, origin: bigint): bigint {
  return origin + floorDivide(instant - origin, width) * width;
}

/** More units of a calendar than DATETIME reaches over. */
const CALENDAR_UNITS_MAX = 1_000_000n;

/** The instant `count` units later; undefined where it is certainly out of range. */
export function addToDate(
  unit: string,
  count: bigint,
  instant: bigint,
  zone: TimeZone,
): bigint | undefined {
  if (count === 0n) return instant;
  const nanos = UNIT_NANOS[unit];
  const isCalendar = unit in UNIT_MONTHS || ((unit === 'day' || unit === 'week') && !zone.isFixed);
  if (nanos !== undefined && !isCalendar) return instant + count * nanos;
  if (count > CALENDAR_UNITS_MAX || count < -CALENDAR_UNITS_MAX) return undefined;
  const at = localInstant(instant, zone);
  const days = daysOf(at);
  const target = addToDays(unit, Number(count), days);
  const local = target * SECONDS_PER_DAY + (at.local - days * SECONDS_PER_DAY);
  return instantOf(compatibleInstant(local, zone.instantsOf(local)), at.nanos);
}

function addToDays(unit: string, count: number, days: number): number {
  const months = UNIT_MONTHS[unit];
  if (months === undefined) return days + count * (unit === 'week' ? 7 : 1);
  const { year, month, day } = dateOfDays(days);
  const total = year * 12 + month - 1 + count * months;
  const targetYear = Math.floor(total / 12);
  const targetMonth = total - targetYear * 12 + 1;
  const last = daysInMonth(targetYear, targetMonth);
  return daysOfDate(targetYear, targetMonth, Math.min(day, last));
}

/** Whole units from one instant to another, toward zero. */
export function dateDifference(unit: string, start: bigint, end: bigint, zone: TimeZone): bigint {
  const nanos = UNIT_NANOS[unit];
  const isCalendar = unit in UNIT_MONTHS || ((unit === 'day' || unit === 'week') && !zone.isFixed);
  if (nanos !== undefined && !isCalendar) return (end - start) / nanos;
  const from = localInstant(start, zone);
  const fromDays = daysOf(from);
  const toDays = alignedDays(from, start, end, zone);
  if (unit === 'day') return BigInt(toDays - fromDays);
  if (unit === 'week') return BigInt(Math.trunc((toDays - fromDays) / 7));
  return BigInt(Math.trunc(monthsBetween(fromDays, toDays) / (UNIT_MONTHS[unit] ?? 1)));
}

/**
 * The end's local date, moved toward the start by the fewest days such that the start's local time
 * of day on it is not past the end.
 */
function alignedDays(from: LocalInstant, start: bigint, end: bigint, zone: TimeZone): number {
  const ofDay = from.local - daysOf(from) * SECONDS_PER_DAY;
  let days = daysOf(localInstant(end, zone));
  const direction = end >= start ? -1 : 1;
  for (;;) {
    const local = days * SECONDS_PER_DAY + ofDay;
    const instant = instantOf(compatibleInstant(local, zone.instantsOf(local)), from.nanos);
    const isPast = direction < 0 ? instant > end : instant < end;
    if (!isPast || days === daysOf(from)) return days;
    days += direction;
  }
}

function monthsBetween(fromDays: number, toDays: number): number {
  const [from, to] = [dateOfDays(fromDays), dateOfDays(toDays)];
  const months = (to.year - from.year) * 12 + to.month - from.month;
  if (months > 0 && to.day < from.day) return months - 1;
  return months < 0 && to.day > from.day ? months + 1 : months;
}
