import type { PlacementRule } from '../placement/placement-rule.js';

/** The statement that creates a rule. */
export function canonicalForm({ name, from, to, policy, rank }: PlacementRule): string {
  const names = (keys: PlacementRule['from']) => keys.map((key) => key.name).join(', ');
  const suffix = rank === null ? '' : ` RANK ${rank}`;
  return `CREATE PLACEMENT ${name} FROM ${names(from)} TO ${names(to)} ${policy}${suffix};`;
}
