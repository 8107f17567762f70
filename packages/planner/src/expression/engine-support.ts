import type { TypedExpression } from '@nervix/model';
import type { Surroundings } from './scope.js';

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
