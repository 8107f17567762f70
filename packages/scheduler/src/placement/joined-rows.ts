import { DisjointSets } from './disjoint-sets.js';
import { aboveMask, type NodeSet } from './reach-sets.js';

/**
 * Joins rows of a matrix with their partners. Each set is also kept as bits, which a whole row is
 * compared with at once; every bit that is new merges two sets for good.
 */
export class JoinedRows {
  readonly #count: number;
  readonly #joined: DisjointSets;
  readonly #bits = new Map<number, NodeSet>();

  constructor(count: number) {
    this.#count = count;
    this.#joined = new DisjointSets(count);
  }

  /** Joins a row with its partners above itself. */
  joinRow(row: number, partners: NodeSet): void {
    let mask = aboveMask(row);
    for (let word = row >>> 5; word < partners.length; word += 1, mask = -1) {
      const asked = (partners[word] ?? 0) & mask;
      if (asked === 0) continue;
      let fresh = asked & ~(this.#bitsOf(row)[word] ?? 0);
      while (fresh !== 0) {
        this.#join(row, (word << 5) + 31 - Math.clz32(fresh & -fresh));
        fresh = asked & ~(this.#bitsOf(row)[word] ?? 0);
      }
    }
  }

  /** Sets of at least two rows. */
  sets(): readonly (readonly number[])[] {
    return this.#joined.sets();
  }

  #join(left: number, right: number): void {
    const [one, other] = [this.#bitsOf(left), this.#bitsOf(right)];
    this.#bits.delete(this.#joined.root(left));
    this.#bits.delete(this.#joined.root(right));
    for (const [word, bits] of other.entries()) if (bits !== 0) one[word] = (one[word] ?? 0) | bits;
    this.#joined.join(left, right);
    this.#bits.set(this.#joined.root(left), one);
  }

  #bitsOf(row: number): NodeSet {
    const root = this.#joined.root(row);
    const known = this.#bits.get(root);
    if (known !== undefined) return known;
    const bits = new Uint32Array((this.#count + 31) >>> 5);
    bits[root >>> 5] = 1 << (root & 31);
    this.#bits.set(root, bits);
    return bits;
  }
}
