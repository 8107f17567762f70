import type { ReadResult } from './duration.js';

const PREFIXES = ['', 'K', 'M', 'G', 'T', 'P', 'E'] as const;

const UNIT_BYTES: ReadonlyMap<string, bigint> = new Map(
  PREFIXES.flatMap((prefix, power): [string, bigint][] => [
    [`${prefix}B`, 1000n ** BigInt(power)],
    [prefix === '' ? 'B' : `${prefix}IB`, 1024n ** BigInt(power)],
  ]),
);

/**
 * Reads a byte size such as `64KiB` or `1.5MB`. Suffixes are case-insensitive; SI units are powers
 * of 1000, binary units powers of 1024.
 *
 * @returns bytes, rounded down, or the reason the text is refused
 */
export function readByteSize(text: string): ReadResult<bigint> {
  const match = /^([0-9]+)(?:\.([0-9]+))?([A-Za-z]+)$/.exec(text);
  if (match === null) return { kind: 'refused', reason: 'a number followed by a unit is expected' };
  const [, integer = '', fraction, unitName = ''] = match;
  const unit = UNIT_BYTES.get(unitName.toUpperCase());
  if (unit === undefined) return { kind: 'refused', reason: `unknown unit '${unitName}'` };
  let bytes = BigInt(integer) * unit;
  if (fraction !== undefined) bytes += (BigInt(fraction) * unit) / 10n ** BigInt(fraction.length);
  return { kind: 'ok', value: bytes };
}
