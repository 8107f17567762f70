/** A date of the proleptic Gregorian calendar. */
export interface CivilDate {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  /** 1 to 31. */
  readonly day: number;
}

export const SECONDS_PER_DAY = 86_400;
const DAYS_IN_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const DAYS_PER_ERA = 146_097;
/** Days from the start of the era of the year 0, which is taken in March, to 1970. */
const ERA_SHIFT = 719_468;

export function isLeapYear(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
}

export function daysInMonth(year: number, month: number): number {
  return month === 2 && isLeapYear(year) ? 29 : (DAYS_IN_MONTH[month - 1] ?? 0);
}

/** Days since 1970-01-01; a day or month beyond its range counts on. */
export function daysOfDate(year: number, month: number, day: number): number {
  const months = year * 12 + month - 1;
  const normalYear = Math.floor(months / 12);
  const normalMonth = months - normalYear * 12 + 1;
  const shifted = normalMonth <= 2 ? normalYear - 1 : normalYear;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const monthFromMarch = normalMonth + (normalMonth > 2 ? -3 : 9);
  const dayOfYear = Math.floor((153 * monthFromMarch + 2) / 5) + day - 1;
  const leaps = Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100);
  return era * DAYS_PER_ERA + yearOfEra * 365 + leaps + dayOfYear - ERA_SHIFT;
}

/** Date of a count of days since 1970-01-01. */
export function dateOfDays(days: number): CivilDate {
  const shifted = days + ERA_SHIFT;
  const era = Math.floor(shifted / DAYS_PER_ERA);
  const dayOfEra = shifted - era * DAYS_PER_ERA;
  const leapDays =
    Math.floor(dayOfEra / 1460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096);
  const yearOfEra = Math.floor((dayOfEra - leapDays) / 365);
  const yearStart = 365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100);
  const dayOfYear = dayOfEra - yearStart;
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1;
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
  return { year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day };
}

/** Days since Monday: 0 to 6. */
export function daysSinceMonday(days: number): number {
  return positiveRemainder(days + 3, 7);
}

export function positiveRemainder(value: number, divisor: number): number {
  return value - Math.floor(value / divisor) * divisor;
}

/** Day of the year from 1. */
export function dayOfYear(days: number): number {
  return days - daysOfDate(dateOfDays(days).year, 1, 1) + 1;
}

/** Year and week of ISO 8601: the week belongs to the year that has its Thursday. */
export function isoWeek(days: number): { readonly year: number; readonly week: number } {
  const thursday = days - daysSinceMonday(days) + 3;
  const { year } = dateOfDays(thursday);
  return { year, week: Math.floor((thursday - daysOfDate(year, 1, 1)) / 7) + 1 };
}

/** Weeks of a year of ISO 8601: 52 or 53. */
export function isoWeeks(year: number): number {
  return isoWeek(daysOfDate(year, 12, 28)).week;
}

/** Monday of a week of ISO 8601. */
export function daysOfIsoWeek(year: number, week: number): number {
  const fourth = daysOfDate(year, 1, 4);
  return fourth - daysSinceMonday(fourth) + (week - 1) * 7;
}
