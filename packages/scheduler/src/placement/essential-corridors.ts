import { hasBit } from './bit-matrix.js';
import type { CorridorTable } from './corridor-table.js';
import type { TieredRule } from './tiers.js';

/** Which corridors decide anything that no other corridor decides in the same way. */
export interface EssentialCorridors {
  /** Rows of the corridor table, ascending. */
  readonly rows: readonly number[];
  /** By row of the table: 1 where a corridor of a stronger tier contains the corridor whole. */
  readonly isTaken: Uint8Array;
}

/**
 * Leaves out corridors that lie whole inside one of a stronger tier, which takes all their pairs,
 * or inside one of the same tier and policy, which gives their pairs the same. Where a domain's
 * flow is wide, few of thousands of corridors remain. One corridor contains another one exactly
 * when it contains its two ends.
 */
export function essentialCorridors(
  table: CorridorTable,
  rules: readonly TieredRule[],
): EssentialCorridors {
  let kept: number[] = [];
  const isTaken = new Uint8Array(table.rule.length);
  const contains = (outer: number, inner: number) =>
    hasBit(table.nodes, outer, table.from[inner] ?? 0) &&
    hasBit(table.nodes, outer, table.to[inner] ?? 0);
  for (let row = 0; row < table.rule.length; row += 1) {
    const own = rules[table.rule[row] ?? 0];
    const isAlike = (other: number) => {
      const rule = rules[table.rule[other] ?? 0];
      return rule?.tier === own?.tier && rule?.rule.policy === own?.rule.policy;
    };
    const isStronger = (other: number) => rules[table.rule[other] ?? 0]?.tier !== own?.tier;
    const outer = kept.filter((other) => contains(other, row));
    if (outer.some(isStronger)) isTaken[row] = 1;
    if (outer.some((other) => isStronger(other) || isAlike(other))) continue;
    kept = kept.filter((other) => !(isAlike(other) && contains(row, other)));
    kept.push(row);
  }
  return { rows: kept, isTaken };
}
