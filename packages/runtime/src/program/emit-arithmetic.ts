import {
  type IntegerType,
  integerBits,
  integerRange,
  isIntegerType,
  type TypedBinary,
  type TypedUnary,
} from '@nervix/model';
import type { Emitter, Operand } from './emitter.js';
import {
  type ArithmeticOperator,
  DIVISION_BY_ZERO_DETAIL,
  NEGATION_DETAIL,
  NON_FINITE_DETAIL,
  overflowDetail,
  REMAINDER_BY_ZERO_DETAIL,
} from './interpret-arithmetic.js';

const SYMBOLS: Readonly<Record<ArithmeticOperator, string>> = {
  add: '+',
  sub: '-',
  mul: '*',
  div: '/',
  rem: '%',
};

/** Emits `+ - * / %` over present operands. */
export function emitArithmetic(
  emitter: Emitter,
  expression: TypedBinary,
  left: Operand,
  right: Operand,
): Operand {
  const { type, span } = expression;
  const operator = expression.operator as ArithmeticOperator;
  if (isIntegerType(type)) return emitInteger(emitter, expression, left, right);
  const exact = `${left.value} ${SYMBOLS[operator]} ${right.value}`;
  const result = emitter.computed(type, type === 'F32' ? `Math.fround(${exact})` : exact);
  const fail = emitter.fail('invalid_argument', NON_FINITE_DETAIL, span);
  emitter.emit(`if (${result.value} - ${result.value} !== 0) ${fail}`);
  return result;
}

function emitInteger(
  emitter: Emitter,
  expression: TypedBinary,
  left: Operand,
  right: Operand,
): Operand {
  const { type, span } = expression;
  const operator = expression.operator as ArithmeticOperator;
  const isBigInt = emitter.representation(type) === 'bigint';
  const isDivision = operator === 'div' || operator === 'rem';
  if (isDivision) {
    const detail = operator === 'div' ? DIVISION_BY_ZERO_DETAIL : REMAINDER_BY_ZERO_DETAIL;
    const fail = emitter.fail('division_by_zero', detail, span);
    emitter.emit(`if (${right.value} === ${isBigInt ? '0n' : '0'}) ${fail}`);
  }
  const plain = `${left.value} ${SYMBOLS[operator]} ${right.value}`;
  const asNumber = operator === 'div' ? `Math.trunc(${plain})` : plain;
  const result = emitter.computed(type, isBigInt ? plain : asNumber);
  if (!isIntegerType(type)) return result;
  const fail = operator === 'rem' ? '' : emitter.fail('overflow', overflowDetail(operator), span);
  if (integerBits(type) < 64) {
    const narrow = emitter.computed(type, integerCode(type, result.value));
    if (fail !== '') emitter.emit(`if (${narrow.value} !== ${result.value}) ${fail}`);
    return narrow;
  }
  if (fail !== '') emitIntegerCheck(emitter, result, fail);
  return isBigInt ? result : emitter.computed(type, integerCode(type, result.value));
}

/**
 * An integer as the host keeps integers of its width, another number where it is outside of the type;
 * none of them is a negative zero.
 */
function integerCode(type: IntegerType, value: string): string {
  const bits = integerBits(type);
  if (bits === 64) return `${value} + 0`;
  if (type === 'U32') return `${value} >>> 0`;
  if (bits === 32) return `${value} | 0`;
  if (type.startsWith('U')) return `${value} & ${2 ** bits - 1}`;
  return `${value} << ${32 - bits} >> ${32 - bits}`;
}

/** Emits the range check of an integer result; `fail` is the statement for a value outside. */
export function emitIntegerCheck(emitter: Emitter, result: Operand, fail: string): void {
  const { type, value } = result;
  if (!isIntegerType(type)) return;
  const { min, max } = integerRange(type);
  const isWide = integerBits(type) === 64;
  if (isWide && emitter.mode === 'double') {
    if (type === 'U64') emitter.emit(`if (${value} < 0) ${fail}`);
    emitter.leaveUnlessExact(value);
    return;
  }
  const suffix = isWide ? 'n' : '';
  emitter.emit(`if (${value} < ${min}${suffix} || ${value} > ${max}${suffix}) ${fail}`);
}

/** Emits unary minus over a present operand. */
export function emitNegation(emitter: Emitter, expression: TypedUnary, operand: Operand): Operand {
  const { type, span } = expression;
  if (!isIntegerType(type)) return emitter.computed(type, `-${operand.value}`);
  const isBigInt = emitter.representation(type) === 'bigint';
  const code = isBigInt ? `-${operand.value}` : `0 - ${operand.value}`;
  const result = emitter.computed(type, code);
  emitIntegerCheck(emitter, result, emitter.fail('overflow', NEGATION_DETAIL, span));
  return result;
}
