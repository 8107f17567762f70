const UNITS: readonly (readonly [name: string, millis: number])[] = [
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
  ['ms', 1],
];
const DAY_MS = 86_400_000;

/**
 * A duration measured at run time, in words: `1m 5s`, `250ms`, `2days 3h`; units that are zero are
 * left out, and below a second only milliseconds count.
 *
 * @param millis milliseconds; negative values print as `0s`
 */
export function humanDuration(millis: number): string {
  let rest = Math.max(0, Math.floor(millis));
  if (rest >= 1_000) rest -= rest % 1_000;
  const parts: string[] = [];
  const days = Math.floor(rest / DAY_MS);
  if (days > 0) parts.push(days === 1 ? '1day' : `${days}days`);
  rest -= days * DAY_MS;
  for (const [name, size] of UNITS) {
    const count = Math.floor(rest / size);
    if (count > 0) parts.push(`${count}${name}`);
    rest -= count * size;
  }
  return parts.length === 0 ? '0s' : parts.join(' ');
}
