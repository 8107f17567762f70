import type { BinaryOperator, TypedBetween, TypedDistinct, TypedIn } from '@nervix/model';
import { type Emitter, NotGenerated, type Operand } from './emitter.js';
import { literalValue } from './interpret-expression.js';

const SYMBOLS: Partial<Record<BinaryOperator, string>> = {
  eq: '===',
  not_eq: '!==',
  lt: '<',
  lt_eq: '<=',
  gt: '>',
  gt_eq: '>=',
};
const LISTED_MAX = 16;

/** Condition of a comparison of present operands. */
export function comparison(
  emitter: Emitter,
  operator: BinaryOperator,
  left: Operand,
  right: Operand,
): string {
  const symbol = SYMBOLS[operator] ?? '===';
  if (emitter.representation(left.type) !== 'text') {
    return `(${left.value} ${symbol} ${right.value})`;
  }
  const ranges = `${left.value}, ${left.start}, ${left.end}, ${right.value}, ${right.start}, ${right.end}`;
  if (operator === 'eq') return `equalRanges(${ranges})`;
  if (operator === 'not_eq') return `!equalRanges(${ranges})`;
  return `(compareRanges(${ranges}) ${symbol} 0)`;
}

/** Emits `IS [NOT] DISTINCT FROM`. */
export function emitDistinct(
  emitter: Emitter,
  { negated }: TypedDistinct,
  left: Operand,
  right: Operand,
): Operand {
  const equal = comparison(emitter, 'eq', left, right);
  const leftNull = left.isNull ?? 'false';
  const rightNull = right.isNull ?? 'false';
  const isSame = `(${leftNull} || ${rightNull} ? ${leftNull} === ${rightNull} : ${equal})`;
  return emitter.computed('BOOL', negated ? isSame : `!${isSame}`);
}

/** Emits `[NOT] BETWEEN` with its three-valued rule. */
export function emitBetween(
  emitter: Emitter,
  { negated }: TypedBetween,
  operand: Operand,
  bounds: readonly [Operand, Operand],
): Operand {
  const [low, high] = bounds;
  const above = comparison(emitter, 'gt_eq', operand, low);
  const under = comparison(emitter, 'lt_eq', operand, high);
  const nulls = [operand, low, high].flatMap(({ isNull }) => (isNull === null ? [] : [isNull]));
  if (nulls.length === 0) {
    return emitter.computed('BOOL', `${negated ? '!' : ''}(${above} && ${under})`);
  }
  const result = emitter.declare('BOOL', true);
  const operandNull = operand.isNull ?? 'false';
  const isOutside = [
    `(!(${low.isNull ?? 'false'}) && !${above})`,
    `(!(${high.isNull ?? 'false'}) && !${under})`,
  ].join(' || ');
  emitter.emit(
    `if (${operandNull}) ${result.isNull} = true;`,
    `else if (${isOutside}) ${result.value} = ${negated};`,
    `else if (${nulls.join(' || ')}) ${result.isNull} = true;`,
    `else ${result.value} = ${!negated};`,
  );
  return result;
}

/** Emits `[NOT] IN` over constant elements. */
export function emitIn(emitter: Emitter, expression: TypedIn, operand: Operand): Operand {
  const { negated } = expression;
  const values = expression.elements.map((element) => {
    if (element.kind !== 'literal') throw new NotGenerated('elements are literals');
    return literalValue(element);
  });
  if (values.length === 0) return emitter.computed('BOOL', String(negated));
  return emitter.strict([operand], 'BOOL', () =>
    emitter.computed('BOOL', `${negated ? '!' : ''}${membership(emitter, operand, values)}`),
  );
}

function membership(emitter: Emitter, operand: Operand, values: readonly unknown[]): string {
  const isDouble = emitter.mode === 'double' && (operand.type === 'I64' || operand.type === 'U64');
  const members = isDouble
    ? values.filter(isExactDouble).map((value) => Number(value as bigint))
    : values;
  const set = emitter.constant(new Set(members));
  if (operand.type === 'STRING') {
    const listed = members.map((member) =>
      emitter.constant(new TextEncoder().encode(String(member))),
    );
    if (members.length > LISTED_MAX) return `${set}.has(${emitter.boxed(operand)})`;
    const range = `${operand.value}, ${operand.start}, ${operand.end}`;
    return `(${listed.map((name) => `equalRanges(${range}, ${name}, 0, ${name}.length)`).join(' || ')})`;
  }
  return `${set}.has(${operand.value})`;
}

function isExactDouble(value: unknown): boolean {
  const integer = value as bigint;
  return integer <= 9007199254740991n && integer >= -9007199254740991n;
}
