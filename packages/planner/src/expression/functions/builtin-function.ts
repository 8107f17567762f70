import type { ScalarType } from '@nervix/model';

/** Types that the arguments marked with it share: `T` of a signature. */
export type TypeClass =
  | 'any'
  | 'scalar'
  /** Numbers, STRING and DATETIME. */
  | 'orderable'
  | 'numeric'
  | 'float';

/** What one parameter takes. */
export type ParameterRule =
  | { readonly kind: 'exact'; readonly type: ScalarType }
  /** Any integer type, alone: counts and positions. */
  | { readonly kind: 'integer' }
  /** All such parameters of a call have one exact type of the class. */
  | { readonly kind: 'same'; readonly class: TypeClass };

/** When a result may be null. */
export type ResultNullability =
  /** When any argument may be. */
  | 'strict'
  | 'never'
  | 'always'
  /** Only when every argument may be. */
  | 'all_arguments';

/** Signature of a function of expressions. */
export interface BuiltinFunction {
  /** Canonical lower-case name, as typed plans carry it. */
  readonly name: string;
  readonly aliases: readonly string[];
  readonly parameters: readonly ParameterRule[];
  /** Parameters that may be left out, from the last on. */
  readonly optionalParameters: readonly ParameterRule[];
  /** Rule of any number of further arguments. */
  readonly rest: ParameterRule | null;
  /** `T` is the type of the arguments marked `same`. */
  readonly result: ScalarType | 'T';
  readonly nullability: ResultNullability;
  /** True when two calls with equal arguments may differ. */
  readonly isVolatile: boolean;
  /** True for functions that typed plans never contain, because they compile to their argument. */
  readonly isTransparent: boolean;
  /** True for functions that read the headers of an ingestor's payload. */
  readonly readsHeaders: boolean;
}

export const TEXT: ParameterRule = { kind: 'exact', type: 'STRING' };
export const COUNT: ParameterRule = { kind: 'integer' };

export function same(typeClass: TypeClass): ParameterRule {
  return { kind: 'same', class: typeClass };
}

/** A function with the usual properties, except those given. */
export function builtin(
  name: string,
  parameters: readonly ParameterRule[],
  result: BuiltinFunction['result'],
  change: Partial<BuiltinFunction> = {},
): BuiltinFunction {
  return {
    name,
    aliases: [],
    parameters,
    optionalParameters: [],
    rest: null,
    result,
    nullability: 'strict',
    isVolatile: false,
    isTransparent: false,
    readsHeaders: false,
    ...change,
  };
}
