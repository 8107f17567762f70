import type { TypedAggregate, TypedExpression } from '@nervix/model';

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
    case 'state':
      return 'reading of materialized state is';
    case 'udf_call':
      return 'calls of UDFs are';
    case 'lookup':
      return 'LOOKUP_HASH_MAP is';
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
