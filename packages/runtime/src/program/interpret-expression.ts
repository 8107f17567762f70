import {
  assert,
  chainedPart,
  type ScalarType,
  type TypedBetween,
  type TypedBinary,
  type TypedCall,
  type TypedCase,
  type TypedCast,
  type TypedColumn,
  type TypedExpression,
  type TypedIn,
  type TypedLiteral,
} from '@nervix/model';
import { readValue, type Value } from '../column/column.js';
import { kernelOf } from '../function/kernel-table.js';
import { concatTexts, joinTexts } from '../function/text-functions.js';
import { type StagePlaces, stagedValue, unstaged } from './call-stages.js';
import { castDetail, castValue, integerValue } from './cast-value.js';
import { arithmetic, negate } from './interpret-arithmetic.js';
import { RowFault } from './row-fault.js';
import type { ExecutionSnapshot, ProgramRows, RowView } from './row-set.js';
import { compareScalars, equalScalars, isBelow } from './scalar-order.js';
import { jsonKernel, lookUp, stateValue } from './surroundings.js';
import { uuidV4, uuidV7 } from './uuid.js';

/** The row an expression is evaluated for. */
export interface RowContext {
  readonly rows: ProgramRows;
  /** Row of the sources. */
  readonly row: number;
  /** Row of what is made, where it differs. */
  readonly position?: number;
  readonly snapshot: ExecutionSnapshot;
  /** Parts that are read instead of computed. */
  readonly stages?: StagePlaces;
}

/**
 * Evaluates an expression for one row by walking its tree: the meaning that compiled programs have to
 * reproduce. Along chains it takes no call stack.
 *
 * @throws RowFault when the row fails
 */
export function interpretExpression(expression: TypedExpression, context: RowContext): Value {
  const inner = chainedPart(expression);
  if (inner === undefined || stagedPlace(expression, context) !== undefined) {
    return interpretNode(expression, context, undefined);
  }
  const chain = [expression];
  for (let part: TypedExpression | undefined = inner; part !== undefined; ) {
    chain.push(part);
    part = stagedPlace(part, context) === undefined ? chainedPart(part) : undefined;
  }
  let value: Value | undefined;
  for (let node = chain.pop(); node !== undefined; node = chain.pop()) {
    value = interpretNode(node, context, value);
  }
  assert(value !== undefined, 'a chain has a first part');
  return value;
}

/** Where a part is read that was computed ahead. */
function stagedPlace(expression: TypedExpression, { rows, stages }: RowContext) {
  return rows.staged === undefined ? undefined : stages?.get(expression);
}

/** @param first value of the part with which a chain goes on, if the node has one */
function interpretNode(
  expression: TypedExpression,
  context: RowContext,
  first: Value | undefined,
): Value {
  try {
    const { staged } = context.rows;
    const place = stagedPlace(expression, context);
    if (staged === undefined || place === undefined) return evaluate(expression, context, first);
    return stagedValue(staged, place, context.position ?? context.row);
  } catch (fault) {
    if (fault instanceof RowFault) fault.span ??= expression.span;
    throw fault;
  }
}

function evaluate(
  expression: TypedExpression,
  context: RowContext,
  first: Value | undefined,
): Value {
  const chained = (part: TypedExpression): Value =>
    first === undefined ? interpretExpression(part, context) : first;
  switch (expression.kind) {
    case 'literal':
      return literalValue(expression);
    case 'column':
      return columnValue(expression, context);
    case 'aggregate':
      return batchValue(context.rows.aggregates, expression.index, context.row);
    case 'unary': {
      const operand = interpretExpression(expression.operand, context);
      if (operand === null) return null;
      return expression.operator === 'not' ? !operand : negate(operand, expression.type);
    }
    case 'binary':
      return binary(expression, chained(expression.left), context);
    case 'distinct': {
      const left = chained(expression.left);
      const right = interpretExpression(expression.right, context);
      const isSame = left === null || right === null ? left === right : equalScalars(left, right);
      return expression.negated ? isSame : !isSame;
    }
    case 'in':
      return membership(expression, chained(expression.operand), context);
    case 'between':
      return between(expression, chained(expression.operand), context);
    case 'cast':
      return cast(expression, chained(expression.operand));
    case 'case':
      return conditional(expression, context);
    case 'call':
      return call(expression, context);
    case 'list': {
      const values = expression.elements.map((element) => interpretExpression(element, context));
      return values.includes(null) ? null : values;
    }
    case 'state':
      return stateValue(expression, context.rows, context.row);
    case 'json_read':
    case 'json_exists': {
      const document = interpretExpression(expression.document, context);
      return document === null ? null : jsonKernel(expression)(document as string);
    }
    case 'lookup': {
      const key = interpretExpression(expression.key, context);
      return key === null ? null : lookUp(expression, key, context.rows);
    }
    case 'udf_call':
      return unstaged();
  }
}

/** Value of a literal in the runtime's form. */
export function literalValue({ value, type }: TypedLiteral): Value {
  if (value === null || type === 'STRING' || type === 'BOOL') return value;
  if (type === 'F32') return Math.fround(value as number);
  if (type === 'F64') return value as number;
  return integerValue(BigInt(value as string | number), type);
}

function batchValue(batch: RowView | undefined, index: number, row: number): Value {
  assert(batch !== undefined, 'a program is given every row it reads');
  const column = batch.columns[index];
  assert(column !== undefined && column !== null, 'a program reads columns that exist');
  return readValue(column, batch.rowCount === 1 ? 0 : row);
}

function columnValue({ row, field }: TypedColumn, context: RowContext): Value {
  const batch = context.rows[row];
  assert(batch !== undefined, 'a program is given every row it reads');
  const index = batch.schema.fields.findIndex(({ name }) => name === field);
  return batchValue(
    batch,
    index,
    row === 'output' ? (context.position ?? context.row) : context.row,
  );
}

function binary(expression: TypedBinary, left: Value, context: RowContext): Value {
  const right = interpretExpression(expression.right, context);
  const { operator } = expression;
  if (operator === 'and' || operator === 'or') {
    const decisive = operator === 'or';
    if (left === decisive || right === decisive) return decisive;
    return left === null || right === null ? null : !decisive;
  }
  if (left === null || right === null) return null;
  switch (operator) {
    case 'eq':
      return equalScalars(left, right);
    case 'not_eq':
      return !equalScalars(left, right);
    case 'lt':
      return isBelow(left, right);
    case 'gt':
      return isBelow(right, left);
    case 'lt_eq':
      return isBelow(left, right) || equalScalars(left, right);
    case 'gt_eq':
      return isBelow(right, left) || equalScalars(left, right);
    default:
      return arithmetic(operator, left, right, expression.type);
  }
}

function membership(expression: TypedIn, operand: Value, context: RowContext): Value {
  if (expression.elements.length === 0) return expression.negated;
  if (operand === null) return null;
  const isMember = expression.elements.some((element) =>
    equalScalars(interpretExpression(element, context), operand),
  );
  return isMember !== expression.negated;
}

function between(expression: TypedBetween, operand: Value, context: RowContext): Value {
  const low = interpretExpression(expression.low, context);
  const high = interpretExpression(expression.high, context);
  const isAbove = atMost(low, operand);
  const isUnder = atMost(operand, high);
  if (isAbove === false || isUnder === false) return expression.negated;
  return isAbove === null || isUnder === null ? null : !expression.negated;
}

function atMost(left: Value, right: Value): boolean | null {
  if (left === null || right === null) return null;
  return isBelow(left, right) || equalScalars(left, right);
}

function cast(expression: TypedCast, operand: Value): Value {
  if (operand === null) return null;
  const from = expression.operand.type as ScalarType;
  const value = castValue(operand, from, expression.target);
  if (value !== undefined) return value;
  if (expression.isTry) return null;
  throw new RowFault('cast_failed', castDetail(expression.target));
}

function conditional(expression: TypedCase, context: RowContext): Value {
  const operand =
    expression.operand === null ? null : interpretExpression(expression.operand, context);
  for (const { when, then } of expression.arms) {
    const condition = interpretExpression(when, context);
    const isMatch =
      expression.operand === null
        ? condition === true
        : operand !== null && condition !== null && equalScalars(operand, condition);
    if (isMatch) return interpretExpression(then, context);
  }
  return expression.otherwise === null ? null : interpretExpression(expression.otherwise, context);
}

function call(expression: TypedCall, context: RowContext): Value {
  const values = expression.arguments.map((argument) => interpretExpression(argument, context));
  const [first = null, second = null] = values;
  switch (expression.function) {
    case 'coalesce':
      return values.find((value) => value !== null) ?? null;
    case 'is_null':
      return first === null;
    case 'nullif':
      return first !== null && second !== null && equalScalars(first, second) ? null : first;
    case 'greatest':
    case 'least':
      return extremum(values, expression.function === 'greatest');
    case 'leak_sensitive':
      return first;
    case 'now':
      return context.snapshot.nowNanos;
    case 'uuid_v4':
      return uuidV4(context.snapshot);
    case 'uuid_v7':
      return uuidV7(context.snapshot);
    case 'read_header':
      return first === null ? null : (headers(context, first as string)[0] ?? null);
    case 'read_headers':
      return first === null ? [] : headers(context, first as string);
    case 'concat':
      if (expression.overload !== 'concat.text') break;
      return concatTexts(values.filter((value): value is string => value !== null));
    case 'concat_ws':
      if (first === null) return null;
      return joinTexts(
        first as string,
        values.slice(1).filter((value): value is string => value !== null),
        'concat_ws',
      );
    default:
  }
  const kernel = kernelOf(expression);
  assert(kernel !== undefined, 'typed programs call functions of the table');
  return values.includes(null) ? null : kernel(values);
}

/** `greatest` or `least` of the present values; the first of equals. */
function extremum(values: readonly Value[], isGreatest: boolean): Value {
  let best: Value = null;
  for (const value of values) {
    if (value === null) continue;
    const order = best === null ? 1 : compareScalars(value, best);
    if (best === null || (isGreatest ? order > 0 : order < 0)) best = value;
  }
  return best;
}

function headers({ rows, row }: RowContext, name: string): readonly string[] {
  return (rows.headers?.(row, name) ?? []).map((value) => value.toWellFormed());
}
