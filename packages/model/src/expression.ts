import type { DataType, ScalarType } from './data-type.js';

/** Qualifiers of a field reference. `relay_state` references carry their relay separately. */
export type FieldScope =
  | 'message'
  | 'input'
  | 'output'
  | 'branch'
  | 'left'
  | 'right'
  | 'metadata'
  | 'partial_output'
  | 'error';

/** Integer literal: its decimal digits, so that no host number type can round it. */
export interface IntegerLiteral {
  readonly kind: 'integer';
  readonly digits: string;
}
/** A number with a point. */
export interface FloatLiteral {
  readonly kind: 'float';
  readonly value: number;
}
/** A text in quotes. */
export interface StringLiteral {
  readonly kind: 'string';
  readonly value: string;
}
/** `TRUE` or `FALSE`. */
export interface BooleanLiteral {
  readonly kind: 'boolean';
  readonly value: boolean;
}
/** `NULL`. */
export interface NullLiteral {
  readonly kind: 'null';
}
/** A field, perhaps behind a scope. */
export interface FieldReference {
  readonly kind: 'field';
  /** null for a bare name. */
  readonly scope: FieldScope | null;
  readonly name: string;
}
/** A field of the latest record of a relay. */
export interface RelayStateReference {
  readonly kind: 'relay_state';
  readonly relay: string;
  readonly name: string;
}
/** A call of a builtin function. */
export interface FunctionCall {
  readonly kind: 'call';
  readonly name: string;
  readonly arguments: readonly Expression[];
}
/** A call of a function that the domain defines. */
export interface UdfCall {
  readonly kind: 'udf_call';
  readonly name: string;
  readonly arguments: readonly Expression[];
}
/** `[a, b]`. */
export interface ListLiteral {
  readonly kind: 'list';
  readonly elements: readonly Expression[];
}
/** Operators before their operand. */
export type UnaryOperator = 'neg' | 'not';
/** An operator and its operand. */
export interface UnaryExpression {
  readonly kind: 'unary';
  readonly operator: UnaryOperator;
  readonly operand: Expression;
}
/** Operators between two operands. */
export type BinaryOperator =
  | 'add'
  | 'sub'
  | 'mul'
  | 'div'
  | 'rem'
  | 'eq'
  | 'not_eq'
  | 'gt'
  | 'lt'
  | 'gt_eq'
  | 'lt_eq'
  | 'and'
  | 'or';
/** An operator and its two operands. */
export interface BinaryExpression {
  readonly kind: 'binary';
  readonly operator: BinaryOperator;
  readonly left: Expression;
  readonly right: Expression;
}
/** `IS [NOT] DISTINCT FROM`. */
export interface DistinctExpression {
  readonly kind: 'distinct';
  readonly negated: boolean;
  readonly left: Expression;
  readonly right: Expression;
}
/** `x IN (a, b)` and its negation. */
export interface InExpression {
  readonly kind: 'in';
  readonly negated: boolean;
  readonly operand: Expression;
  readonly elements: readonly Expression[];
}
/** `x BETWEEN low AND high` and its negation. */
export interface BetweenExpression {
  readonly kind: 'between';
  readonly negated: boolean;
  readonly operand: Expression;
  readonly low: Expression;
  readonly high: Expression;
}
/** `x AS type` and `TRY_CAST(x AS type)`. */
export interface CastExpression {
  readonly kind: 'cast';
  /** True for TRY_CAST, which yields null where AS fails. */
  readonly isTry: boolean;
  readonly operand: Expression;
  readonly target: ScalarType;
}
/** A condition, or value to match, and the result it chooses. */
export interface CaseArm {
  readonly when: Expression;
  readonly then: Expression;
}
/** `CASE` and `IF`. */
export interface CaseExpression {
  readonly kind: 'case';
  /** `if` prints as IF … THEN … ELSE … END and has one arm and an `otherwise`. */
  readonly form: 'case' | 'if';
  readonly operand: Expression | null;
  readonly arms: readonly CaseArm[];
  readonly otherwise: Expression | null;
}
/** `JSON_VALUE` and `TRY_JSON_VALUE`. */
export interface JsonReadExpression {
  readonly kind: 'json_read';
  readonly function: 'JSON_VALUE' | 'TRY_JSON_VALUE';
  readonly document: Expression;
  /** Normalised JSON path text. */
  readonly path: string;
  readonly target: DataType;
}
/** `JSON_EXISTS`. */
export interface JsonExistsExpression {
  readonly kind: 'json_exists';
  readonly document: Expression;
  readonly path: string;
}

/** Untyped expression as read from NSPL. */
export type Expression =
  | IntegerLiteral
  | FloatLiteral
  | StringLiteral
  | BooleanLiteral
  | NullLiteral
  | FieldReference
  | RelayStateReference
  | FunctionCall
  | UdfCall
  | ListLiteral
  | UnaryExpression
  | BinaryExpression
  | DistinctExpression
  | InExpression
  | BetweenExpression
  | CastExpression
  | CaseExpression
  | JsonReadExpression
  | JsonExistsExpression;
