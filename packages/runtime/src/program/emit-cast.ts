import {
  integerRange,
  isFloatType,
  isIntegerType,
  type ScalarType,
  type TypedCast,
} from '@nervix/model';
import { castDetail, castValue } from './cast-value.js';
import { emitIntegerCheck } from './emit-arithmetic.js';
import type { Emitter, Operand } from './emitter.js';

/** Emits a conversion of a value that may be null. */
export function emitCast(emitter: Emitter, expression: TypedCast, operand: Operand): Operand {
  const { target, isTry, span } = expression;
  const from = operand.type as ScalarType;
  if (from === target) return { ...operand };
  if (!isTry) {
    const fail = emitter.fail('cast_failed', castDetail(target), span);
    return emitter.strict([operand], target, () => convert(emitter, operand, target, fail));
  }
  const result = emitter.declare(target, true);
  const label = emitter.fresh('cast');
  const isNull = operand.isNull ?? 'false';
  emitter.emit(`${result.isNull} = true;`, `${label}: if (!${isNull}) {`);
  emitter.assign(result, convert(emitter, operand, target, `break ${label};`));
  emitter.emit(`${result.isNull} = false;`, '}');
  return result;
}

/** Converts a present value; `fail` is the statement for one that cannot be converted. */
function convert(emitter: Emitter, operand: Operand, target: ScalarType, fail: string): Operand {
  const from = operand.type as ScalarType;
  const isNumber = (type: ScalarType): boolean => isIntegerType(type) || isFloatType(type);
  if (from === 'BOOL' && isNumber(target)) {
    const isBigInt = emitter.representation(target) === 'bigint';
    return emitter.computed(target, `${operand.value} ? ${isBigInt ? '1n : 0n' : '1 : 0'}`);
  }
  if (isNumber(from) && target === 'BOOL') {
    const zero = emitter.representation(from) === 'bigint' ? '0n' : '0';
    return emitter.computed(target, `${operand.value} !== ${zero}`);
  }
  if (isIntegerType(from) && isFloatType(target)) return integerToFloat(emitter, operand, target);
  if (isIntegerType(from) && isIntegerType(target)) {
    return integerToInteger(emitter, operand, target, fail);
  }
  if (isFloatType(from) && isFloatType(target)) {
    const { value } = operand;
    return emitter.computed(target, target === 'F32' ? `Math.fround(${value})` : value);
  }
  if (isFloatType(from) && isIntegerType(target) && target !== 'I64' && target !== 'U64') {
    const cut = emitter.computed(target, `Math.trunc(${operand.value}) + 0`);
    const { min, max } = integerRange(target);
    emitter.emit(`if (!(${cut.value} >= ${min} && ${cut.value} <= ${max})) ${fail}`);
    return cut;
  }
  return convertBoxed(emitter, operand, target, fail);
}

function integerToFloat(emitter: Emitter, operand: Operand, target: ScalarType): Operand {
  const { value } = operand;
  if (emitter.representation(operand.type) === 'bigint') {
    const code = target === 'F32' ? `integerToSingle(${value})` : `Number(${value})`;
    return emitter.computed(target, code);
  }
  return emitter.computed(target, target === 'F32' ? `Math.fround(${value})` : value);
}

function integerToInteger(
  emitter: Emitter,
  operand: Operand,
  target: ScalarType,
  fail: string,
): Operand {
  const isFromBigInt = emitter.representation(operand.type) === 'bigint';
  const isToBigInt = emitter.representation(target) === 'bigint';
  let { value } = operand;
  if (isFromBigInt && !isToBigInt) {
    // Numbers far outside the range stay outside when they are rounded.
    value = `Number(${value})`;
  } else if (!isFromBigInt && isToBigInt) {
    value = `BigInt(${value})`;
  }
  const result = emitter.computed(target, value);
  emitIntegerCheck(emitter, result, fail);
  return result;
}

/** Conversions of and to text, instants and 64-bit integers from floats run as a function. */
function convertBoxed(
  emitter: Emitter,
  operand: Operand,
  target: ScalarType,
  fail: string,
): Operand {
  const result = emitter.fresh('x');
  const types = `${JSON.stringify(operand.type)}, ${JSON.stringify(target)}`;
  const convertValue = emitter.constant(castValue);
  emitter.emit(
    `const ${result} = ${convertValue}(${emitter.boxed(operand)}, ${types});`,
    `if (${result} === undefined) ${fail}`,
  );
  return emitter.unboxed(result, target);
}
