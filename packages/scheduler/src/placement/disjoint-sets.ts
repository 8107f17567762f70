/**
 * Numbers joined into sets, each led by its smallest; union by that order with path halving
 * (Tarjan, van Leeuwen: Worst-case analysis of set union algorithms, 1984).
 */
export class DisjointSets {
  readonly #parent: Int32Array;

  constructor(count: number) {
    this.#parent = new Int32Array(count).map((_, index) => index);
  }

  /** The smallest number of a set. */
  root(index: number): number {
    let at = index;
    for (let up = this.#parent[at] ?? at; up !== at; up = this.#parent[at] ?? at) {
      this.#parent[at] = this.#parent[up] ?? up;
      at = up;
    }
    return at;
  }

  join(left: number, right: number): void {
    const [first, second] = [this.root(left), this.root(right)];
    this.#parent[Math.max(first, second)] = Math.min(first, second);
  }

  /** Joins the two of each pair: one at an even position, the other behind it. */
  joinPairs(pairs: readonly number[]): void {
    for (let index = 0; index < pairs.length; index += 2) {
      this.join(pairs[index] ?? 0, pairs[index + 1] ?? 0);
    }
  }

  /** Sets of at least two, by their smallest numbers; numbers ascending. */
  sets(): readonly (readonly number[])[] {
    const members = new Map<number, number[]>();
    for (let index = 0; index < this.#parent.length; index += 1) {
      const root = this.root(index);
      const list = members.get(root);
      if (list === undefined) members.set(root, [index]);
      else list.push(index);
    }
    return [...members.values()].filter((list) => list.length > 1);
  }
}
