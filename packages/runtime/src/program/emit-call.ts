import { assert, isFloatType, isIntegerType, type TypedCall } from '@nervix/model';
import { attemptOf, kernelOf } from '../function/kernel-table.js';
import { CLAMP_NAN_DETAIL, CLAMP_ORDER_DETAIL } from '../function/number-kernels.js';
import { emitIntegerCheck } from './emit-arithmetic.js';
import { comparison } from './emit-comparison.js';
import { emitTextCall } from './emit-text-call.js';
import { type Emitter, NotGenerated, type Operand } from './emitter.js';
import type { ProgramRows } from './row-set.js';
import { UUID_EPOCH_DETAIL, uuidV4, uuidV7 } from './uuid.js';

/** Emits a function call over evaluated arguments. */
export function emitCall(emitter: Emitter, call: TypedCall, args: readonly Operand[]): Operand {
  const [first, second] = args;
  switch (call.function) {
    case 'now':
      return emitter.computed('DATETIME', 'X.nowNanos');
    case 'uuid_v4':
      return emitter.unboxed(`${emitter.constant(uuidV4)}(X)`, 'STRING');
    case 'uuid_v7':
      emitter.emit(
        `if (X.nowNanos < 0n) ${emitter.fail('overflow', UUID_EPOCH_DETAIL, call.span)}`,
      );
      return emitter.unboxed(`${emitter.constant(uuidV7)}(X)`, 'STRING');
    default:
  }
  if (first === undefined) throw new NotGenerated('every other function has arguments');
  switch (call.function) {
    case 'leak_sensitive':
      return first;
    case 'is_null':
      return emitter.computed('BOOL', first.isNull ?? 'false');
    case 'coalesce':
      return emitCoalesce(emitter, call, args);
    case 'nullif':
      return emitNullIf(emitter, call, first, second);
    case 'greatest':
    case 'least':
      return emitExtremum(emitter, call, args);
    case 'read_header':
      return emitHeader(emitter, first);
    case 'read_headers':
      return emitHeaderValues(emitter, first);
    default:
      return emitStrictCall(emitter, call, args);
  }
}

function emitCoalesce(emitter: Emitter, call: TypedCall, args: readonly Operand[]): Operand {
  const result = emitter.declare(call.type, true);
  for (const argument of args) {
    if (argument.isNull !== null) {
      emitter.emit(`if (!${argument.isNull}) {`);
      emitter.assign(result, argument);
      emitter.emit('} else {');
      continue;
    }
    emitter.assign(result, argument);
    emitter.emit('}'.repeat(args.indexOf(argument)));
    return result;
  }
  emitter.emit(`${result.isNull} = true;`, '}'.repeat(args.length));
  return result;
}

function emitNullIf(
  emitter: Emitter,
  call: TypedCall,
  left: Operand,
  right: Operand | undefined,
): Operand {
  if (right === undefined) throw new NotGenerated('nullif has two arguments');
  const result = emitter.declare(call.type, true);
  const isPresent = right.isNull === null ? '' : `!${right.isNull} && `;
  const equal = `${isPresent}${comparison(emitter, 'eq', left, right)}`;
  emitter.emit(`if (${left.isNull ?? 'false'} || ${equal}) ${result.isNull} = true;`, 'else {');
  emitter.assign(result, left);
  emitter.emit('}');
  return result;
}

function emitExtremum(emitter: Emitter, call: TypedCall, args: readonly Operand[]): Operand {
  const isGreatest = call.function === 'greatest';
  const result = emitter.declare(call.type, true);
  emitter.emit(`${result.isNull} = true;`);
  for (const argument of args) {
    const better = beats(emitter, argument, result, isGreatest);
    const isPresent = argument.isNull === null ? '' : `!${argument.isNull} && `;
    emitter.emit(`if (${isPresent}(${result.isNull} || ${better})) {`);
    emitter.assign(result, argument);
    emitter.emit(`${result.isNull} = false;`, '}');
  }
  return result;
}

/** Condition that a value replaces the best so far; NaN is above everything. */
function beats(emitter: Emitter, value: Operand, best: Operand, isGreatest: boolean): string {
  if (value.type === 'BOOL') {
    return isGreatest ? `(${value.value} && !${best.value})` : `(!${value.value} && ${best.value})`;
  }
  const plain = comparison(emitter, isGreatest ? 'gt' : 'lt', value, best);
  if (!isFloatType(value.type)) return plain;
  const [above, below] = isGreatest ? [value, best] : [best, value];
  const isNaNAbove = `(${above.value} !== ${above.value} && ${below.value} === ${below.value})`;
  return `(${plain} || ${isNaNAbove})`;
}

function emitHeader(emitter: Emitter, name: Operand): Operand {
  const result = emitter.declare('STRING', true);
  const header = emitter.fresh('x');
  emitter.emit(
    `const ${header} = ${name.isNull ?? 'false'} || H === undefined`,
    `  ? undefined : H(i, decodeText(${name.value}, ${name.start}, ${name.end}))[0];`,
    `if (${header} === undefined) ${result.isNull} = true;`,
    'else {',
  );
  emitter.assign(result, emitter.unboxed(`${header}.toWellFormed()`, 'STRING'));
  emitter.emit('}');
  return result;
}

function emitHeaderValues(emitter: Emitter, name: Operand): Operand {
  const read = emitter.constant(headerValues);
  return emitter.computed(
    { kind: 'vec', element: 'STRING' },
    `${read}(P, i, ${emitter.boxedOrNull(name)})`,
  );
}

function headerValues(rows: ProgramRows, row: number, name: string | null): readonly string[] {
  const values = name === null ? [] : (rows.headers?.(row, name) ?? []);
  return values.map((value) => value.toWellFormed());
}

function emitStrictCall(emitter: Emitter, call: TypedCall, args: readonly Operand[]): Operand {
  const text = emitTextCall(emitter, call, args);
  if (text !== undefined) return text;
  return emitter.strict(
    args,
    call.type,
    () => emitNumericCall(emitter, call, args) ?? emitKernelCall(emitter, call, args),
  );
}

/** Calls the kernel of a function over present arguments. */
function emitKernelCall(emitter: Emitter, call: TypedCall, args: readonly Operand[]): Operand {
  const kernel = kernelOf(call);
  assert(kernel !== undefined, 'typed programs call functions of the table');
  const values = args.map((argument) => emitter.boxed(argument)).join(', ');
  const code = `${emitter.constant(attemptOf(kernel))}([${values}])`;
  return emitter.called(code, call.type, call.optional, call.span);
}

/** Functions of doubles that the host computes. */
const REAL_FUNCTIONS: Readonly<Record<string, string>> = {
  acos: 'acos',
  asin: 'asin',
  atan: 'atan',
  atan2: 'atan2',
  cos: 'cos',
  sin: 'sin',
  tan: 'tan',
  exp: 'exp',
  ln: 'log',
  log: 'log10',
  log2: 'log2',
  sqrt: 'sqrt',
};

/** Numeric functions as plain code; undefined for those that run as functions. */
function emitNumericCall(
  emitter: Emitter,
  call: TypedCall,
  args: readonly Operand[],
): Operand | undefined {
  const [first] = args;
  if (first === undefined) return undefined;
  const real = REAL_FUNCTIONS[call.overload];
  if (real !== undefined) {
    const code = `Math.${real}(${args.map(({ value }) => `Number(${value})`).join(', ')})`;
    return emitFinite(emitter, call, code, `${call.function} produced a`);
  }
  switch (call.function) {
    case 'is_nan':
      return emitter.computed('BOOL', `${first.value} !== ${first.value}`);
    case 'is_finite':
      return emitter.computed('BOOL', `${first.value} - ${first.value} === 0`);
    case 'is_infinite':
      return emitter.computed(
        'BOOL',
        `${first.value} === ${first.value} && ${first.value} - ${first.value} !== 0`,
      );
    case 'clamp':
      return emitClamp(emitter, call, args);
    case 'abs':
    case 'ceil':
    case 'floor':
    case 'trunc':
      return isIntegerType(first.type)
        ? emitIntegerRounding(emitter, call, first)
        : emitFloatRounding(emitter, call, first);
    default:
      return undefined;
  }
}

function emitFinite(emitter: Emitter, call: TypedCall, code: string, subject: string): Operand {
  const result = emitter.computed(call.type, code);
  const detail = `${subject} non-finite result`;
  const fail = emitter.fail('invalid_argument', detail, call.span);
  emitter.emit(`if (${result.value} - ${result.value} !== 0) ${fail}`);
  return result;
}

function emitFloatRounding(emitter: Emitter, call: TypedCall, operand: Operand): Operand {
  const isAbs = call.function === 'abs';
  const subject = isAbs
    ? 'floating-point absolute value produced a'
    : `${call.function} produced a`;
  return emitFinite(emitter, call, `Math.${call.function}(${operand.value})`, subject);
}

function emitIntegerRounding(emitter: Emitter, call: TypedCall, operand: Operand): Operand {
  if (call.function !== 'abs') return operand;
  const zero = emitter.representation(operand.type) === 'bigint' ? '0n' : '0';
  const { value } = operand;
  const result = emitter.computed(call.type, `${value} < ${zero} ? -${value} : ${value}`);
  const fail = emitter.fail('overflow', 'integer absolute value overflowed', call.span);
  emitIntegerCheck(emitter, result, fail);
  return result;
}

function emitClamp(emitter: Emitter, call: TypedCall, args: readonly Operand[]): Operand {
  const [value, low, high] = args;
  if (value === undefined || low === undefined || high === undefined) {
    throw new NotGenerated('clamp has three arguments');
  }
  if (isFloatType(call.type)) {
    const fail = emitter.fail('invalid_argument', CLAMP_NAN_DETAIL, call.span);
    emitter.emit(`if (${low.value} !== ${low.value} || ${high.value} !== ${high.value}) ${fail}`);
  }
  const disordered = emitter.fail('invalid_argument', CLAMP_ORDER_DETAIL, call.span);
  emitter.emit(`if (${comparison(emitter, 'lt', high, low)}) ${disordered}`);
  const result = emitter.declare(call.type, false);
  emitter.emit(`if (${comparison(emitter, 'lt', value, low)}) {`);
  emitter.assign(result, low);
  emitter.emit(`} else if (${comparison(emitter, 'gt', value, high)}) {`);
  emitter.assign(result, high);
  emitter.emit('} else {');
  emitter.assign(result, value);
  emitter.emit('}');
  return result;
}
