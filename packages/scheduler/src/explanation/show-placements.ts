import type { ResolvedPlacement } from '../placement/resolved-placement.js';

/** Text of SHOW PLACEMENTS: one line a rule, in the order of names. */
export function showPlacements({ coverage }: ResolvedPlacement): string {
  if (coverage.length === 0) return 'no placements';
  return coverage
    .map(({ rule: { name, policy, rank }, state }) => {
      return `${name} policy=${policy} rank=${rank ?? 'unranked'} coverage=${state}`;
    })
    .join('\n');
}
