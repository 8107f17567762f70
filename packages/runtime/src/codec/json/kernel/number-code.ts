import {
  branch,
  type Code,
  f64,
  i32,
  i64,
  Label,
  leave,
  loop,
  when,
} from '../../../simd/instruction.js';
import type { FunctionBuilder, Local, ModuleBuilder } from '../../../simd/module-builder.js';
import { EXACT_POWERS } from '../json-number.js';

/** Where the powers of ten lie that are exact doubles. */
const POWERS_AT = 1536;
/** Where `float` of the host says which position lies behind the number. */
export const FLOAT_END_AT = 8;

/** Digits of any number that fit into 64 bits without a sign. */
const DIGITS_MAX = 19;
/** Digits, with their point, that are an exact double each way. */
const EXACT_DIGITS_MAX = 15;
const SINGLE_DIGITS_MAX = 7;

const ZERO = 0x30;
const MINUS = 0x2d;
const POINT = 0x2e;
const SMALL_E = 0x65;

const isDigit = (value: Code): Code => i32.ltU(value, i32.const(10));
const digitAt = (at: Local): Code => i32.sub(i32.load8U(at.get), i32.const(ZERO));

/** Reads digits on to a value and moves the position behind them. */
function readDigits(at: Local, value: Local, digit: Local): Code {
  const next = new Label();
  return loop(
    next,
    when(isDigit(digit.tee(digitAt(at))), [
      value.set(i64.add(i64.mul(value.get, i64.const(10n)), i64.extendI32U(digit.get))),
      at.advance(1),
      branch(next),
    ]),
  );
}

/**
 * Adds `(position) -> (value, position)` for the digits of an integer without sign and leading zeros;
 * the position is zero when there are none or more than 19.
 */
export function addDigitsFunction(module: ModuleBuilder): FunctionBuilder {
  const made = module.function(['i32'], ['i64', 'i32']);
  const at = made.parameter(0);
  const value = made.local('i64');
  const digit = made.local('i32');
  const start = made.local('i32');
  const defect = leave(i64.const(0n), i32.const(0));
  return made.body(
    when(i32.eqz(digit.tee(digitAt(at))), leave(i64.const(0n), i32.add(at.get, i32.const(1)))),
    when(i32.eqz(isDigit(digit.get)), defect),
    start.set(at.get),
    readDigits(at, value, digit),
    when(i32.gtU(i32.sub(at.get, start.get), i32.const(DIGITS_MAX)), defect),
    leave(value.get, at.get),
  );
}

interface FloatParts {
  readonly at: Local;
  readonly value: Local;
  readonly digit: Local;
  readonly first: Local;
  readonly fraction: Local;
  readonly defect: Code;
}

/** Reads digits with at most one point, as JSON writes them, and counts those of the fraction. */
function readDecimal({ at, value, digit, first, fraction, defect }: FloatParts): Code {
  const length = i32.sub(at.get, first.get);
  const hasLeadingZero = i32.eq(i32.load8U(first.get), i32.const(ZERO));
  return [
    first.set(at.get),
    readDigits(at, value, digit),
    when(i32.eqz(length), defect),
    when(i32.and(hasLeadingZero, i32.gtU(length, i32.const(1))), defect),
    fraction.set(i32.const(0)),
    when(i32.eq(i32.load8U(at.get), i32.const(POINT)), [
      at.advance(1),
      fraction.set(at.get),
      readDigits(at, value, digit),
      when(i32.eqz(fraction.tee(i32.sub(at.get, fraction.get))), defect),
    ]),
  ];
}

/**
 * Adds `(position) -> (value, position)` for a float of either width; the position is zero when there
 * is none. Up to 15 digits are one exact division, the host reads all others.
 *
 * @param readByHost called with the position; answers NaN when there is no number of the width
 */
export function addFloatFunction(
  module: ModuleBuilder,
  readByHost: (at: Code) => Code,
  isSingle: boolean,
): FunctionBuilder {
  const made = module.function(['i32'], ['f64', 'i32']);
  const at = made.parameter(0);
  const start = made.local('i32');
  const result = made.local('f64');
  const defect = leave(ZERO_FLOAT, i32.const(0));
  const parts: FloatParts = {
    at,
    value: made.local('i64'),
    digit: made.local('i32'),
    first: made.local('i32'),
    fraction: made.local('i32'),
    defect,
  };
  const length = i32.sub(at.get, parts.first.get);
  const letter = i32.or(i32.load8U(at.get), i32.const(0x20));
  const hasExponent = i32.eq(letter, i32.const(SMALL_E));
  const isLong = i32.gtU(length, i32.const(isSingle ? SINGLE_DIGITS_MAX : EXACT_DIGITS_MAX));
  const isOther = i32.or(hasExponent, isLong);
  const power = f64.load(i32.shl(parts.fraction.get, i32.const(3)), POWERS_AT);
  return made.body(
    start.set(at.get),
    at.set(i32.add(at.get, i32.eq(i32.load8U(at.get), i32.const(MINUS)))),
    readDecimal(parts),
    when(isSingle ? i32.or(isOther, parts.fraction.get) : isOther, [
      result.set(readByHost(start.get)),
      when(f64.ne(result.get, result.get), defect),
      leave(result.get, i32.load(i32.const(FLOAT_END_AT))),
    ]),
    result.set(f64.div(f64.convertI64U(parts.value.get), power)),
    when(i32.eq(i32.load8U(start.get), i32.const(MINUS)), result.set(f64.neg(result.get))),
    leave(result.get, at.get),
  );
}

/** Places the constants of {@link addFloatFunction}. */
export function addFloatTables(module: ModuleBuilder): void {
  module.segment(POWERS_AT, new Uint8Array(EXACT_POWERS.slice(0, EXACT_DIGITS_MAX + 1).buffer));
}

const ZERO_FLOAT = f64.convertI64U(i64.const(0n));
