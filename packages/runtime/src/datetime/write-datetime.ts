import { assert, type FormatPart, readDatetimeFormat } from '@nervix/model';
import {
  type CivilDate,
  dateOfDays,
  dayOfYear,
  daysSinceMonday,
  isoWeek,
  SECONDS_PER_DAY,
} from './civil-date.js';
import { MONTH_NAMES, SHORTHANDS, WEEKDAY_NAMES } from './datetime-names.js';
import { type LocalInstant, localInstant } from './instant.js';
import type { TimeZone } from './time-zone.js';

/** What directives write of: an instant, taken apart. */
interface Moment extends LocalInstant {
  readonly days: number;
  readonly date: CivilDate;
  readonly ofDay: number;
  readonly zone: TimeZone;
}

/** Parts of a format that was checked before, with its shorthands spelled out. */
export function formatParts(format: string): readonly FormatPart[] {
  const outcome = readDatetimeFormat(format);
  assert(outcome.kind === 'ok', 'a typed program has valid formats');
  return outcome.parts.flatMap((part) => {
    const longer = part.kind === 'directive' ? SHORTHANDS[part.directive] : undefined;
    return longer === undefined ? [part] : formatParts(longer);
  });
}

/** Makes the writer of one format and zone. */
export function datetimeWriter(format: string, zone: TimeZone): (instant: bigint) => string {
  const parts = formatParts(format);
  return (instant) => {
    const at = localInstant(instant, zone);
    const days = Math.floor(at.local / SECONDS_PER_DAY);
    const ofDay = at.local - days * SECONDS_PER_DAY;
    const moment: Moment = { ...at, days, ofDay, date: dateOfDays(days), zone };
    let text = '';
    for (const part of parts) {
      text += part.kind === 'literal' ? part.text : write(part.directive, part.isUnpadded, moment);
    }
    return text;
  };
}

function write(directive: string, isUnpadded: boolean, moment: Moment): string {
  const field = numberField(directive, moment);
  if (field !== undefined) {
    const [value, width] = field;
    return isUnpadded ? String(value) : String(value).padStart(width, '0');
  }
  const weekday = WEEKDAY_NAMES[daysSinceMonday(moment.days)] ?? '';
  const month = MONTH_NAMES[moment.date.month - 1] ?? '';
  switch (directive) {
    case 'b':
      return month.slice(0, 3);
    case 'B':
      return month;
    case 'a':
      return weekday.slice(0, 3);
    case 'A':
      return weekday;
    case 'e':
      return String(moment.date.day).padStart(2, ' ');
    case 'p':
      return moment.ofDay < SECONDS_PER_DAY / 2 ? 'AM' : 'PM';
    case 's':
      return String(moment.seconds);
    case 'z':
    case ':z':
    case '::z':
      return offsetText(moment.clock.offset, directive);
    case 'Z':
      return moment.clock.abbreviation;
    case 'Q':
      return moment.zone.name;
    case '%':
      return '%';
    case 'n':
      return '\n';
    case 't':
      return '\t';
    default:
      return fraction(directive, moment.nanos);
  }
}

/** Value and width of a directive that writes a number. */
function numberField(directive: string, moment: Moment): readonly [number, number] | undefined {
  const { date, days, ofDay } = moment;
  const hour = Math.floor(ofDay / 3600);
  switch (directive) {
    case 'Y':
      return [date.year, 4];
    case 'm':
      return [date.month, 2];
    case 'd':
      return [date.day, 2];
    case 'j':
      return [dayOfYear(days), 3];
    case 'u':
      return [daysSinceMonday(days) + 1, 1];
    case 'w':
      return [(daysSinceMonday(days) + 1) % 7, 1];
    case 'G':
      return [isoWeek(days).year, 4];
    case 'V':
      return [isoWeek(days).week, 2];
    case 'H':
      return [hour, 2];
    case 'I':
      return [hour % 12 === 0 ? 12 : hour % 12, 2];
    case 'M':
      return [Math.floor(ofDay / 60) % 60, 2];
    case 'S':
      return [ofDay % 60, 2];
    default:
      return undefined;
  }
}

/** `%f` writes at least one digit, `%.f` nothing for a whole second, `%3f` exactly three. */
function fraction(directive: string, nanos: number): string {
  const digits = String(nanos).padStart(9, '0');
  const width = Number.parseInt(directive, 10);
  if (!Number.isNaN(width)) return digits.slice(0, width);
  const short = digits.replace(/0+$/, '');
  if (directive === '.f') return short === '' ? '' : `.${short}`;
  return short === '' ? '0' : short;
}

function offsetText(offset: number, directive: string): string {
  const magnitude = Math.abs(offset);
  const [hours, minutes, seconds] = [magnitude / 3600, (magnitude / 60) % 60, magnitude % 60].map(
    (value) => String(Math.floor(value)).padStart(2, '0'),
  );
  const separator = directive === 'z' ? '' : ':';
  const hasSeconds = directive === '::z' || magnitude % 60 !== 0;
  const parts = hasSeconds ? [hours, minutes, seconds] : [hours, minutes];
  return `${offset < 0 ? '-' : '+'}${parts.join(separator)}`;
}
