import { inSet, setNodes } from './reach-sets.js';
import type { HardGroup, ResolvedPlacement } from './resolved-placement.js';

/** Required pairs inside a group, the lower node first, in pair order. */
export function* hardBonds(
  placement: ResolvedPlacement,
  group: HardGroup,
): Generator<readonly [left: number, right: number]> {
  const { classOf, pairs } = placement.claims;
  for (const left of group.members) {
    const byDefault = defaultBonds(placement, left);
    const index = classOf[left] ?? -1;
    const required = index < 0 ? undefined : pairs.row('REQUIRE COLOCATION', index);
    for (const right of group.members) {
      if (right <= left) continue;
      const column = classOf[right] ?? -1;
      const byRules = required !== undefined && column >= 0 && inSet(required, column);
      if (byRules || byDefault.includes(right)) yield [left, right];
    }
  }
}

/** Number of required pairs inside a group, from the sizes of classes instead of one by one. */
export function hardBondCount(placement: ResolvedPlacement, group: HardGroup): number {
  const { classOf, members, pairs } = placement.claims;
  const size = (index: number) => (members.starts[index + 1] ?? 0) - (members.starts[index] ?? 0);
  let count = 0;
  for (const node of group.members) count += defaultBonds(placement, node).length;
  for (const row of new Set(group.members.map((node) => classOf[node] ?? -1))) {
    if (row < 0) continue;
    for (const column of setNodes(pairs.row('REQUIRE COLOCATION', row))) {
      if (column > row) count += size(row) * size(column);
      else if (column === row) count += (size(row) * (size(row) - 1)) / 2;
    }
  }
  return count;
}

/** Number of set bits of a word. */
export function bitCount(word: number): number {
  let sum = word - ((word >>> 1) & 0x55555555);
  sum = (sum & 0x33333333) + ((sum >>> 2) & 0x33333333);
  return Math.imul((sum + (sum >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Higher direct neighbours that the domain default requires beside a node. */
function defaultBonds(placement: ResolvedPlacement, node: number): readonly number[] {
  if (placement.defaultPolicy !== 'REQUIRE COLOCATION') return [];
  const { starts, targets } = placement.defaultNeighbours;
  return [...targets.subarray(starts[node] ?? 0, starts[node + 1] ?? 0)].filter((id) => id > node);
}
