import { aboveMask } from './hard-groups.js';
import type { HardGroup, ResolvedPlacement } from './resolved-placement.js';

/** Required pairs inside a group, the lower node first, in pair order. */
export function* hardBonds(
  placement: ResolvedPlacement,
  group: HardGroup,
): Generator<readonly [left: number, right: number]> {
  for (const left of group.members) {
    const byDefault = defaultBonds(placement, left);
    const { bits, words } = placement.claims.require;
    const row = requiredRow(placement, left);
    for (const right of group.members) {
      if (right <= left) continue;
      const word = row < 0 ? 0 : (bits[row * words + (right >>> 5)] ?? 0);
      if (((word >>> (right & 31)) & 1) === 1 || byDefault.includes(right)) yield [left, right];
    }
  }
}

/** Number of required pairs inside a group, without visiting them one by one. */
export function hardBondCount(placement: ResolvedPlacement, group: HardGroup): number {
  let count = 0;
  for (const left of group.members) {
    count += defaultBonds(placement, left).length;
    const { bits, words } = placement.claims.require;
    const row = requiredRow(placement, left);
    let mask = aboveMask(left);
    for (let word = left >>> 5; row >= 0 && word < words; word += 1, mask = -1) {
      count += bitCount((bits[row * words + word] ?? 0) & mask);
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

function requiredRow({ claims }: ResolvedPlacement, node: number): number {
  return claims.require.rows === 0 ? -1 : (claims.classOf[node] ?? -1);
}

/** Higher direct neighbours that the domain default requires beside a node. */
function defaultBonds(placement: ResolvedPlacement, node: number): readonly number[] {
  if (placement.defaultPolicy !== 'REQUIRE COLOCATION') return [];
  const { starts, targets } = placement.defaultNeighbours;
  return [...targets.subarray(starts[node] ?? 0, starts[node + 1] ?? 0)].filter((id) => id > node);
}
