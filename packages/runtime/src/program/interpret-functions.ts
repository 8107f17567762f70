import { type DataType, InvariantError, isIntegerType } from '@nervix/model';
import type { Value } from '../column/column.js';
import { integerValue } from './cast-value.js';
import {
  roundFloat,
  roundFloatTo,
  roundInteger,
  roundIntegerTo,
  squareRoot,
} from './numeric-functions.js';
import { invalidArgument } from './row-fault.js';
import { compareScalars, isBelow } from './scalar-order.js';
import * as text from './text-functions.js';

type Count = number | bigint;
type TextFunction = (...values: never[]) => Value;

const TEXT_FUNCTIONS: Readonly<Record<string, TextFunction>> = {
  lower: (value: string) => value.toLowerCase(),
  upper: (value: string) => value.toUpperCase(),
  initcap: text.initcapText,
  trim: (value: string) => text.trimText(value, true, true),
  ltrim: (value: string) => text.trimText(value, true, false),
  rtrim: (value: string) => text.trimText(value, false, true),
  length: (value: string) => BigInt(text.characterCount(value)),
  octet_length: (value: string) => BigInt(text.textBytes(value)),
  bit_length: (value: string) => BigInt(text.textBytes(value)) * 8n,
  left: (value: string, count: Count) => text.leftText(value, text.countArgument(count)),
  right: (value: string, count: Count) => text.rightText(value, text.countArgument(count)),
  substr: (value: string, start: Count, length?: Count) =>
    text.substringText(
      value,
      text.countArgument(start),
      length === undefined ? null : text.countArgument(length),
    ),
  repeat: (value: string, count: Count) => text.repeatText(value, text.countArgument(count)),
  replace: text.replaceText,
  reverse: text.reverseText,
  lpad: (value: string, length: Count, fill: string) =>
    text.padText(value, text.countArgument(length), fill, true),
  rpad: (value: string, length: Count, fill: string) =>
    text.padText(value, text.countArgument(length), fill, false),
  split_part: (value: string, delimiter: string, index: Count) =>
    text.splitPart(value, delimiter, text.countArgument(index)),
  strpos: (value: string, needle: string) => BigInt(text.positionOfText(value, needle)),
  contains: (value: string, needle: string) => value.includes(needle),
  starts_with: (value: string, needle: string) => value.startsWith(needle),
  ends_with: (value: string, needle: string) => value.endsWith(needle),
};

/** Names of the functions over present values of scalar arguments. */
export const STRICT_FUNCTIONS: ReadonlySet<string> = new Set([
  ...Object.keys(TEXT_FUNCTIONS),
  'abs',
  'ceil',
  'floor',
  'round',
  'trunc',
  'sign',
  'sqrt',
  'is_nan',
  'is_finite',
  'is_infinite',
  'clamp',
]);

/** Applies a function that is null when an argument is; every argument is present here. */
export function applyStrict(name: string, values: readonly Value[], type: DataType): Value {
  const textFunction = TEXT_FUNCTIONS[name];
  if (textFunction !== undefined) return textFunction(...(values as never[]));
  const [first, second, third] = values as [Value, Value, Value];
  switch (name) {
    case 'sqrt':
      return squareRoot(first as number | bigint);
    case 'is_nan':
      return Number.isNaN(first);
    case 'is_finite':
      return Number.isFinite(first);
    case 'is_infinite':
      return !Number.isFinite(first) && !Number.isNaN(first);
    case 'clamp':
      return clamp(first, second, third);
    case 'round':
      if (values.length === 2) return roundTo(first, text.countArgument(second as Count), type);
      return roundOne(name, first, type);
    case 'abs':
    case 'ceil':
    case 'floor':
    case 'trunc':
    case 'sign':
      return roundOne(name, first, type);
    default:
      throw new InvariantError(`invariant broken: function '${name}' is one of the runtime's`);
  }
}

function roundOne(name: string, value: Value, type: DataType): Value {
  if (!isIntegerType(type)) return roundFloat(name, value as number);
  return integerValue(roundInteger(name, BigInt(value as number | bigint), type), type);
}

function roundTo(value: Value, decimals: number, type: DataType): Value {
  if (!isIntegerType(type)) return roundFloatTo(value as number, decimals, type === 'F32');
  return integerValue(roundIntegerTo(BigInt(value as number | bigint), decimals, type), type);
}

export const CLAMP_NAN_DETAIL = 'clamp bound is NaN';
export const CLAMP_ORDER_DETAIL = 'clamp lower bound is above its upper bound';

function clamp(value: Value, low: Value, high: Value): Value {
  if (Number.isNaN(low) || Number.isNaN(high)) throw invalidArgument(CLAMP_NAN_DETAIL);
  if (isBelow(high, low)) throw invalidArgument(CLAMP_ORDER_DETAIL);
  if (isBelow(value, low)) return low;
  return isBelow(high, value) ? high : value;
}

/** `greatest` or `least` of the present values; the first of equals. */
export function extremum(values: readonly Value[], isGreatest: boolean): Value {
  let best: Value = null;
  for (const value of values) {
    if (value === null) continue;
    const order = best === null ? 1 : compareScalars(value, best);
    if (best === null || (isGreatest ? order > 0 : order < 0)) best = value;
  }
  return best;
}
