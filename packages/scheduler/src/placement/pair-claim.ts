import { assert, type PlacementPolicy } from '@nervix/model';
import { neighboursOf } from './adjacency.js';
import { hasBit } from './bit-matrix.js';
import type { PlacementRule } from './placement-rule.js';
import type { ClaimTable, ResolvedPlacement } from './resolved-placement.js';
import type { TieredRule } from './tiers.js';

/** What decides about a pair of graph nodes. */
export type PairDecision =
  | {
      readonly kind: 'rules';
      readonly policy: PlacementPolicy;
      /** Rules of the deciding tier that claim the pair, by name. */
      readonly rules: readonly PlacementRule[];
    }
  | { readonly kind: 'default'; readonly policy: PlacementPolicy }
  | { readonly kind: 'none' };

/**
 * What decides about one pair: rules, the default of the domain for a direct pair, or nothing.
 * Looks at every corridor down to the deciding tier.
 */
export function pairDecision(
  placement: ResolvedPlacement,
  left: number,
  right: number,
): PairDecision {
  const rules = decidingRules(placement.claims, placement.coverage, [left, right]);
  const [first] = rules;
  if (first !== undefined) return { kind: 'rules', policy: first.policy, rules };
  const isDirect = neighboursOf(placement.graph.neighbours, left).includes(right);
  return isDirect ? { kind: 'default', policy: placement.defaultPolicy } : { kind: 'none' };
}

/** Rules of the strongest tier that claims a pair, by name. */
export function decidingRules(
  { corridors, corridorRule }: Pick<ClaimTable, 'corridors' | 'corridorRule'>,
  tiered: readonly TieredRule[],
  [left, right]: readonly [left: number, right: number],
): readonly PlacementRule[] {
  assert(left !== right, 'a pair has two graph nodes');
  const rules = new Set<PlacementRule>();
  let tier: number | undefined;
  for (const [row, rule] of corridorRule.entries()) {
    const claimant = tiered[rule];
    if (claimant === undefined || claimant.tier !== (tier ?? claimant.tier)) break;
    if (!hasBit(corridors, row, left) || !hasBit(corridors, row, right)) continue;
    tier = claimant.tier;
    rules.add(claimant.rule);
  }
  return [...rules];
}
