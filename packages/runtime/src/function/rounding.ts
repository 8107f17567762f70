import {
  type DataType,
  exactFraction,
  integerRange,
  isIntegerType,
  readSingle,
} from '@nervix/model';
import { invalidArgument, overflow } from '../program/row-fault.js';

/** Decimals beyond which every double is its own rounding, and above which none is left. */
const DECIMALS_MAX = 1100;
const TENS_MAX = 400;

function finite(value: number, name: string): number {
  if (!Number.isFinite(value)) throw invalidArgument(`${name} produced a non-finite result`);
  return value;
}

/** Rounds halves away from zero, keeping the sign of a zero. */
export function roundHalfAway(value: number): number {
  const whole = Math.trunc(value);
  return Math.abs(value - whole) >= 0.5 ? whole + Math.sign(value) : whole;
}

/** `abs ceil floor round trunc sign` of a float. */
export function roundFloat(name: string, value: number): number {
  switch (name) {
    case 'abs':
      if (!Number.isFinite(value)) {
        throw invalidArgument('floating-point absolute value produced a non-finite result');
      }
      return Math.abs(value);
    case 'ceil':
      return finite(Math.ceil(value), name);
    case 'floor':
      return finite(Math.floor(value), name);
    case 'round':
      return finite(roundHalfAway(value), name);
    case 'trunc':
      return finite(Math.trunc(value), name);
    default:
      return finite(Math.sign(value), name);
  }
}

/** `abs` and `sign` of an integer; the other rounding functions leave it unchanged. */
export function roundInteger(name: string, value: bigint, type: DataType): bigint {
  if (name === 'sign') return value > 0n ? 1n : value < 0n ? -1n : 0n;
  if (name !== 'abs' || value >= 0n) return value;
  if (isIntegerType(type) && -value > integerRange(type).max) {
    throw overflow('integer absolute value overflowed');
  }
  return -value;
}

/** Rounds a float to `decimals` places, half away from zero on its exact stored value. */
export function roundFloatTo(value: number, decimals: number, isSingle: boolean): number {
  if (!Number.isFinite(value)) throw invalidArgument('round produced a non-finite result');
  if (decimals >= DECIMALS_MAX || value === 0) return value;
  const zero = value < 0 ? -0 : 0;
  if (decimals <= -TENS_MAX) return zero;
  let { numerator, denominator } = exactFraction(Math.abs(value));
  if (decimals >= 0) numerator *= 10n ** BigInt(decimals);
  else denominator *= 10n ** BigInt(-decimals);
  const units = (2n * numerator + denominator) / (2n * denominator);
  if (units === 0n) return zero;
  const text = `${units}e${-decimals}`;
  const magnitude = isSingle ? (readSingle(text) ?? 0) : Number(text);
  return finite(value < 0 ? -magnitude : magnitude, 'round');
}

/** Rounds an integer to a multiple of `10^-decimals`, half away from zero. */
export function roundIntegerTo(value: bigint, decimals: number, type: DataType): bigint {
  if (decimals >= 0) return value;
  if (decimals < -20) return 0n;
  const unit = 10n ** BigInt(-decimals);
  const magnitude = value < 0n ? -value : value;
  const rounded = ((2n * magnitude + unit) / (2n * unit)) * unit;
  const result = value < 0n ? -rounded : rounded;
  if (isIntegerType(type)) {
    const { min, max } = integerRange(type);
    if (result < min || result > max) throw overflow('integer rounding overflowed');
  }
  return result;
}
