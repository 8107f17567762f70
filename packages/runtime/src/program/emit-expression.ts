import {
  assert,
  chainedPart,
  isIntegerType,
  isNumericType,
  type TypedBinary,
  type TypedCase,
  type TypedCast,
  type TypedExpression,
  type TypedLiteral,
  typedParts,
} from '@nervix/model';
import { encodeText } from '../column/text.js';
import { unstaged } from './call-stages.js';
import { castValue } from './cast-value.js';
import { emitArithmetic, emitNegation } from './emit-arithmetic.js';
import { emitCall } from './emit-call.js';
import { emitCast } from './emit-cast.js';
import { comparison, emitBetween, emitDistinct, emitIn } from './emit-comparison.js';
import { emitList, emitSurroundings } from './emit-surroundings.js';
import { type Emitter, NotGenerated, type Operand } from './emitter.js';
import { literalValue } from './interpret-expression.js';
import type { ProgramSource } from './row-set.js';

/**
 * Emits the statements that evaluate an expression for row `i` of the sources and row `o` of what is
 * made, operands left to right. Along chains it takes no call stack.
 */
export function emitExpression(emitter: Emitter, expression: TypedExpression): Operand {
  const chain: TypedExpression[] = [];
  let first: Operand | undefined;
  for (let part: TypedExpression | undefined = expression; part !== undefined; ) {
    first = emitter.known(part);
    if (first !== undefined) break;
    chain.push(part);
    const isLeaf: boolean = emitter.stages.has(part) || isFolded(part);
    part = isLeaf ? undefined : chainedPart(part);
  }
  for (let node = chain.pop(); node !== undefined; node = chain.pop()) {
    const place = emitter.stages.get(node);
    const operand =
      place === undefined ? emitNode(emitter, node, first) : emitStaged(emitter, node, place);
    emitter.keep(node, operand);
    first = operand;
  }
  assert(first !== undefined, 'a chain has a first part');
  return first;
}

/** Reads what a stage computed ahead; a row that failed there fails here, in its turn. */
function emitStaged(emitter: Emitter, expression: TypedExpression, place: number): Operand {
  const faults = emitter.fresh('f');
  const fault = emitter.fresh('x');
  emitter.opening.push(`const ${faults} = P.staged.faults[${place}];`);
  emitter.emit(`const ${fault} = ${faults}.get(o);`);
  emitter.failIfSet(fault);
  return emitColumn(emitter, expression, 'staged', String(place));
}

/** @param first operand of the part with which a chain goes on, if the node has one */
function emitNode(
  emitter: Emitter,
  expression: TypedExpression,
  first: Operand | undefined,
): Operand {
  const part = (inner: TypedExpression): Operand => emitExpression(emitter, inner);
  const chained = (inner: TypedExpression): Operand => first ?? part(inner);
  switch (expression.kind) {
    case 'literal':
      return emitLiteral(emitter, expression);
    case 'column':
      return emitColumn(emitter, expression, expression.row, expression.field);
    case 'aggregate':
      return emitColumn(emitter, expression, 'aggregates', String(expression.index));
    case 'unary': {
      const operand = part(expression.operand);
      return emitter.strict([operand], expression.type, () =>
        expression.operator === 'not'
          ? emitter.computed('BOOL', `!${operand.value}`)
          : emitNegation(emitter, expression, operand),
      );
    }
    case 'binary':
      return emitBinary(emitter, expression, chained(expression.left));
    case 'distinct':
      return emitDistinct(emitter, expression, chained(expression.left), part(expression.right));
    case 'in':
      return emitIn(emitter, expression, chained(expression.operand));
    case 'between': {
      const operand = chained(expression.operand);
      const low = part(expression.low);
      return emitBetween(emitter, expression, operand, [low, part(expression.high)]);
    }
    case 'cast': {
      const folded = foldedCast(expression);
      if (folded !== undefined) return emitLiteral(emitter, folded);
      return emitCast(emitter, expression, chained(expression.operand));
    }
    case 'case':
      return emitCase(emitter, expression);
    case 'call':
      return emitCall(emitter, expression, expression.arguments.map(part));
    case 'list':
      return emitList(emitter, expression, expression.elements.map(part));
    case 'state':
    case 'lookup':
    case 'json_read':
    case 'json_exists':
      return emitSurroundings(emitter, expression, typedParts(expression).map(part));
    case 'udf_call':
      return unstaged();
  }
}

function isFolded(expression: TypedExpression): boolean {
  return expression.kind === 'cast' && foldedCast(expression) !== undefined;
}

/** The literal that a conversion of a literal number comes to; undefined where a row has to tell. */
function foldedCast({ operand, target, span }: TypedCast): TypedLiteral | undefined {
  if (operand.kind !== 'literal' || !isNumericType(operand.type) || !isNumericType(target)) {
    return undefined;
  }
  const value = castValue(literalValue(operand), operand.type, target);
  if (value === undefined || (typeof value === 'number' && !Number.isFinite(value))) {
    return undefined;
  }
  const written = isIntegerType(target) ? String(value) : (value as number);
  const fixed = { type: target, optional: false, sensitive: false } as const;
  return { kind: 'literal', value: written, ...fixed, ...(span === undefined ? {} : { span }) };
}

function emitLiteral(emitter: Emitter, expression: TypedLiteral): Operand {
  const { type } = expression;
  if (expression.value === null) return { ...emitter.declare(type, false), isNull: 'true' };
  const value = literalValue(expression);
  const operand = { type, isNull: null, start: '', end: '' };
  switch (emitter.representation(type)) {
    case 'text': {
      if (typeof value !== 'string') throw new NotGenerated('BYTES have no literals');
      const bytes = encodeText(value);
      return { ...operand, value: emitter.constant(bytes), start: '0', end: String(bytes.length) };
    }
    case 'list':
      throw new NotGenerated('lists have no literals');
    case 'bigint':
      return { ...operand, value: emitter.constant(value) };
    case 'boolean':
      return { ...operand, value: String(value === true) };
    default: {
      const number = Number(value);
      if (typeof value === 'bigint' && !Number.isSafeInteger(number)) {
        throw new NotGenerated('a literal beyond the exact doubles');
      }
      // Digits that the compiler prints itself; the host folds them.
      return { ...operand, value: Object.is(number, -0) ? '(-0)' : `(${number})` };
    }
  }
}

function emitColumn(
  emitter: Emitter,
  expression: TypedExpression,
  source: ProgramSource,
  name: string,
): Operand {
  const { type } = expression;
  const fields = emitter.schemas[source]?.fields ?? [];
  const index = fields.findIndex((field) => field.name === name);
  if (index < 0) throw new NotGenerated('a source without schema is interpreted');
  const isOptional = expression.optional || fields[index]?.optional === true;
  const known = emitter.bindings.findIndex((b) => b.source === source && b.index === index);
  const binding = known >= 0 ? known : emitter.bindings.push({ source, index, type }) - 1;
  const row = rowIndex(emitter, source, binding);
  if (!isOptional) return emitLoad(emitter, type, binding, row);
  const isNull = emitter.fresh('n');
  emitter.emit(
    `const ${isNull} = N${binding} !== null && (N${binding}[${row} >>> 3] >>> (${row} & 7) & 1) === 0;`,
  );
  const absent: Operand = { type, isNull, value: '', start: '', end: '' };
  return emitter.strict([absent], type, () => emitLoad(emitter, type, binding, row));
}

/** Sources that may have one row for all. */
const BROADCAST: ReadonlySet<ProgramSource> = new Set(['branch', 'metadata', 'aggregates']);

function rowIndex(emitter: Emitter, source: ProgramSource, binding: number): string {
  if (source === 'output' || source === 'staged') return 'o';
  if (!BROADCAST.has(source)) return 'i';
  const row = emitter.fresh('r');
  emitter.emit(`const ${row} = i * R${binding};`);
  return row;
}

function emitLoad(
  emitter: Emitter,
  type: TypedExpression['type'],
  binding: number,
  row: string,
): Operand {
  const values = `V${binding}`;
  switch (emitter.representation(type)) {
    case 'boolean':
      return emitter.computed(type, `(${values}[${row} >>> 3] >>> (${row} & 7) & 1) === 1`);
    case 'text': {
      const start = emitter.fresh('s');
      const end = emitter.fresh('e');
      const offsets = `O${binding}`;
      emitter.emit(`const ${start} = ${offsets}[${row}], ${end} = ${offsets}[${row} + 1];`);
      return { type, isNull: null, value: values, start, end, isColumn: true };
    }
    case 'bigint':
      return emitter.computed(type, `${values}[${row}]`);
    case 'list':
      return emitter.computed(type, `readValue(${values}, ${row})`);
    default:
      if (type !== 'I64' && type !== 'U64') return emitter.computed(type, `${values}[${row}]`);
      return emitWideLoad(emitter, type, binding, row);
  }
}

/** Reads a 64-bit integer from its halves; one that is no exact double leaves the loop. */
function emitWideLoad(
  emitter: Emitter,
  type: 'I64' | 'U64',
  binding: number,
  row: string,
): Operand {
  const high = emitter.fresh('h');
  emitter.emit(`const ${high} = W${binding}[${row} * 2 + 1];`);
  emitter.leaveIf(
    type === 'I64' ? `${high} > 2097151 || ${high} < -2097151` : `${high} >>> 0 > 2097151`,
  );
  return emitter.computed(type, `${high} * 4294967296 + (W${binding}[${row} * 2] >>> 0)`);
}

function emitBinary(emitter: Emitter, expression: TypedBinary, left: Operand): Operand {
  const { operator, type } = expression;
  if (operator === 'and' || operator === 'or') {
    return emitLogic(emitter, operator, left, expression.right);
  }
  const right = emitExpression(emitter, expression.right);
  return emitter.strict([left, right], type, () => {
    const isArithmetic = ['add', 'sub', 'mul', 'div', 'rem'].includes(operator);
    if (isArithmetic) return emitArithmetic(emitter, expression, left, right);
    return emitter.computed('BOOL', comparison(emitter, operator, left, right));
  });
}

/**
 * Three-valued AND and OR. The right operand is left out where the left one decides, if that cannot
 * be told: no row may fail or leave the loop in it.
 */
function emitLogic(
  emitter: Emitter,
  operator: 'and' | 'or',
  left: Operand,
  rightExpression: TypedExpression,
): Operand {
  if (left.isNull !== null) {
    return emitFullLogic(emitter, operator, left, emitExpression(emitter, rightExpression));
  }
  const result = emitter.fresh('v');
  emitter.emit(`let ${result} = ${left.value};`);
  const isOpen = `${operator === 'and' ? '' : '!'}${left.value}`;
  const right = emitter.emitUnder(isOpen, () => emitExpression(emitter, rightExpression));
  if (!right.isBlock) return emitFullLogic(emitter, operator, left, right.operand);
  emitter.emit(`${result} = ${right.operand.value};`, '}');
  return { type: 'BOOL', isNull: null, value: result, start: '', end: '' };
}

/** AND and OR of operands that have both been evaluated. */
function emitFullLogic(
  emitter: Emitter,
  operator: 'and' | 'or',
  left: Operand,
  right: Operand,
): Operand {
  const sign = operator === 'and' ? '&&' : '||';
  if (left.isNull === null && right.isNull === null) {
    return emitter.computed('BOOL', `${left.value} ${sign} ${right.value}`);
  }
  const not = operator === 'and' ? '!' : '';
  const decides = (operand: Operand): string =>
    operand.isNull === null
      ? `${not}${operand.value}`
      : `(!${operand.isNull} && ${not}${operand.value})`;
  const decided = emitter.computed('BOOL', `${decides(left)} || ${decides(right)}`);
  const isNull = emitter.fresh('n');
  const nulls = [left, right].flatMap((operand) => operand.isNull ?? []);
  emitter.emit(`const ${isNull} = !${decided.value} && (${nulls.join(' || ')});`);
  const value = operator === 'or' ? decided.value : `!${decided.value} && !${isNull}`;
  return { ...emitter.computed('BOOL', value), isNull };
}

/** Arms are nested, so that conditions and results run only for the rows that reach them. */
function emitCase(emitter: Emitter, expression: TypedCase): Operand {
  const operand = expression.operand === null ? null : emitExpression(emitter, expression.operand);
  const result = emitter.declare(expression.type, true);
  for (const { when, then } of expression.arms) {
    const condition = emitExpression(emitter, when);
    emitter.emit(`if (${armCondition(emitter, operand, condition)}) {`);
    emitter.openBlock();
    emitter.assignAny(result, emitExpression(emitter, then));
    emitter.closeBlocks(1);
    emitter.emit('} else {');
    emitter.openBlock();
  }
  if (expression.otherwise === null) emitter.emit(`${result.isNull} = true;`);
  else emitter.assignAny(result, emitExpression(emitter, expression.otherwise));
  emitter.closeBlocks(expression.arms.length);
  emitter.emit('}'.repeat(expression.arms.length));
  return result;
}

function armCondition(emitter: Emitter, operand: Operand | null, condition: Operand): string {
  const isPresent = condition.isNull === null ? '' : `!${condition.isNull} && `;
  if (operand === null) return `${isPresent}${condition.value}`;
  const hasOperand = operand.isNull === null ? '' : `!${operand.isNull} && `;
  return `${hasOperand}${isPresent}${comparison(emitter, 'eq', operand, condition)}`;
}
