import type { Steps } from '../steps.js';
import { policyIndex } from './corridor-run.js';
import type { CorridorTable } from './corridor-table.js';
import type { TieredRule } from './tiers.js';

/** Which corridors decide anything that no other corridor decides in the same way. */
export interface EssentialCorridors {
  /** Rows of the corridor table, ordered by tier, policy and row. */
  readonly rows: readonly number[];
  /** By row of the table: the row of a stronger tier that contains the corridor whole, or -1. */
  readonly takenBy: Int32Array;
}

/**
 * Leaves out corridors that lie whole inside one of a stronger tier, which takes all their pairs,
 * or inside one of the same tier and policy, which gives their pairs the same. Where a domain's
 * flow is wide, few of thousands of corridors remain. One corridor contains another one exactly
 * when it contains its two ends.
 */
export function* essentialCorridors(
  table: CorridorTable,
  rules: readonly TieredRule[],
): Steps<EssentialCorridors> {
  const search = new EssentialSearch(table);
  const takenBy = new Int32Array(table.rule.length).fill(-1);
  const essential: number[] = [];
  /** What is kept of the tier at hand, by policy. */
  let kept: number[][] = [];
  let tier = 0;
  const closeTier = () => {
    const rows = kept.flat();
    for (const row of rows) search.addStronger(row);
    essential.push(...rows);
    kept = [];
  };
  for (const [row, index] of table.rule.entries()) {
    const own = rules[index];
    if (own === undefined) continue;
    if (own.tier !== tier) closeTier();
    tier = own.tier;
    if (row % 64 === 63) yield;
    takenBy[row] = search.takerOf(row);
    if (takenBy[row] !== -1) continue;
    const policy = policyIndex(own.rule.policy);
    const alike = kept[policy] ?? [];
    if (alike.some((other) => search.contains(other, row))) continue;
    kept[policy] = [...alike.filter((other) => !search.contains(row, other)), row];
  }
  closeTier();
  return { rows: essential, takenBy };
}

/** Asks corridors for the ends of others. */
class EssentialSearch {
  readonly #table: CorridorTable;
  /** Corridors of stronger tiers. */
  readonly #stronger: number[] = [];

  constructor(table: CorridorTable) {
    this.#table = table;
  }

  contains(outer: number, inner: number): boolean {
    const { bits, words } = this.#table.nodes;
    const [from, to] = [this.#table.from[inner] ?? 0, this.#table.to[inner] ?? 0];
    const start = outer * words;
    const first = (bits[start + (from >>> 5)] ?? 0) >>> (from & 31);
    return (first & ((bits[start + (to >>> 5)] ?? 0) >>> (to & 31)) & 1) === 1;
  }

  /** The first stronger corridor found that contains another one whole, or -1. */
  takerOf(row: number): number {
    const stronger = this.#stronger;
    for (let at = 0; at < stronger.length; at += 1) {
      const outer = stronger[at] ?? 0;
      if (!this.contains(outer, row)) continue;
      // What contains one corridor contains others, so it is asked first the next time.
      stronger[at] = stronger[0] ?? outer;
      stronger[0] = outer;
      return outer;
    }
    return -1;
  }

  addStronger(row: number): void {
    this.#stronger.push(row);
  }
}
