import { PLACEMENT_POLICIES, type PlacementPolicy } from '@nervix/model';
import type { CorridorTable } from './corridor-table.js';
import type { TieredRule } from './tiers.js';

/** Neighbouring corridors of one tier and one policy. */
export interface CorridorRun {
  readonly tier: number;
  /** Index into `PLACEMENT_POLICIES`. */
  readonly policy: number;
  /** First row of the table, and the one behind the last. */
  readonly start: number;
  readonly end: number;
}

/**
 * Splits a table into its runs.
 *
 * @param table corridors ordered by tier and policy
 */
export function corridorRuns(
  { rule }: CorridorTable,
  rules: readonly TieredRule[],
): readonly CorridorRun[] {
  const runs: CorridorRun[] = [];
  for (const [row, index] of rule.entries()) {
    const tier = rules[index]?.tier ?? 0;
    const policy = policyIndex(rules[index]?.rule.policy);
    const last = runs.at(-1);
    const isSame = last?.tier === tier && last.policy === policy;
    if (isSame) runs.pop();
    runs.push({ tier, policy, start: isSame ? last.start : row, end: row + 1 });
  }
  return runs;
}

/** Index into `PLACEMENT_POLICIES`. */
export function policyIndex(policy: PlacementPolicy | undefined): number {
  return policy === undefined ? -1 : PLACEMENT_POLICIES.indexOf(policy);
}
