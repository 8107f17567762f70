import type { DataType, ScalarType } from '../data-type.js';
import type { Failure } from './failure-kind.js';
import type { TypeClass } from './type-class.js';

/** What one parameter takes. */
export type ParameterType =
  | { readonly kind: 'exact'; readonly type: ScalarType }
  /** Any type of the class, whatever the other arguments are. */
  | { readonly kind: 'class'; readonly class: TypeClass }
  /** The type `T` of the call, which is of the class. */
  | { readonly kind: 'same'; readonly class: TypeClass }
  /** An ARRAY or VEC whose elements are of the type `T`, which is of the class. */
  | { readonly kind: 'list'; readonly class: TypeClass }
  /** An ARRAY or VEC of STRING. */
  | { readonly kind: 'texts' };

/**
 * What a constant argument has to be. All are read once, when the statement is applied; a `network`
 * may also be a value of each row.
 */
export type ConstantRule =
  | 'calendar_unit'
  | 'fixed_unit'
  | 'date_part'
  | 'bin_width'
  | 'time_zone'
  | 'written_format'
  | 'read_format'
  | 'disambiguation'
  | 'network'
  | 'hash_map'
  | 'hash_map_field'
  | 'percentile'
  | 'bucket_count'
  | 'lower_bound'
  | 'upper_bound'
  | 'delay'
  | 'precision'
  | 'top_count'
  | 'capacity';

/** A parameter of a signature. */
export interface Parameter {
  /** As hovers and the reference show it. */
  readonly name: string;
  readonly type: ParameterType;
  /** null where any expression may stand. */
  readonly constant: ConstantRule | null;
}

/** How the type of a result follows from the arguments. */
export type ResultType =
  | { readonly kind: 'exact'; readonly type: DataType }
  /** `T`. */
  | { readonly kind: 'same' }
  /** `VEC<T>`. */
  | { readonly kind: 'vec' }
  /** An ARRAY of as many `T` as there are arguments. */
  | { readonly kind: 'array' }
  /** An ARRAY of the summed lengths when every argument is one, else `VEC<T>`. */
  | { readonly kind: 'joined' }
  /** Type of the named field of the hash map. */
  | { readonly kind: 'field' }
  /** The call has no value. */
  | { readonly kind: 'none' };

/** When a result may be null. */
export type ResultNullability =
  /** When any argument may be. */
  | 'strict'
  | 'never'
  | 'always'
  /** Only when every argument may be. */
  | 'all_arguments';

/** One way to call a function. */
export interface FunctionSignature {
  /** Unique among all functions; engines find their kernel by it. */
  readonly overload: string;
  readonly parameters: readonly Parameter[];
  /** Parameters that may be left out, from the last on. */
  readonly optionalParameters: readonly Parameter[];
  /** Parameter of any number of further arguments. */
  readonly rest: Parameter | null;
  readonly result: ResultType;
  readonly nullability: ResultNullability;
  readonly failures: readonly Failure[];
}

/**
 * `immutable`: equal arguments, equal results. `execution`: one value for each piece of work.
 * `row`: depends on the payload of the row beside the arguments. `volatile`: each call differs.
 */
export type Stability = 'immutable' | 'execution' | 'row' | 'volatile';

/** Where a function may be called. */
export type CallPlace =
  | 'anywhere'
  /** Where a payload with headers is at hand. */
  | 'header_source'
  /** INVOKE of an emitter whose sink has headers. */
  | 'invoke'
  /** Where hash maps may be read. */
  | 'lookup'
  /** SET of a window route, over the rows of the window. */
  | 'aggregate';

/** Families of functions, one source file each. */
export type FunctionFamily =
  | 'nulls'
  | 'text'
  | 'pattern'
  | 'bytes'
  | 'network'
  | 'number'
  | 'context'
  | 'datetime'
  | 'list'
  | 'aggregate';

/** A function of the language. */
export interface BuiltinFunction {
  /** Canonical name: lower case, of aggregates upper case. */
  readonly name: string;
  readonly aliases: readonly string[];
  readonly family: FunctionFamily;
  /** One sentence. */
  readonly summary: string;
  readonly signatures: readonly FunctionSignature[];
  readonly stability: Stability;
  readonly place: CallPlace;
  /** True for functions that typed programs never contain, because they compile to their argument. */
  readonly isTransparent: boolean;
}
