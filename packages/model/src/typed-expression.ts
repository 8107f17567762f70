import type { DataType, ScalarType } from './data-type.js';
import type { BinaryOperator, UnaryOperator } from './expression.js';
import type { SourceSpan } from './source-span.js';

/**
 * Version of the typed expressions below. It grows with every change that an engine has to know of;
 * an engine refuses what it was not written for.
 */
export const TYPED_PROGRAM_VERSION = 1;

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
  | 'metadata'
  /** What a model, guest or generator made. */
  | 'generated';

interface Typed {
  readonly type: DataType;
  /** Whether the value may be null. */
  readonly optional: boolean;
  /** Whether the value derives from a sensitive field. */
  readonly sensitive: boolean;
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
/** A field of the latest record of a materialized relay. */
export interface TypedState extends Typed {
  readonly kind: 'state';
  readonly relay: string;
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
/**
 * A call of a function of the table. Arguments that have to be constant are literals in canonical
 * spelling: units and parts in lower case, zones as the database writes them.
 */
export interface TypedCall extends Typed {
  readonly kind: 'call';
  /** Canonical name; aliases are already resolved. */
  readonly function: string;
  /** The signature that is used: with the types of the arguments it names one computation. */
  readonly overload: string;
  readonly arguments: readonly TypedExpression[];
}
/** A call of a function that the domain defines. */
export interface TypedUdfCall extends Typed {
  readonly kind: 'udf_call';
  readonly name: string;
  /** Whether two calls with equal arguments may differ. */
  readonly volatile: boolean;
  readonly arguments: readonly TypedExpression[];
}
/** Reads a field of the entry that a hash map has for a key. */
export interface TypedLookup extends Typed {
  readonly kind: 'lookup';
  readonly map: string;
  readonly key: TypedExpression;
  readonly field: string;
}
/** Reads a value of a JSON text. */
export interface TypedJsonRead extends Typed {
  readonly kind: 'json_read';
  readonly isTry: boolean;
  readonly document: TypedExpression;
  /** Normalised JSON path text. */
  readonly path: string;
}
/** Asks whether a JSON text has a value at a path. */
export interface TypedJsonExists extends Typed {
  readonly kind: 'json_exists';
  readonly document: TypedExpression;
  readonly path: string;
}
/** Reads the result of an aggregate of the same window route, by its index there. */
export interface TypedAggregateResult extends Typed {
  readonly kind: 'aggregate';
  readonly index: number;
}
/** A list of values, ARRAY or VEC by its type; null when an element is. */
export interface TypedList extends Typed {
  readonly kind: 'list';
  readonly elements: readonly TypedExpression[];
}

/** Expression with every type, scope and nullability decided; plain data, safe to send anywhere. */
export type TypedExpression =
  | TypedLiteral
  | TypedColumn
  | TypedState
  | TypedUnary
  | TypedBinary
  | TypedDistinct
  | TypedIn
  | TypedBetween
  | TypedCast
  | TypedCase
  | TypedCall
  | TypedUdfCall
  | TypedLookup
  | TypedJsonRead
  | TypedJsonExists
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
  /** Arguments that each row has a value of. */
  readonly arguments: readonly TypedExpression[];
  /** Settings behind them, in written order; a delay is an integer of nanoseconds. */
  readonly constants: readonly TypedLiteral[];
  readonly type: DataType;
  readonly optional: boolean;
  readonly sensitive: boolean;
  readonly span?: SourceSpan;
}

/** An expression that is typed alone, ready to be stored or sent: plain data. */
export interface TypedProgram {
  readonly version: typeof TYPED_PROGRAM_VERSION;
  readonly expression: TypedExpression;
  /** Aggregates that the expression reads by their index. */
  readonly aggregates: readonly TypedAggregate[];
  /** Sorted paths of the fields read, such as `input.delay`. */
  readonly reads: readonly string[];
}
