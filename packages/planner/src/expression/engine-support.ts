import type { TypedAggregate, TypedExpression } from '@nervix/model';

/** Overloads that the engine of this release has kernels for. */
const KERNELS: ReadonlySet<string> = new Set(
  [
    'coalesce is_null nullif greatest least clamp now uuid_v4 uuid_v7',
    'lower upper initcap trim ltrim rtrim length octet_length bit_length left right substr',
    'concat.text concat_ws repeat replace reverse lpad rpad split_part strpos',
    'contains.text starts_with ends_with',
    'abs ceil floor round round.digits trunc sign sqrt is_nan is_finite is_infinite read_header',
  ].flatMap((names) => names.split(' ')),
);

/** Aggregates that need a sketch, which the engine of this release has not. */
const SKETCHES: ReadonlySet<string> = new Set([
  'PERCENTILE_LINEAR_HISTOGRAM',
  'APPROX_COUNT_DISTINCT',
  'APPROX_QUANTILE',
  'APPROX_TOP_K',
]);

/** Why the engine of this release cannot run a node, its parts aside; undefined when it can. */
export function engineLack(node: TypedExpression): string | undefined {
  const words = lackingWords(node);
  return words === undefined ? undefined : `${words} not supported by this release`;
}

function lackingWords(node: TypedExpression): string | undefined {
  switch (node.kind) {
    case 'call':
      if (KERNELS.has(node.overload)) return undefined;
      return node.overload === node.function
        ? `function '${node.function}' is`
        : `function '${node.function}' with these arguments is`;
    case 'state':
      return 'reading of materialized state is';
    case 'udf_call':
      return 'calls of UDFs are';
    case 'lookup':
      return 'LOOKUP_HASH_MAP is';
    case 'json_read':
      return node.isTry ? 'TRY_JSON_VALUE is' : 'JSON_VALUE is';
    case 'json_exists':
      return 'JSON_EXISTS is';
    case 'column':
      return node.row === 'metadata' ? 'metadata is' : undefined;
    default:
      return undefined;
  }
}

/** The same of an aggregate. */
export function aggregateLack(aggregate: TypedAggregate): string | undefined {
  return SKETCHES.has(aggregate.function)
    ? `aggregate ${aggregate.function} is not supported by this release`
    : undefined;
}
