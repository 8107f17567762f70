import { compareText } from './graph-key.js';
import type { PlacementRule } from './placement-rule.js';

/** A rule with the position of its tier, 0 for the strongest. */
export interface TieredRule {
  readonly rule: PlacementRule;
  readonly tier: number;
}

/** Whether a text is a rank: decimal digits, not all of them zero. */
export function isRank(text: string): boolean {
  return /^0*[1-9][0-9]*$/.test(text);
}

/** Order of ranks given as decimal text, without a limit to their length; null comes last. */
export function compareRanks(left: string | null, right: string | null): number {
  if (left === null || right === null) return Number(left === null) - Number(right === null);
  const [first, second] = [left.replace(/^0+/, ''), right.replace(/^0+/, '')];
  return first.length - second.length || compareText(first, second);
}

/** Rules in the order of their names, with their tiers. */
export function tieredRules(rules: readonly PlacementRule[]): readonly TieredRule[] {
  const byRank = [...rules].sort((left, right) => compareRanks(left.rank, right.rank));
  const tiers = new Map<PlacementRule, number>();
  let tier = -1;
  for (const [index, rule] of byRank.entries()) {
    const before = byRank[index - 1];
    if (before === undefined || compareRanks(before.rank, rule.rank) !== 0) tier += 1;
    tiers.set(rule, tier);
  }
  return [...rules]
    .sort((left, right) => compareText(left.name, right.name))
    .map((rule) => ({ rule, tier: tiers.get(rule) ?? 0 }));
}
