import { PLACEMENT_POLICIES } from '@nervix/model';
import type { Steps } from '../steps.js';
import { neighboursOf } from './adjacency.js';
import { type ClaimClasses, classSize } from './claim-classes.js';
import type { ClassPairs } from './class-pairs.js';
import type { CorridorRun } from './corridor-run.js';
import { DisjointSets } from './disjoint-sets.js';
import type { NodeSet } from './reach-sets.js';

const REQUIRE = PLACEMENT_POLICIES.indexOf('REQUIRE COLOCATION');

/**
 * Joins the graph nodes that rules require beside each other. Where two classes are, every pair
 * across them is, so all their members end up together even if the members of one are not required
 * to. A search through what is not reached yet looks at each class once, and mostly at a few words.
 *
 * @param nodes number of graph nodes
 */
export function* joinRequired(
  nodes: number,
  classes: ClaimClasses,
  pairs: ClassPairs,
): Steps<DisjointSets> {
  const joined = new DisjointSets(nodes);
  if (!pairs.asksFor('REQUIRE COLOCATION')) return joined;
  const search = new RequiredSearch(classes, pairs);
  for (let start = 0; start < classes.signatures.rows; start += 1) {
    if (!search.take(start)) continue;
    const found = [start];
    for (const index of found) {
      for (const partner of search.partnersOf(index)) {
        search.take(partner);
        found.push(partner);
      }
      yield;
    }
    if (found.length > 1 || search.isRequiredInside(start)) joinMembers(joined, classes, found);
  }
  return joined;
}

/** A search through the classes that were not reached yet. */
class RequiredSearch {
  readonly #classes: ClaimClasses;
  readonly #pairs: ClassPairs;
  readonly #unseen: NodeSet;
  #unseenCount: number;
  /** Unseen classes whose pair with the one at hand no tier claims so far. */
  readonly #open: NodeSet;
  readonly #partners: NodeSet;
  /** Words of the sets above in which something was unseen when it was last looked up. */
  #words: readonly number[] = [];
  #asked = 0;
  /** Runs down to the last that requires anything. */
  readonly #runs: readonly CorridorRun[];

  constructor(classes: ClaimClasses, pairs: ClassPairs) {
    this.#classes = classes;
    this.#pairs = pairs;
    const count = classes.signatures.rows;
    this.#unseen = new Uint32Array((count + 31) >>> 5).fill(-1);
    if ((count & 31) !== 0) this.#unseen[count >>> 5] = (1 << (count & 31)) - 1;
    this.#unseenCount = count;
    this.#open = this.#unseen.slice();
    this.#partners = this.#unseen.slice();
    const last = pairs.runs.findLastIndex(({ policy }) => policy === REQUIRE);
    this.#runs = pairs.runs.slice(0, last + 1);
  }

  /** Marks a class as reached; false when it was before. */
  take(index: number): boolean {
    const bit = 1 << (index & 31);
    const word = this.#unseen[index >>> 5] ?? 0;
    if ((word & bit) === 0) return false;
    this.#unseen[index >>> 5] = word & ~bit;
    this.#unseenCount -= 1;
    return true;
  }

  /** The unseen classes that rules require beside one, ascending. */
  partnersOf(index: number): readonly number[] {
    if (this.#unseenCount === 0) return [];
    if (this.#asked % 32 === 0) this.#words = this.#unseenWords();
    this.#asked += 1;
    for (const word of this.#words) {
      this.#open[word] = this.#unseen[word] ?? 0;
      this.#partners[word] = 0;
    }
    for (const [place, { policy }] of this.#runs.entries()) {
      const union = this.#pairs.union(place, index);
      if (union === undefined) continue;
      if (!this.#claim(union, policy === REQUIRE)) break;
    }
    return this.#found();
  }

  #unseenWords(): readonly number[] {
    return [...this.#unseen.keys()].filter((word) => this.#unseen[word] !== 0);
  }

  #found(): readonly number[] {
    const found: number[] = [];
    for (const word of this.#words) {
      for (let rest = this.#partners[word] ?? 0; rest !== 0; rest &= rest - 1) {
        found.push((word << 5) + 31 - Math.clz32(rest & -rest));
      }
    }
    return found;
  }

  /** Members of one class lie in the same corridors, so that the strongest of these decides. */
  isRequiredInside(index: number): boolean {
    if (classSize(this.#classes, index) < 2) return false;
    const first = this.#runs.find((_, place) => this.#pairs.union(place, index) !== undefined);
    return first?.policy === REQUIRE;
  }

  /** Takes what a run claims; false when nothing is left. */
  #claim(union: NodeSet, isRequired: boolean): boolean {
    let left = 0;
    for (const word of this.#words) {
      const before = this.#open[word] ?? 0;
      if (before === 0) continue;
      const claimed = before & (union[word] ?? 0);
      if (isRequired) this.#partners[word] = (this.#partners[word] ?? 0) | claimed;
      this.#open[word] = before & ~claimed;
      left |= before & ~claimed;
    }
    return left !== 0;
  }
}

function joinMembers(
  joined: DisjointSets,
  { members }: ClaimClasses,
  indexes: readonly number[],
): void {
  const first = neighboursOf(members, indexes[0] ?? 0)[0] ?? 0;
  for (const index of indexes) {
    for (const member of neighboursOf(members, index)) joined.join(first, member);
  }
}
