import {
  columnTypeName,
  containsBytes,
  type DataType,
  type FunctionCall,
  isNumericType,
  type TypedAggregate,
} from '@nervix/model';
import { anyOptional, anySensitive, type Checked, type CheckResult } from './checked.js';
import { isOrderable } from './operators.js';

/** What one argument of an aggregate takes. */
export type ArgumentRule = 'any' | 'numeric' | 'boolean' | 'comparable';

/** Arguments and result of an aggregate. */
export interface AggregateSignature {
  readonly arguments: readonly ArgumentRule[];
  /** `T` is the type of the first argument. */
  readonly result: 'I64' | 'F64' | 'BOOL' | 'T';
  readonly nullability: 'never' | 'always' | 'strict';
}

const MOMENT: AggregateSignature = { arguments: ['numeric'], result: 'F64', nullability: 'strict' };
const SAMPLE: AggregateSignature = { ...MOMENT, nullability: 'always' };
const PAIR: AggregateSignature = { ...SAMPLE, arguments: ['numeric', 'numeric'] };
const TRUTH: AggregateSignature = {
  arguments: ['boolean'],
  result: 'BOOL',
  nullability: 'strict',
};
const EXTREME: AggregateSignature = {
  arguments: ['comparable'],
  result: 'T',
  nullability: 'strict',
};
const SEQUENCE: AggregateSignature = { ...EXTREME, arguments: ['any'] };
const KEYED: AggregateSignature = { ...EXTREME, arguments: ['any', 'comparable'] };

/** Aggregates of this release by canonical upper-case name. */
export const WINDOW_AGGREGATES: ReadonlyMap<string, AggregateSignature> = new Map(
  Object.entries({
    COUNT: { arguments: ['any'], result: 'I64', nullability: 'never' },
    COUNT_IF: { arguments: ['boolean'], result: 'I64', nullability: 'never' },
    BOOL_AND: TRUTH,
    BOOL_OR: TRUTH,
    SUM: { arguments: ['numeric'], result: 'T', nullability: 'strict' },
    AVG: MOMENT,
    VAR_POP: MOMENT,
    STDDEV_POP: MOMENT,
    VAR_SAMP: SAMPLE,
    STDDEV_SAMP: SAMPLE,
    COVAR_POP: { ...PAIR, nullability: 'strict' },
    COVAR_SAMP: PAIR,
    CORR: PAIR,
    MIN: EXTREME,
    MAX: EXTREME,
    FIRST: SEQUENCE,
    LAST: SEQUENCE,
    ARG_MIN: KEYED,
    ARG_MAX: KEYED,
  } satisfies Record<string, AggregateSignature>),
);

const SKETCHES: ReadonlySet<string> = new Set([
  'PERCENTILE_LINEAR_HISTOGRAM',
  'APPROX_COUNT_DISTINCT',
  'APPROX_QUANTILE',
  'APPROX_TOP_K',
]);

/** Aggregates whose names are list functions elsewhere. */
const LIST_NAMES: ReadonlySet<string> = new Set(['COUNT', 'SUM', 'FIRST', 'LAST', 'MIN', 'MAX']);

/** True for a name that a window route reads as an aggregate. */
export function isAggregate(name: string): boolean {
  const canonical = name.toUpperCase();
  return WINDOW_AGGREGATES.has(canonical) || SKETCHES.has(canonical) || canonical === 'PERCENTILE';
}

/** True for aggregates that mean nothing outside window routes. */
export function isAggregateOnly(name: string): boolean {
  return isAggregate(name) && !LIST_NAMES.has(name.toUpperCase());
}

/** An aggregate without its place in the route. */
export interface CheckedAggregate {
  readonly aggregate: TypedAggregate;
  readonly isSensitive: boolean;
}

/** Types the call of an aggregate. */
export function checkAggregate(
  node: FunctionCall,
  values: readonly Checked[],
): CheckResult<CheckedAggregate> {
  const name = node.name.toUpperCase();
  if (name === 'PERCENTILE') {
    return 'PERCENTILE is not supported; use PERCENTILE_LINEAR_HISTOGRAM';
  }
  const signature = WINDOW_AGGREGATES.get(name);
  if (signature === undefined) return `aggregate ${name} is not supported by this release`;
  const expected = signature.arguments.length;
  if (values.length !== expected) {
    return `${name} expects ${expected} argument(s), found ${values.length}`;
  }
  for (const [index, value] of values.entries()) {
    const defect = argumentDefect(signature.arguments[index] ?? 'any', value.expression.type);
    if (defect === undefined) continue;
    return `${name} requires ${defect} input, found ${columnTypeName(value.expression.type)}`;
  }
  const first = values[0]?.expression.type;
  const type = signature.result === 'T' ? (first ?? 'I64') : signature.result;
  const optional =
    signature.nullability === 'strict' ? anyOptional(values) : signature.nullability === 'always';
  return {
    aggregate: {
      function: name,
      arguments: values.map((value) => value.expression),
      type,
      optional,
    },
    isSensitive: anySensitive(values),
  };
}

/** Index of the first argument that a window may not retain, or -1. */
export function bytesArgument(aggregate: TypedAggregate): number {
  return aggregate.arguments.findIndex((argument) => containsBytes(argument.type));
}

function argumentDefect(rule: ArgumentRule, type: DataType): string | undefined {
  switch (rule) {
    case 'any':
      return undefined;
    case 'numeric':
      return isNumericType(type) ? undefined : 'numeric';
    case 'boolean':
      return type === 'BOOL' ? undefined : 'Boolean';
    case 'comparable':
      return type === 'BOOL' || isOrderable(type) || type === 'BYTES'
        ? undefined
        : 'numeric, Boolean, Utf8 or Timestamp';
  }
}
