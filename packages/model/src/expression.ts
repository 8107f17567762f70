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
export interface FloatLiteral {
  readonly kind: 'float';
  readonly value: number;
}
export interface StringLiteral {
  readonly kind: 'string';
  readonly value: string;
}
export interface BooleanLiteral {
  readonly kind: 'boolean';
  readonly value: boolean;
}
export interface NullLiteral {
  readonly kind: 'null';
}
export interface FieldReference {
  readonly kind: 'field';
  /** null for a bare name. */
  readonly scope: FieldScope | null;
  readonly name: string;
}
export interface RelayStateReference {
  readonly kind: 'relay_state';
  readonly relay: string;
  readonly name: string;
}
export interface FunctionCall {
  readonly kind: 'call';
  readonly name: string;
  readonly arguments: readonly Expression[];
}
export interface UdfCall {
  readonly kind: 'udf_call';
  readonly name: string;
  readonly arguments: readonly Expression[];
}
export interface ListLiteral {
  readonly kind: 'list';
  readonly elements: readonly Expression[];
}
export type UnaryOperator = 'neg' | 'not';
export interface UnaryExpression {
  readonly kind: 'unary';
  readonly operator: UnaryOperator;
  readonly operand: Expression;
}
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
export interface InExpression {
  readonly kind: 'in';
  readonly negated: boolean;
  readonly operand: Expression;
  readonly elements: readonly Expression[];
}
export interface BetweenExpression {
  readonly kind: 'between';
  readonly negated: boolean;
  readonly operand: Expression;
  readonly low: Expression;
  readonly high: Expression;
}
export interface CastExpression {
  readonly kind: 'cast';
  /** True for TRY_CAST, which yields null where AS fails. */
  readonly isTry: boolean;
  readonly operand: Expression;
  readonly target: ScalarType;
}
export interface CaseArm {
  readonly when: Expression;
  readonly then: Expression;
}
export interface CaseExpression {
  readonly kind: 'case';
  /** `if` prints as IF … THEN … ELSE … END and has one arm and an `otherwise`. */
  readonly form: 'case' | 'if';
  readonly operand: Expression | null;
  readonly arms: readonly CaseArm[];
  readonly otherwise: Expression | null;
}
export interface JsonReadExpression {
  readonly kind: 'json_read';
  readonly function: 'JSON_VALUE' | 'TRY_JSON_VALUE';
  readonly document: Expression;
  /** Normalised JSON path text. */
  readonly path: string;
  readonly target: DataType;
}
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
