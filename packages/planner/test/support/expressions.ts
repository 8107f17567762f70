import type { BinaryOperator, DataType, Expression, FieldScope, ScalarType } from '@nervix/model';

export const int = (value: number | string): Expression => ({
  kind: 'integer',
  digits: String(value),
});
export const float = (value: number): Expression => ({ kind: 'float', value });
export const text = (value: string): Expression => ({ kind: 'string', value });
export const bool = (value: boolean): Expression => ({ kind: 'boolean', value });
export const nil: Expression = { kind: 'null' };

/** A field as written: `x`, `input.x` or `relay_state.r.x`. */
export function field(written: string): Expression {
  const [first = '', second, third] = written.split('.');
  if (second !== undefined && third !== undefined) {
    return { kind: 'relay_state', relay: second, name: third };
  }
  if (second === undefined) return { kind: 'field', scope: null, name: first };
  return { kind: 'field', scope: first as FieldScope, name: second };
}

export const call = (name: string, ...args: Expression[]): Expression => ({
  kind: 'call',
  name,
  arguments: args,
});
export const binary = (
  left: Expression,
  operator: BinaryOperator,
  right: Expression,
): Expression => ({ kind: 'binary', operator, left, right });
export const neg = (operand: Expression): Expression => ({
  kind: 'unary',
  operator: 'neg',
  operand,
});
export const not = (operand: Expression): Expression => ({
  kind: 'unary',
  operator: 'not',
  operand,
});
export const cast = (operand: Expression, target: ScalarType): Expression => ({
  kind: 'cast',
  isTry: false,
  operand,
  target,
});
export const tryCast = (operand: Expression, target: ScalarType): Expression => ({
  kind: 'cast',
  isTry: true,
  operand,
  target,
});
export const list = (...elements: Expression[]): Expression => ({ kind: 'list', elements });
export const inSet = (operand: Expression, ...elements: Expression[]): Expression => ({
  kind: 'in',
  negated: false,
  operand,
  elements,
});
export const between = (operand: Expression, low: Expression, high: Expression): Expression => ({
  kind: 'between',
  negated: false,
  operand,
  low,
  high,
});
export const distinct = (left: Expression, right: Expression): Expression => ({
  kind: 'distinct',
  negated: false,
  left,
  right,
});

/** A searched CASE, or a simple one with an operand. */
export function caseOf(
  arms: readonly (readonly [Expression, Expression])[],
  otherwise: Expression | null = null,
  operand: Expression | null = null,
): Expression {
  return {
    kind: 'case',
    form: 'case',
    operand,
    arms: arms.map(([when, then]) => ({ when, then })),
    otherwise,
  };
}

export const udf = (name: string, ...args: Expression[]): Expression => ({
  kind: 'udf_call',
  name,
  arguments: args,
});
export const jsonValue = (
  document: Expression,
  target: DataType,
  name: 'JSON_VALUE' | 'TRY_JSON_VALUE' = 'JSON_VALUE',
): Expression => ({ kind: 'json_read', function: name, document, path: '$.a', target });
export const jsonExists = (document: Expression): Expression => ({
  kind: 'json_exists',
  document,
  path: '$.a',
});
