import type { NodeSet } from './reach-sets.js';
import type { HardGroup } from './resolved-placement.js';

/**
 * Joins graph nodes into groups. Each group also holds its members as a set, which a whole row of
 * required partners is compared with at once; every bit that is new merges two groups for good.
 */
export class HardGroups {
  readonly #parent: Int32Array;
  readonly #sets = new Map<number, NodeSet>();

  constructor(nodes: number) {
    this.#parent = new Int32Array(nodes).map((_, node) => node);
  }

  join(left: number, right: number): void {
    const [first, second] = [this.#root(left), this.#root(right)];
    if (first === second) return;
    const [kept, lost] = first < second ? [first, second] : [second, first];
    const set = this.#setOf(kept);
    const other = this.#sets.get(lost);
    if (other === undefined) set[lost >>> 5] = (set[lost >>> 5] ?? 0) | (1 << (lost & 31));
    else
      other.forEach((word, index) => {
        set[index] = (set[index] ?? 0) | word;
      });
    this.#sets.delete(lost);
    this.#parent[lost] = kept;
  }

  /** Joins the two of each pair: one at an even position, the other behind it. */
  joinPairs(pairs: readonly number[]): void {
    for (let index = 0; index < pairs.length; index += 2) {
      this.join(pairs[index] ?? 0, pairs[index + 1] ?? 0);
    }
  }

  /** Joins a node with the set nodes above it. */
  joinRow(node: number, partners: NodeSet): void {
    let set = this.#setOf(this.#root(node));
    for (let word = node >>> 5; word < partners.length; word += 1) {
      const above = word === node >>> 5 ? aboveMask(node) : -1;
      let fresh = (partners[word] ?? 0) & ~(set[word] ?? 0) & above;
      while (fresh !== 0) {
        this.join(node, (word << 5) + 31 - Math.clz32(fresh & -fresh));
        set = this.#setOf(this.#root(node));
        fresh &= ~(set[word] ?? 0);
      }
    }
  }

  /** Groups of at least two, by their first members. */
  groups(): readonly HardGroup[] {
    const members = new Map<number, number[]>();
    for (let node = 0; node < this.#parent.length; node += 1) {
      const root = this.#root(node);
      const list = members.get(root);
      if (list === undefined) members.set(root, [node]);
      else list.push(node);
    }
    return [...members.values()]
      .filter((list) => list.length > 1)
      .map((list) => ({ members: list }));
  }

  #root(node: number): number {
    let at = node;
    for (let up = this.#parent[at] ?? at; up !== at; up = this.#parent[at] ?? at) {
      this.#parent[at] = this.#parent[up] ?? up;
      at = up;
    }
    return at;
  }

  #setOf(root: number): NodeSet {
    const known = this.#sets.get(root);
    if (known !== undefined) return known;
    const set = new Uint32Array((this.#parent.length + 31) >>> 5);
    set[root >>> 5] = 1 << (root & 31);
    this.#sets.set(root, set);
    return set;
  }
}

/** Bits of the node's word that belong to higher nodes. */
export function aboveMask(node: number): number {
  return (node & 31) === 31 ? 0 : -1 << ((node & 31) + 1);
}

/** The lowest set node above the given one, or -1. */
export function nextAbove(set: NodeSet, node: number): number {
  for (let word = node >>> 5; word < set.length; word += 1) {
    const bits = (set[word] ?? 0) & (word === node >>> 5 ? aboveMask(node) : -1);
    if (bits !== 0) return (word << 5) + 31 - Math.clz32(bits & -bits);
  }
  return -1;
}
