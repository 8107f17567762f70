import { DIGITS_MAX, FRACTION_DEFECT, quotedUnit, wholeNumber } from './decimal-digits.js';
import type { ReadResult } from './duration.js';

const PREFIXES = ['', 'K', 'M', 'G', 'T', 'P', 'E'] as const;

const UNIT_BYTES: ReadonlyMap<string, bigint> = new Map(
  PREFIXES.flatMap((prefix, power): [string, bigint][] => [
    [`${prefix}B`, 1000n ** BigInt(power)],
    [prefix === '' ? 'B' : `${prefix}IB`, 1024n ** BigInt(power)],
  ]),
);

const TOO_LARGE = 'it is larger than a byte count can be';

/**
 * Reads a byte size such as `64KiB` or `1.5MB`. Suffixes are case-insensitive; SI units are powers
 * of 1000, binary units powers of 1024. The number and its fraction have at most
 * 64 digits each.
 *
 * @returns bytes, rounded down, or the reason the text is refused
 */
export function readByteSize(text: string): ReadResult<bigint> {
  const match = /^([0-9]+)(?:\.([0-9]+))?([A-Za-z]+)$/.exec(text);
  if (match === null) return { kind: 'refused', reason: 'a number followed by a unit is expected' };
  const [, integer = '', fraction, unitName = ''] = match;
  const unit = UNIT_BYTES.get(unitName.toUpperCase());
  if (unit === undefined) {
    return { kind: 'refused', reason: `unknown unit ${quotedUnit(unitName)}` };
  }
  const number = wholeNumber(integer);
  if (number === undefined) return { kind: 'refused', reason: TOO_LARGE };
  let bytes = number * unit;
  if (fraction === undefined) return { kind: 'ok', value: bytes };
  if (fraction.length > DIGITS_MAX) return { kind: 'refused', reason: FRACTION_DEFECT };
  bytes += (BigInt(fraction) * unit) / 10n ** BigInt(fraction.length);
  return { kind: 'ok', value: bytes };
}

const BYTE_COUNT_MAX = (1n << 64n) - 1n;

/**
 * Reads a byte size that is a whole number of bytes of at most 64 bits.
 *
 * @returns bytes or the reason the text is refused
 */
export function readByteCount(text: string): ReadResult<bigint> {
  const size = readByteSize(text);
  if (size.kind === 'refused') return size;
  const [, fraction = '', unitName = ''] = /\.([0-9]+)([A-Za-z]+)$/.exec(text) ?? [];
  const unit = UNIT_BYTES.get(unitName.toUpperCase()) ?? 1n;
  if ((BigInt(fraction) * unit) % 10n ** BigInt(fraction.length) !== 0n) {
    return { kind: 'refused', reason: 'it is not a whole number of bytes' };
  }
  if (size.value > BYTE_COUNT_MAX) {
    return { kind: 'refused', reason: TOO_LARGE };
  }
  return size;
}

const COUNT_UNITS: readonly (readonly [string, bigint])[] = [
  ['TiB', 1024n ** 4n],
  ['GiB', 1024n ** 3n],
  ['MiB', 1024n ** 2n],
  ['KiB', 1024n],
];

/** Prints a byte count in its largest exactly dividing binary unit (`64MiB`, `1500B`). */
export function printByteCount(bytes: bigint): string {
  for (const [unit, size] of COUNT_UNITS) {
    if (bytes !== 0n && bytes % size === 0n) return `${bytes / size}${unit}`;
  }
  return `${bytes}B`;
}
