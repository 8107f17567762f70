import {
  type DataType,
  integerBits,
  integerRange,
  isIntegerType,
  isSignedIntegerType,
  type TypedCall,
} from '@nervix/model';
import type { Value } from '../column/column.js';
import { integerValue } from '../program/cast-value.js';
import { invalidArgument, overflow } from '../program/row-fault.js';
import { isBelow } from '../program/scalar-order.js';
import { type Kernel, type KernelFactory, type KernelFamily, plain } from './kernel.js';
import { roundFloat, roundFloatTo, roundInteger, roundIntegerTo } from './rounding.js';
import { countArgument } from './text-functions.js';

type Numeric = number | bigint;

export const CLAMP_NAN_DETAIL = 'clamp bound is NaN';
export const CLAMP_ORDER_DETAIL = 'clamp lower bound is above its upper bound';

/** Kernels of the functions over numbers, and `clamp`. */
export const NUMBER_KERNELS: KernelFamily = {
  abs: (call) => rounding('abs', call.type),
  ceil: (call) => rounding('ceil', call.type),
  floor: (call) => rounding('floor', call.type),
  round: (call) => rounding('round', call.type),
  trunc: (call) => rounding('trunc', call.type),
  sign: (call) => rounding('sign', call.type),
  'round.digits': roundingToDigits,
  is_nan: plain((value: number) => Number.isNaN(value)),
  is_finite: plain((value: number) => Number.isFinite(value)),
  is_infinite: plain((value: number) => Math.abs(value) === Infinity),
  clamp: plain(clamp),
  acos: real('acos', Math.acos),
  asin: real('asin', Math.asin),
  atan: real('atan', Math.atan),
  atan2: real('atan2', Math.atan2),
  cos: real('cos', Math.cos),
  sin: real('sin', Math.sin),
  tan: real('tan', Math.tan),
  degrees: real('degrees', (value) => value * (180 / Math.PI)),
  radians: real('radians', (value) => value * (Math.PI / 180)),
  exp: real('exp', Math.exp),
  ln: real('ln', Math.log),
  log: real('log', Math.log10),
  'log.base': real('log', (base, value) => Math.log(value) / Math.log(base)),
  log2: real('log2', Math.log2),
  pow: real('pow', power),
  sqrt: real('sqrt', Math.sqrt),
  bitwise_and: bitwise((left, right) => left & right),
  bitwise_or: bitwise((left, right) => left | right),
  bitwise_xor: bitwise((left, right) => left ^ right),
  bitwise_not: bitwise((value) => ~value),
  bit_count: (call) => {
    const bits = integerBits(integerType(call.arguments[0]?.type ?? call.type));
    return ([value]) => BigInt(countBits(BigInt.asUintN(bits, toBigInt(value))));
  },
  shift_left: shiftLeft,
  shift_right: shiftRight,
};

function toBigInt(value: Value | undefined): bigint {
  return BigInt(value as Numeric);
}

function integerType(type: DataType): Parameters<typeof integerBits>[0] {
  return isIntegerType(type) ? type : 'I64';
}

function rounding(name: string, type: DataType): Kernel {
  if (!isIntegerType(type)) return ([value]) => roundFloat(name, value as number);
  return ([value]) => integerValue(roundInteger(name, toBigInt(value), type), type);
}

function roundingToDigits({ type }: TypedCall): Kernel {
  if (!isIntegerType(type)) {
    return ([value, digits]) =>
      roundFloatTo(value as number, countArgument(digits as Numeric), type === 'F32');
  }
  return ([value, digits]) =>
    integerValue(roundIntegerTo(toBigInt(value), countArgument(digits as Numeric), type), type);
}

/** A function of the nearest doubles of its arguments; a result that is not finite fails the row. */
function real(name: string, compute: (...values: number[]) => number): KernelFactory {
  const detail = `${name} produced a non-finite result`;
  return () => (values) => {
    const result = compute(...values.map(Number));
    if (!Number.isFinite(result)) throw invalidArgument(detail);
    return result;
  };
}

/** IEEE power, where the host differs for a base of one. */
function power(base = Number.NaN, exponent = Number.NaN): number {
  if (base === 1 || (base === -1 && Math.abs(exponent) === Infinity)) return 1;
  return base ** exponent;
}

/** An operation on two's complement, which BigInt extends without end. */
function bitwise(compute: (...values: bigint[]) => bigint): KernelFactory {
  return ({ type }) => {
    const bits = integerBits(integerType(type));
    const isSigned = isSignedIntegerType(type);
    return (values) => {
      const result = compute(...values.map(toBigInt));
      const cut = isSigned ? BigInt.asIntN(bits, result) : BigInt.asUintN(bits, result);
      return integerValue(cut, type);
    };
  };
}

function countBits(value: bigint): number {
  let count = 0;
  for (let rest = value; rest > 0n; rest &= rest - 1n) count += 1;
  return count;
}

function shiftCount(value: Value | undefined, name: string, bits: number): bigint {
  const count = toBigInt(value);
  if (count < 0n) throw invalidArgument(`${name} count is negative`);
  return count > BigInt(bits) ? BigInt(bits) : count;
}

/** Multiplication by a power of two; a lost bit or a changed sign is an overflow. */
function shiftLeft({ type }: TypedCall): Kernel {
  const integer = integerType(type);
  const bits = integerBits(integer);
  const { min, max } = integerRange(integer);
  return ([value, count]) => {
    const result = toBigInt(value) << shiftCount(count, 'shift_left', bits);
    if (result < min || result > max) throw overflow('shift_left result overflowed');
    return integerValue(result, type);
  };
}

/** Division by a power of two toward negative infinity. */
function shiftRight({ type }: TypedCall): Kernel {
  const bits = integerBits(integerType(type));
  return ([value, count]) =>
    integerValue(toBigInt(value) >> shiftCount(count, 'shift_right', bits), type);
}

function clamp(value: Value, low: Value, high: Value): Value {
  if (Number.isNaN(low) || Number.isNaN(high)) throw invalidArgument(CLAMP_NAN_DETAIL);
  if (isBelow(high, low)) throw invalidArgument(CLAMP_ORDER_DETAIL);
  if (isBelow(value, low)) return low;
  return isBelow(high, value) ? high : value;
}
