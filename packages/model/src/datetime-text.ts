const NANOS_PER_SECOND = 1_000_000_000;
const SECONDS_PER_DAY = 86_400;
const WORD = 4_294_967_296;
const HALF = 65_536;

/** Days since 1970-01-01 of a proleptic Gregorian date of the year 0 or later. */
function daysOfDate(year: number, month: number, day: number): number {
  // One era of 400 years is added and taken off again, so that all divisions are of positives.
  const shifted = year + (month <= 2 ? 399 : 400);
  const era = (shifted / 400) | 0;
  const yearOfEra = shifted - era * 400;
  const dayOfYear = (((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) | 0) + day - 1;
  const dayOfEra = yearOfEra * 365 + ((yearOfEra / 4) | 0) - ((yearOfEra / 100) | 0) + dayOfYear;
  return (era - 1) * 146_097 + dayOfEra - 719_468;
}

const DAYS_IN_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function daysInMonth(year: number, month: number): number {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return month === 2 && isLeap ? 29 : (DAYS_IN_MONTH[month - 1] as number);
}

/** Below every number of digits that it is added to; not NaN, which would make the sums doubles. */
const NO_DIGITS = -10_000;

/** Number of two ASCII digits, or `NO_DIGITS`. */
function twoDigits(bytes: Uint8Array, at: number): number {
  const tens = (bytes[at] as number) - 48;
  const ones = (bytes[at + 1] as number) - 48;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : NO_DIGITS;
}

/** Seconds east of UTC of `Z` or `±HH:MM` filling the range, or NaN. */
function readOffset(bytes: Uint8Array, start: number, end: number): number {
  const sign = bytes[start];
  if (end - start === 1 && (sign === 0x5a || sign === 0x7a)) return 0;
  if (end - start !== 6 || (sign !== 0x2b && sign !== 0x2d) || bytes[start + 3] !== 0x3a) {
    return Number.NaN;
  }
  const hour = twoDigits(bytes, start + 1);
  const minute = twoDigits(bytes, start + 4);
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59) return Number.NaN;
  const seconds = hour * 3600 + minute * 60;
  return sign === 0x2d ? -seconds : seconds;
}

/** Local seconds since 1970 of the date and time in the first 19 bytes, or NaN. */
function readDateTime(bytes: Uint8Array, at: number): number {
  const separator = bytes[at + 10];
  const isShaped =
    bytes[at + 4] === 0x2d &&
    bytes[at + 7] === 0x2d &&
    (separator === 0x54 || separator === 0x74 || separator === 0x20) &&
    bytes[at + 13] === 0x3a &&
    bytes[at + 16] === 0x3a;
  if (!isShaped) return Number.NaN;
  const year = twoDigits(bytes, at) * 100 + twoDigits(bytes, at + 2);
  const month = twoDigits(bytes, at + 5);
  const day = twoDigits(bytes, at + 8);
  const hour = twoDigits(bytes, at + 11);
  const minute = twoDigits(bytes, at + 14);
  const second = twoDigits(bytes, at + 17);
  if (year < 0 || month < 1 || month > 12 || day < 1) return Number.NaN;
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59) return Number.NaN;
  if (second < 0 || second > 59) return Number.NaN;
  if (day > daysInMonth(year, month)) return Number.NaN;
  return daysOfDate(year, month, day) * SECONDS_PER_DAY + hour * 3600 + minute * 60 + second;
}

/**
 * Reads an RFC 3339 instant with offset filling the range, and writes its nanoseconds as a low and
 * a high word at `words[at]`. Digits after the ninth of a fraction are cut.
 *
 * @returns false when the text is no instant of the range of DATETIME
 */
// biome-ignore lint/complexity/useMaxParams: a parameter object would cost an allocation a row.
export function readDatetimeInto(
  bytes: Uint8Array,
  start: number,
  end: number,
  words: Int32Array,
  at: number,
): boolean {
  if (end - start < 20) return false;
  const local = readDateTime(bytes, start);
  let position = start + 19;
  let nanos = 0;
  if (bytes[position] === 0x2e) {
    const first = position + 1;
    let scale = NANOS_PER_SECOND / 10;
    position = first;
    for (; position < end; position += 1) {
      const digit = (bytes[position] as number) - 48;
      if (!(digit >= 0 && digit <= 9)) break;
      if (scale >= 1) nanos += digit * scale;
      scale = Math.floor(scale / 10);
    }
    if (position === first) return false;
  }
  const seconds = local - readOffset(bytes, position, end);
  return !Number.isNaN(seconds) && storeInstant(seconds, nanos, words, at);
}

/** Writes `seconds * 10^9 + nanos` as two words, exactly; false when it leaves 64 bits. */
function storeInstant(seconds: number, nanos: number, words: Int32Array, at: number): boolean {
  const secondsHigh = Math.floor(seconds / HALF);
  const low = (seconds - secondsHigh * HALF) * NANOS_PER_SECOND + nanos;
  const middle = secondsHigh * NANOS_PER_SECOND;
  const middleHigh = Math.floor(middle / HALF);
  const lowSum = (middle - middleHigh * HALF) * HALF + low;
  const carry = Math.floor(lowSum / WORD);
  const high = middleHigh + carry;
  if (high > 2_147_483_647 || high < -2_147_483_648) return false;
  words[at] = lowSum - carry * WORD;
  words[at + 1] = high;
  return true;
}

const scratch = new BigInt64Array(1);
const scratchWords = new Int32Array(scratch.buffer);

/** Nanoseconds since 1970 of an RFC 3339 text in bytes, or null. */
export function readDatetime(bytes: Uint8Array, start: number, end: number): bigint | null {
  return readDatetimeInto(bytes, start, end, scratchWords, 0) ? (scratch[0] as bigint) : null;
}

function pad(value: number, width: number): string {
  return String(value).padStart(width, '0');
}

function fractionText(nanos: number): string {
  if (nanos === 0) return '';
  if (nanos % 1_000_000 === 0) return `.${pad(nanos / 1_000_000, 3)}`;
  if (nanos % 1_000 === 0) return `.${pad(nanos / 1_000, 6)}`;
  return `.${pad(nanos, 9)}`;
}

/** RFC 3339 text in UTC as `+00:00`; a fraction of 3, 6 or 9 digits when it is not zero. */
export function printDatetime(instant: bigint): string {
  let wholeSeconds = instant / 1_000_000_000n;
  let nanos = Number(instant - wholeSeconds * 1_000_000_000n);
  if (nanos < 0) {
    nanos += NANOS_PER_SECOND;
    wholeSeconds -= 1n;
  }
  const seconds = Number(wholeSeconds);
  const days = Math.floor(seconds / SECONDS_PER_DAY);
  const ofDay = seconds - days * SECONDS_PER_DAY;
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear =
    dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1;
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  const date = `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`;
  const time = `${pad(Math.floor(ofDay / 3600), 2)}:${pad(Math.floor(ofDay / 60) % 60, 2)}`;
  return `${date}T${time}:${pad(ofDay % 60, 2)}${fractionText(nanos)}+00:00`;
}
