import { assert } from '@nervix/model';
import { refusal } from '../errors.js';
import type { PlacementGraph } from './placement-graph.js';
import type { PlacementRule } from './placement-rule.js';
import type { PlacementConflict } from './resolved-placement.js';

/**
 * Report of a disagreement.
 *
 * @param claimants rules of the deciding tier that claim the pair, by name
 * @param pair graph node ids, the lower first
 */
export function conflictOf(
  domain: string,
  graph: PlacementGraph,
  claimants: readonly PlacementRule[],
  pair: readonly [left: number, right: number],
): PlacementConflict {
  const first = claimants[0];
  const second = claimants.find(({ policy }) => policy !== first?.policy);
  const [left, right] = [graph.keys[pair[0]], graph.keys[pair[1]]];
  assert(first !== undefined && second !== undefined, 'two rules disagree about the pair');
  assert(left !== undefined && right !== undefined, 'the pair consists of graph nodes');
  return refusal('SCHED_PLACEMENT_CONFLICT', {
    domain,
    rules: [first.name, second.name],
    pair: [left, right],
  });
}
