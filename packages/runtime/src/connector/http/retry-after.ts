const DIGITS = /^[0-9]+$/;
const IMF_FIXDATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;
const RFC_850 = /^[A-Z][a-z]+day, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/;
const ASCTIME = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/;

/** A two-digit year that appears to lie further ahead belongs to the past. */
const FUTURE_YEARS_MAX = 50;

/**
 * Delay that a Retry-After header asks for.
 *
 * @param values every value of the header
 * @param utcMs present UTC
 * @returns milliseconds, or null unless there is exactly one valid value
 */
export function retryAfterMs(values: readonly string[], utcMs: number): number | null {
  const [value] = values;
  if (value === undefined || values.length > 1) return null;
  if (DIGITS.test(value)) return Number(value) * 1000;
  const instantMs = readHttpDate(value, utcMs);
  return instantMs === null ? null : Math.max(0, instantMs - utcMs);
}

function readHttpDate(value: string, utcMs: number): number | null {
  const text = ASCTIME.test(value) ? `${value} GMT` : value;
  if (text === value && !IMF_FIXDATE.test(value) && !RFC_850.test(value)) return null;
  const instantMs = Date.parse(text);
  if (Number.isNaN(instantMs)) return null;
  if (!RFC_850.test(value)) return instantMs;
  const date = new Date(instantMs);
  if (date.getUTCFullYear() > new Date(utcMs).getUTCFullYear() + FUTURE_YEARS_MAX) {
    date.setUTCFullYear(date.getUTCFullYear() - 100);
  }
  return date.getTime();
}
