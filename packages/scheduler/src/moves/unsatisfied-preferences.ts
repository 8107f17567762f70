import { keyOf, type ScheduleState } from '../computation/schedule-state.js';
import type { GraphKey } from '../placement/graph-key.js';
import { pairDecision } from '../placement/pair-claim.js';
import { visitSoftPartners } from '../placement/soft-partner.js';

/** A soft pair that the schedule does not honour. */
export interface UnsatisfiedPreference {
  readonly policy: 'PREFER COLOCATION' | 'SUGGEST SEPARATION';
  readonly left: GraphKey;
  readonly right: GraphKey;
  /** Names of the winning rules, ascending; empty where the domain default decides. */
  readonly rules: readonly string[];
}

/**
 * Soft pairs with an end among the given graph nodes that the state's owners contradict, in pair
 * order. Pairs with an end that has no owner contradict nothing.
 */
export function unsatisfiedPreferences(
  state: ScheduleState,
  ids: readonly number[],
): readonly UnsatisfiedPreference[] {
  const pairs = new Map<string, readonly [left: number, right: number, weight: 1 | -1]>();
  for (const id of ids) {
    visitSoftPartners(state.placement, id, (partner, weight) => {
      const [left, right] = id < partner ? [id, partner] : [partner, id];
      if (isContradicted(state, left, right, weight)) {
        pairs.set(`${left} ${right}`, [left, right, weight]);
      }
    });
  }
  return [...pairs.values()]
    .sort((one, other) => one[0] - other[0] || one[1] - other[1])
    .map(([left, right, weight]) => preferenceOf(state, left, right, weight));
}

function isContradicted(
  { primary }: ScheduleState,
  left: number,
  right: number,
  weight: 1 | -1,
): boolean {
  const [first, second] = [primary[left] ?? -1, primary[right] ?? -1];
  if (first < 0 || second < 0) return false;
  return weight === 1 ? first !== second : first === second;
}

function preferenceOf(
  state: ScheduleState,
  left: number,
  right: number,
  weight: 1 | -1,
): UnsatisfiedPreference {
  const decision = pairDecision(state.placement, left, right);
  return {
    policy: weight === 1 ? 'PREFER COLOCATION' : 'SUGGEST SEPARATION',
    left: keyOf(state, left),
    right: keyOf(state, right),
    rules: decision.kind === 'rules' ? decision.rules.map(({ name }) => name) : [],
  };
}
