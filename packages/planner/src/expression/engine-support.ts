import type { TypedAggregate, TypedExpression } from '@nervix/model';
import type { Surroundings } from './scope.js';

/** Aggregates that need a sketch, which the engine of this release has not. */
const SKETCHES: ReadonlySet<string> = new Set([
  'PERCENTILE_LINEAR_HISTOGRAM',
  'APPROX_COUNT_DISTINCT',
  'APPROX_QUANTILE',
  'APPROX_TOP_K',
]);

/** Why the engine of this release cannot run a node, its parts aside; undefined when it can. */
export function engineLack(node: TypedExpression, surroundings: Surroundings): string | undefined {
  const words = lackingWords(node, surroundings);
  return words === undefined ? undefined : `${words} not supported by this release`;
}

function lackingWords(node: TypedExpression, { udf }: Surroundings): string | undefined {
  switch (node.kind) {
    case 'state':
      return 'reading of materialized state is';
    case 'udf_call': {
      const language = udf(node.name)?.language;
      return language === 'ROTO_0_13' ? `calls of UDFs in ${language} are` : undefined;
    }
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
