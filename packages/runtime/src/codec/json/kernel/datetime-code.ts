import {
  branch,
  type Code,
  i8x16,
  i32,
  i64,
  Label,
  leave,
  loop,
  select,
  v128,
  when,
} from '../../../simd/instruction.js';
import type { FunctionBuilder, Local, ModuleBuilder } from '../../../simd/module-builder.js';

/** Where the number of days of each month lies; that of January at one. */
const MONTHS_AT = 1792;
const DAYS_IN_MONTH = [0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

const QUOTE = 0x22;
const COLON = 0x3a;
/** The first sixteen bytes of an instant: a zero where a digit stands, and what separates them. */
const SHAPE = [...'0000-00-00T00:00'].map((character) => character.charCodeAt(0));
/** What a byte may differ by from the shape. */
const LIMITS = SHAPE.map((byte) => (byte === 0x30 ? 10 : 1));
/** The letter between date and time may be small. */
const COMPARED = SHAPE.map((byte) => (byte === 0x54 ? 0xdf : 0xff));

/** Seconds of which every nanosecond fits into 64 bits. */
const SECONDS_MAX = 9_223_372_035n;
const NANOS = 1_000_000_000;
const DAY_SECONDS = 86_400n;

const DEFECT = leave(i64.const(0n), i32.const(0));

const allOf = (...conditions: readonly Code[]): Code =>
  conditions.reduce((left, right) => i32.and(left, right));
const anyOf = (...conditions: readonly Code[]): Code =>
  conditions.reduce((left, right) => i32.or(left, right));
const byteIs = (at: Local, offset: number, byte: number): Code =>
  i32.eq(i32.load8U(at.get, offset), i32.const(byte));
const isDigit = (at: Local, offset: number): Code =>
  i32.ltU(i32.sub(i32.load8U(at.get, offset), i32.const(0x30)), i32.const(10));

/** Number of two digits; of anything else it is a number of no meaning. */
function twoDigits(at: Local, offset: number): Code {
  const tens = i32.mul(i32.load8U(at.get, offset), i32.const(10));
  return i32.sub(i32.add(tens, i32.load8U(at.get, offset + 1)), i32.const(0x30 * 11));
}

/**
 * Adds `(position) -> (nanoseconds, position)` for the quoted instant of RFC 3339 there, the position
 * zero when it is none. Some that are instants are left to the general decoder: those with a space for
 * the letter T, and those within seconds of the ends of the range.
 */
export function addDatetimeFunction(module: ModuleBuilder): FunctionBuilder {
  module.segment(MONTHS_AT, DAYS_IN_MONTH);
  const dateSeconds = addDateFunction(module);
  const offset = addOffsetFunction(module);
  const made = module.function(['i32'], ['i64', 'i32']);
  const at = made.parameter(0);
  const bytes = made.local('v128');
  const seconds = made.local('i64');
  const east = made.local('i64');
  const nanos = made.local('i32');
  const difference = v128.and(v128.xor(bytes.get, v128.const(SHAPE)), v128.const(COMPARED));
  const isShaped = allOf(
    i32.eq(i8x16.bitmask(i8x16.ltU(difference, v128.const(LIMITS))), i32.const(0xffff)),
    byteIs(at, 16, COLON),
    isDigit(at, 17),
    isDigit(at, 18),
  );
  return made.body(
    when(i32.ne(i32.load8U(at.get), i32.const(QUOTE)), DEFECT),
    at.advance(1),
    bytes.set(v128.load(at.get)),
    when(i32.eqz(isShaped), DEFECT),
    seconds.set(dateSeconds.call(at.get)),
    when(i64.ltS(seconds.get, i64.const(-SECONDS_MAX)), DEFECT),
    at.advance(19),
    readFraction(made, at, nanos),
    offset.call(at.get),
    at.set(),
    east.set(),
    when(i32.eqz(at.get), DEFECT),
    when(i32.ne(i32.load8U(at.get), i32.const(QUOTE)), DEFECT),
    seconds.set(i64.sub(seconds.get, east.get)),
    when(i64.gtS(seconds.get, i64.const(SECONDS_MAX)), DEFECT),
    when(i64.ltS(seconds.get, i64.const(-SECONDS_MAX)), DEFECT),
    leave(
      i64.add(i64.mul(seconds.get, i64.const(BigInt(NANOS))), i64.extendI32U(nanos.get)),
      i32.add(at.get, i32.const(1)),
    ),
  );
}

/** Reads a fraction, if there is one, and cuts the digits behind the ninth. */
function readFraction(made: FunctionBuilder, at: Local, nanos: Local): Code {
  const scale = made.local('i32');
  const digit = made.local('i32');
  const next = new Label();
  return when(byteIs(at, 0, 0x2e), [
    at.advance(1),
    when(i32.eqz(isDigit(at, 0)), DEFECT),
    scale.set(i32.const(NANOS / 10)),
    loop(
      next,
      digit.set(i32.sub(i32.load8U(at.get), i32.const(0x30))),
      when(i32.ltU(digit.get, i32.const(10)), [
        nanos.set(i32.add(nanos.get, i32.mul(digit.get, scale.get))),
        scale.set(i32.divU(scale.get, i32.const(10))),
        at.advance(1),
        branch(next),
      ]),
    ),
  ]);
}

/** Adds `(position) -> (seconds east, position)` for `Z` or `±HH:MM`; the position zero for others. */
function addOffsetFunction(module: ModuleBuilder): FunctionBuilder {
  const made = module.function(['i32'], ['i64', 'i32']);
  const at = made.parameter(0);
  const seconds = made.local('i64');
  const isUtc = i32.eq(i32.or(i32.load8U(at.get), i32.const(0x20)), i32.const(0x7a));
  const isNegative = byteIs(at, 0, 0x2d);
  const isShaped = allOf(
    anyOf(byteIs(at, 0, 0x2b), isNegative),
    isDigit(at, 1),
    isDigit(at, 2),
    byteIs(at, 3, COLON),
    isDigit(at, 4),
    isDigit(at, 5),
  );
  const isBeyond = anyOf(
    i32.gtU(twoDigits(at, 1), i32.const(23)),
    i32.gtU(twoDigits(at, 4), i32.const(59)),
  );
  const minutes = i32.add(i32.mul(twoDigits(at, 1), i32.const(60)), twoDigits(at, 4));
  return made.body(
    when(isUtc, leave(i64.const(0n), i32.add(at.get, i32.const(1)))),
    when(i32.eqz(isShaped), DEFECT),
    when(isBeyond, DEFECT),
    seconds.set(i64.extendI32U(i32.mul(minutes, i32.const(60)))),
    when(isNegative, seconds.set(i64.sub(i64.const(0n), seconds.get))),
    leave(seconds.get, i32.add(at.get, i32.const(6))),
  );
}

/** What {@link addDateFunction} answers for a date or a time that does not exist. */
const NO_DATE = leave(i64.const(-(2n ** 63n)));

/**
 * Adds `(position) -> (seconds)` since 1970 of the date and time there, whose shape has been checked.
 * Days are counted in years that begin in March, as in the days_from_civil of Howard Hinnant.
 */
function addDateFunction(module: ModuleBuilder): FunctionBuilder {
  const made = module.function(['i32'], ['i64']);
  const at = made.parameter(0);
  const [year, month, day] = [made.local('i32'), made.local('i32'), made.local('i32')];
  const [hour, minute, second] = [made.local('i32'), made.local('i32'), made.local('i32')];
  const shifted = made.local('i32');
  const beyond = (value: Local, limit: number): Code => i32.gtU(value.get, i32.const(limit));
  const times = (value: Local, factor: number): Code => i32.mul(value.get, i32.const(factor));
  const over = (value: Code, divisor: number): Code => i32.divU(value, i32.const(divisor));
  const ofDay = i32.add(i32.add(times(hour, 3600), times(minute, 60)), second.get);
  const isLate = i32.gtU(month.get, i32.const(2));
  const ofYear = i32.add(
    over(i32.add(i32.mul(monthFromMarch(month, isLate), i32.const(153)), i32.const(2)), 5),
    i32.sub(day.get, i32.const(1)),
  );
  // 400 years are added, so that all divisions are of positives, and their days taken off again.
  const ofYears = i32.add(
    i32.sub(i32.add(times(shifted, 365), over(shifted.get, 4)), over(shifted.get, 100)),
    over(shifted.get, 400),
  );
  const days = i32.sub(i32.add(ofYears, ofYear), i32.const(719_468 + 146_097));
  return made.body(
    year.set(i32.add(i32.mul(twoDigits(at, 0), i32.const(100)), twoDigits(at, 2))),
    month.set(twoDigits(at, 5)),
    day.set(twoDigits(at, 8)),
    hour.set(twoDigits(at, 11)),
    minute.set(twoDigits(at, 14)),
    second.set(twoDigits(at, 17)),
    when(anyOf(beyond(hour, 23), beyond(minute, 59), beyond(second, 59)), NO_DATE),
    when(anyOf(i32.eqz(month.get), beyond(month, 12), i32.eqz(day.get)), NO_DATE),
    when(i32.gtU(day.get, daysInMonth(year, month)), NO_DATE),
    shifted.set(i32.sub(i32.add(year.get, i32.const(400)), i32.eqz(isLate))),
    i64.add(i64.mul(i64.extendI32S(days), i64.const(DAY_SECONDS)), i64.extendI32U(ofDay)),
  );
}

/** March is zero, February eleven. */
function monthFromMarch(month: Local, isLate: Code): Code {
  return i32.sub(i32.add(month.get, select(i32.const(0), i32.const(12), isLate)), i32.const(3));
}

function daysInMonth(year: Local, month: Local): Code {
  const divides = (divisor: number): Code =>
    i32.eqz(i32.sub(year.get, i32.mul(i32.divU(year.get, i32.const(divisor)), i32.const(divisor))));
  const isLeap = i32.or(i32.and(divides(4), i32.eqz(divides(100))), divides(400));
  const isFebruary = i32.eq(month.get, i32.const(2));
  return i32.add(i32.load8U(month.get, MONTHS_AT), i32.and(isFebruary, isLeap));
}
