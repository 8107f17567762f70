import {
  dateOfDays,
  daysInMonth,
  daysOfDate,
  positiveRemainder,
  SECONDS_PER_DAY,
} from './civil-date.js';

/** What a clock of a zone shows. */
export interface ClockType {
  /** Seconds east of UTC. */
  readonly offset: number;
  readonly abbreviation: string;
}

/** A change of the clock: from `time` on, in seconds since 1970, it is of a type. */
export interface Transition {
  readonly time: number;
  readonly type: ClockType;
}

/** What a zone does after its last listed transition. */
export interface ZoneRule {
  readonly standard: ClockType;
  /** Transitions of a year, in order; empty where the clock never changes. */
  readonly transitionsOf: (year: number) => readonly Transition[];
}

const RULE =
  /^(<[^>]+>|[A-Za-z]+)([+-]?[0-9:]+)(?:(<[^>]+>|[A-Za-z]+)([+-]?[0-9:]+)?,([^,]+),([^,]+))?$/;
const DATE = /^(?:M([0-9]+)\.([0-9])\.([0-9])|(J?)([0-9]+))(?:\/([+-]?[0-9:]+))?$/;
const LAST_WEEK = 5;

/** Reads the rule at the end of a TZif file: POSIX.1 TZ, with hours up to 167 (RFC 9636). */
export function readPosixRule(text: string): ZoneRule {
  const match = RULE.exec(text);
  if (match === null) throw new Error(`time zone rule '${text}' cannot be read`);
  const [, name = '', offset = '', summerName, summerOffset, start = '', end = ''] = match;
  const standard = { offset: -seconds(offset), abbreviation: name.replace(/[<>]/g, '') };
  if (summerName === undefined) return { standard, transitionsOf: () => [] };
  const summer = {
    offset: summerOffset === undefined ? standard.offset + 3600 : -seconds(summerOffset),
    abbreviation: summerName.replace(/[<>]/g, ''),
  };
  const [startOf, endOf] = [readDate(start), readDate(end)];
  return {
    standard,
    transitionsOf: (year) =>
      [
        { time: startOf(year) - standard.offset, type: summer },
        { time: endOf(year) - summer.offset, type: standard },
      ].sort((left, right) => left.time - right.time),
  };
}

function seconds(text: string): number {
  const [hours = 0, minutes = 0, rest = 0] = text.replace(/^[+-]/, '').split(':').map(Number);
  const magnitude = hours * 3600 + minutes * 60 + rest;
  return text.startsWith('-') ? -magnitude : magnitude;
}

/** Local seconds since 1970 of a rule's date in a year. */
function readDate(text: string): (year: number) => number {
  const match = DATE.exec(text);
  if (match === null) throw new Error(`time zone date '${text}' cannot be read`);
  const [, month, week, weekday, julian, day, time] = match;
  const ofDay = time === undefined ? 7200 : seconds(time);
  const days = (year: number): number => {
    if (month !== undefined) return weekdayOf(year, Number(month), Number(week), Number(weekday));
    const first = daysOfDate(year, 1, 1);
    if (julian === '') return first + Number(day);
    // A Julian day never counts the 29th of February.
    const { month: from, day: of } = dateOfDays(daysOfDate(2001, 1, 1) + Number(day) - 1);
    return daysOfDate(year, from, of);
  };
  return (year) => days(year) * SECONDS_PER_DAY + ofDay;
}

/** The n-th weekday (0 is Sunday) of a month; the fifth is the last. */
function weekdayOf(year: number, month: number, week: number, weekday: number): number {
  const first = daysOfDate(year, month, 1);
  const firstWeekday = positiveRemainder(first + 4, 7);
  const day = first + positiveRemainder(weekday - firstWeekday, 7) + (week - 1) * 7;
  const isPast = week === LAST_WEEK && day >= first + daysInMonth(year, month);
  return isPast ? day - 7 : day;
}
