import type { DataType, ScalarType } from './data-type.js';
import type { BinaryOperator, UnaryOperator } from './expression.js';
import type { SourceSpan } from './source-span.js';

/**
 * Rows a typed program may read. `output` is the record under construction (or the finished one, in
 * a route WHERE); `error` and `partial_output` exist only in error records.
 */
export type RowSource =
  | 'input'
  | 'output'
  | 'branch'
  | 'error'
  | 'partial_output'
  | 'left'
  | 'right'
  | 'metadata';

interface Typed {
  readonly type: DataType;
  /** Whether the value may be null. */
  readonly optional: boolean;
  /** Range in the canonical statement text, when known; failures report it. */
  readonly span?: SourceSpan;
}

/** Integers (of every width) carry decimal text; floats a finite number; null a null. */
export interface TypedLiteral extends Typed {
  readonly kind: 'literal';
  readonly value: string | number | boolean | null;
}
/** A column of a record that is read. */
export interface TypedColumn extends Typed {
  readonly kind: 'column';
  readonly row: RowSource;
  readonly field: string;
}
/** An operator and its operand. */
export interface TypedUnary extends Typed {
  readonly kind: 'unary';
  readonly operator: UnaryOperator;
  readonly operand: TypedExpression;
}
/** An operator and its two operands. */
export interface TypedBinary extends Typed {
  readonly kind: 'binary';
  readonly operator: BinaryOperator;
  readonly left: TypedExpression;
  readonly right: TypedExpression;
}
/** `IS DISTINCT FROM` and its negation. */
export interface TypedDistinct extends Typed {
  readonly kind: 'distinct';
  readonly negated: boolean;
  readonly left: TypedExpression;
  readonly right: TypedExpression;
}
/** Elements are evaluated constants of exactly the operand's type, in the literal form above. */
export interface TypedIn extends Typed {
  readonly kind: 'in';
  readonly negated: boolean;
  readonly operand: TypedExpression;
  readonly elements: readonly TypedExpression[];
}
/** `BETWEEN` and its negation. */
export interface TypedBetween extends Typed {
  readonly kind: 'between';
  readonly negated: boolean;
  readonly operand: TypedExpression;
  readonly low: TypedExpression;
  readonly high: TypedExpression;
}
/** A conversion. */
export interface TypedCast extends Typed {
  readonly kind: 'cast';
  readonly isTry: boolean;
  readonly operand: TypedExpression;
  readonly target: ScalarType;
}
/** A choice between results. */
export interface TypedCase extends Typed {
  readonly kind: 'case';
  readonly operand: TypedExpression | null;
  readonly arms: readonly { readonly when: TypedExpression; readonly then: TypedExpression }[];
  /** null when absent: the result is then a typed null. */
  readonly otherwise: TypedExpression | null;
}
/** `function` is the canonical lower-case name; aliases are already resolved. */
export interface TypedCall extends Typed {
  readonly kind: 'call';
  readonly function: string;
  readonly arguments: readonly TypedExpression[];
}
/** Reads the result of an aggregate of the same window route, by its index there. */
export interface TypedAggregateResult extends Typed {
  readonly kind: 'aggregate';
  readonly index: number;
}
/** A list of values. */
export interface TypedList extends Typed {
  readonly kind: 'list';
  readonly elements: readonly TypedExpression[];
}

/** Expression with every type, scope and nullability decided; plain data, safe to send anywhere. */
export type TypedExpression =
  | TypedLiteral
  | TypedColumn
  | TypedUnary
  | TypedBinary
  | TypedDistinct
  | TypedIn
  | TypedBetween
  | TypedCast
  | TypedCase
  | TypedCall
  | TypedAggregateResult
  | TypedList;

/** One field's value, with what an error report says about it. */
export interface TypedAssignment {
  readonly field: string;
  readonly operation: 'inherit' | 'set' | 'branch_set';
  /** Zero-based position in the route; INHERIT fields count first. */
  readonly index: number;
  readonly value: TypedExpression;
  /** Sorted paths of the assigned field and of every field read, such as `input.delay`. */
  readonly paths: readonly string[];
}

/** An aggregate of a window route; its arguments read only `input`. */
export interface TypedAggregate {
  /** Canonical upper-case name: `COUNT`, `AVG`. */
  readonly function: string;
  readonly arguments: readonly TypedExpression[];
  readonly type: DataType;
  readonly optional: boolean;
  readonly span?: SourceSpan;
}
