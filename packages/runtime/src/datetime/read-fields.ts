import {
  dateOfDays,
  dayOfYear as dayOfYearOf,
  daysInMonth,
  daysOfDate,
  daysOfIsoWeek,
  daysSinceMonday,
  isLeapYear,
  isoWeek as isoWeekOf,
  isoWeeks,
} from './civil-date.js';
import { unreadable } from './parse-fault.js';

/** What a text told, field by field; numbers as they were read. */
export interface DatetimeFields {
  year?: number;
  month?: number;
  day?: number;
  dayOfYear?: number;
  isoYear?: number;
  isoWeek?: number;
  /** 1 is Monday. */
  weekday?: number;
  hour?: number;
  /** An hour of 1 to 12 beside AM or PM. */
  halfDayHour?: number;
  isAfternoon?: boolean;
  minute?: number;
  second?: number;
  nanos?: number;
  /** Seconds east of UTC. */
  offset?: number;
  /** Seconds since 1970. */
  unix?: bigint;
}

function within(value: number | undefined, low: number, high: number, field: string): void {
  if (value !== undefined && (value < low || value > high)) {
    throw unreadable(`${field} is out of range`);
  }
}

/** Seconds since midnight; no time of day is midnight. */
export function secondsOfDay(fields: DatetimeFields): number {
  within(fields.hour, 0, 23, 'hour');
  within(fields.halfDayHour, 1, 12, 'hour');
  within(fields.minute, 0, 59, 'minute');
  within(fields.second, 0, 59, 'second');
  const { hour, halfDayHour, isAfternoon, minute = 0, second = 0 } = fields;
  if (hour !== undefined && isAfternoon !== undefined && hour >= 12 !== isAfternoon) {
    throw unreadable('half of the day is out of range');
  }
  const half = ((halfDayHour ?? 0) % 12) + (isAfternoon === true ? 12 : 0);
  return (hour ?? (halfDayHour === undefined ? 0 : half)) * 3600 + minute * 60 + second;
}

/** Days since 1970 of the date; a weekday that was read must be its own. */
export function dateOf(fields: DatetimeFields): number {
  within(fields.month, 1, 12, 'month');
  within(fields.day, 1, 31, 'day');
  within(fields.dayOfYear, 1, 366, 'day of the year');
  within(fields.isoWeek, 1, 53, 'ISO week');
  within(fields.weekday, 1, 7, 'day of the week');
  const days = daysOfFields(fields);
  if (!agrees(fields, days)) throw unreadable('date does not exist');
  if (fields.weekday !== undefined && daysSinceMonday(days) + 1 !== fields.weekday) {
    throw unreadable('day of the week does not match the date');
  }
  return days;
}

/** Days since 1970 of the fields that decide the date. */
function daysOfFields({
  year,
  month,
  day,
  dayOfYear,
  isoYear,
  isoWeek,
  weekday,
}: DatetimeFields): number {
  if (year !== undefined && month !== undefined && day !== undefined) {
    if (day > daysInMonth(year, month)) throw unreadable('date does not exist');
    return daysOfDate(year, month, day);
  }
  if (year !== undefined && dayOfYear !== undefined) {
    if (dayOfYear > (isLeapYear(year) ? 366 : 365)) throw unreadable('date does not exist');
    return daysOfDate(year, 1, dayOfYear);
  }
  if (isoWeek !== undefined && isoYear !== undefined && isoWeek > isoWeeks(isoYear)) {
    throw unreadable('date does not exist');
  }
  return daysOfIsoWeek(isoYear ?? 0, isoWeek ?? 1) + (weekday ?? 1) - 1;
}

/** Whether a date is what all fields say, those that did not decide it too. */
function agrees(fields: DatetimeFields, days: number): boolean {
  const date = dateOfDays(days);
  const iso = isoWeekOf(days);
  const isSame = (read: number | undefined, own: number): boolean =>
    read === undefined || read === own;
  return (
    isSame(fields.year, date.year) &&
    isSame(fields.month, date.month) &&
    isSame(fields.day, date.day) &&
    isSame(fields.dayOfYear, dayOfYearOf(days)) &&
    isSame(fields.isoYear, iso.year) &&
    isSame(fields.isoWeek, iso.week)
  );
}
