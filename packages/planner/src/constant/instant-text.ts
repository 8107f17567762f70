const NANOS_PER_SECOND = 1_000_000_000n;
const SECONDS_PER_DAY = 86_400n;
const INSTANT_MIN = -(1n << 63n);
const INSTANT_MAX = (1n << 63n) - 1n;

/** True when a count of nanoseconds since 1970 is an instant that DATETIME can hold. */
export function isInstant(nanos: bigint): boolean {
  return nanos >= INSTANT_MIN && nanos <= INSTANT_MAX;
}

const RFC_3339 =
  /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;

/**
 * Reads an RFC 3339 instant with an offset; digits after the ninth of the fraction are cut.
 *
 * @returns nanoseconds since 1970, or undefined when the text is no instant DATETIME can hold
 */
export function readInstant(text: string): bigint | undefined {
  const match = RFC_3339.exec(text);
  if (match === null) return undefined;
  const number = (index: number) => Number(match[index] ?? '0');
  const [year, month, day] = [number(1), number(2), number(3)];
  const [hour, minute, second] = [number(4), number(5), number(6)];
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return undefined;
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const [offsetHour, offsetMinute] = [number(9), number(10)];
  if (offsetHour > 23 || offsetMinute > 59) return undefined;
  const offset = (offsetHour * 60 + offsetMinute) * (match[8] === '-' ? -60 : 60);
  const secondOfDay = hour * 3_600 + minute * 60 + second - offset;
  const seconds = BigInt(daysFromCivil(year, month, day)) * SECONDS_PER_DAY + BigInt(secondOfDay);
  const fraction = BigInt((match[7] ?? '').slice(0, 9).padEnd(9, '0'));
  const nanos = seconds * NANOS_PER_SECOND + fraction;
  return isInstant(nanos) ? nanos : undefined;
}

/** Prints an instant in UTC with a fraction of 3, 6 or 9 digits, or none for a whole second. */
export function printInstant(nanos: bigint): string {
  const seconds = floorDivide(nanos, NANOS_PER_SECOND);
  const days = floorDivide(seconds, SECONDS_PER_DAY);
  const secondOfDay = Number(seconds - days * SECONDS_PER_DAY);
  const { year, month, day } = civilFromDays(Number(days));
  const pad = (value: number, width = 2) => String(value).padStart(width, '0');
  const date = `${pad(year, 4)}-${pad(month)}-${pad(day)}`;
  const minutes = Math.floor(secondOfDay / 60);
  const time = `${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}:${pad(secondOfDay % 60)}`;
  return `${date}T${time}${printFraction(nanos - seconds * NANOS_PER_SECOND)}+00:00`;
}

function printFraction(nanos: bigint): string {
  if (nanos === 0n) return '';
  const digits = String(nanos).padStart(9, '0');
  if (digits.endsWith('000000')) return `.${digits.slice(0, 3)}`;
  return digits.endsWith('000') ? `.${digits.slice(0, 6)}` : `.${digits}`;
}

function floorDivide(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  return dividend % divisor < 0n ? quotient - 1n : quotient;
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Days since 1970-01-01 in the proleptic Gregorian calendar; years are counted from March. */
function daysFromCivil(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  const dayOfEra =
    yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

/** Inverse of {@link daysFromCivil}. */
function civilFromDays(days: number): { year: number; month: number; day: number } {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1_460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear =
    dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1;
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  return { year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day };
}
