import {
  type DataType,
  InvariantError,
  isFloatType,
  type TypedAggregate,
  type TypedLiteral,
} from '@nervix/model';

/** Kinds of state that aggregates share when their arguments are the same. */
export type StructureKind =
  | 'counter'
  | 'truth'
  | 'sum'
  | 'moments'
  | 'co_moments'
  | 'extremes'
  | 'arg_extremes'
  | 'sequence'
  | 'linear_histogram'
  | 'hll'
  | 'quantile_sketch'
  | 'frequent_items';

/** One shared structure of a window. */
export interface StructurePlan {
  readonly kind: StructureKind;
  /** Indexes of the distinct arguments it reads. */
  readonly arguments: readonly number[];
  /** Settings of the state, in written order. */
  readonly settings: readonly TypedLiteral[];
  /** Sorted names of the functions it serves. */
  readonly functions: readonly string[];
}

/** An aggregate and the structure that holds its state. */
export interface AggregatePlan {
  readonly aggregate: TypedAggregate;
  readonly structure: number;
}

/** The structure that a function over an argument of a type uses. */
export function structureKind(name: string, type: DataType): StructureKind {
  switch (name) {
    case 'COUNT':
      return 'counter';
    case 'COUNT_IF':
    case 'BOOL_AND':
    case 'BOOL_OR':
      return 'truth';
    case 'SUM':
      return isFloatType(type) ? 'moments' : 'sum';
    case 'AVG':
    case 'VAR_POP':
    case 'VAR_SAMP':
    case 'STDDEV_POP':
    case 'STDDEV_SAMP':
      return 'moments';
    case 'MIN':
    case 'MAX':
      return 'extremes';
    case 'ARG_MIN':
    case 'ARG_MAX':
      return 'arg_extremes';
    case 'FIRST':
    case 'LAST':
      return 'sequence';
    case 'COVAR_POP':
    case 'COVAR_SAMP':
    case 'CORR':
      return 'co_moments';
    case 'PERCENTILE_LINEAR_HISTOGRAM':
      return 'linear_histogram';
    case 'APPROX_COUNT_DISTINCT':
      return 'hll';
    case 'APPROX_QUANTILE':
      return 'quantile_sketch';
    case 'APPROX_TOP_K':
      return 'frequent_items';
    default:
      throw new InvariantError(`invariant broken: aggregate '${name}' is one of the runtime's`);
  }
}

/** The settings of an aggregate that its state depends on, without what is asked of the state. */
export function structureSettings({
  function: name,
  constants,
}: TypedAggregate): readonly TypedLiteral[] {
  return name === 'APPROX_COUNT_DISTINCT' ? constants : constants.slice(1);
}
