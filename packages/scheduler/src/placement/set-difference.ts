import { type NodeSet, setNodes } from './reach-sets.js';

/** Whether two sets of equal width have a pair of graph nodes in common. */
export function sharesPair(left: NodeSet, right: NodeSet): boolean {
  let seen = false;
  for (let word = 0; word < left.length; word += 1) {
    const shared = (left[word] ?? 0) & (right[word] ?? 0);
    if (shared === 0) continue;
    if (seen || (shared & (shared - 1)) !== 0) return true;
    seen = true;
  }
  return false;
}

/** The lowest graph node of both sets, or -1. */
export function lowestShared(left: NodeSet, right: NodeSet): number {
  for (let word = 0; word < left.length; word += 1) {
    const shared = (left[word] ?? 0) & (right[word] ?? 0);
    if (shared !== 0) return (word << 5) + 31 - Math.clz32(shared & -shared);
  }
  return -1;
}

/** The lowest graph node, but for one, that one set has and the other one has not; or -1. */
export function lowestOutside(set: NodeSet, other: NodeSet, except = -1): number {
  for (let word = 0; word < set.length; word += 1) {
    let left = (set[word] ?? 0) & ~(other[word] ?? 0);
    if (word === except >>> 5) left &= ~(1 << (except & 31));
    if (left !== 0) return (word << 5) + 31 - Math.clz32(left & -left);
  }
  return -1;
}

/** The graph nodes that one set has and the other one has not, ascending. */
export function outside(set: NodeSet, other: NodeSet): readonly number[] {
  return setNodes(set.map((word, at) => word & ~(other[at] ?? 0)));
}
