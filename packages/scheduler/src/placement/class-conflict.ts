import type { Steps } from '../steps.js';
import { neighboursOf } from './adjacency.js';
import { matrixRow } from './bit-matrix.js';
import { type ClaimClasses, classSize } from './claim-classes.js';
import type { ClassPairs } from './class-pairs.js';
import type { CorridorRun } from './corridor-run.js';
import type { CorridorTable } from './corridor-table.js';
import { aboveMask, type NodeSet } from './reach-sets.js';

/**
 * Finds the smallest pair over which rules of the deciding tier disagree. Only classes are looked
 * at that lie where corridors of one tier and two policies overlap; mostly there are none.
 *
 * @param table the corridors that the classes refer to, ordered by tier and policy
 * @returns graph node ids, the lower first
 */
export function* findConflict(
  classes: ClaimClasses,
  pairs: ClassPairs,
  table: CorridorTable,
): Steps<readonly [left: number, right: number] | undefined> {
  const count = classes.signatures.rows;
  const search = new DisputeSearch(classes, pairs);
  const disputed = overlaps(pairs.runs, table);
  // Classes are numbered by their smallest members, so the first one with a conflict has the pair.
  for (let index = 0; index < count; index += 1) {
    const first = neighboursOf(classes.members, index)[0] ?? 0;
    if ((((disputed[first >>> 5] ?? 0) >>> (first & 31)) & 1) === 0) continue;
    const other = search.lowestPartner(index);
    if (other >= 0) return [first, other];
    yield;
  }
  return undefined;
}

/** Graph nodes in corridors of one tier that ask different things and share more than one node. */
function overlaps(runs: readonly CorridorRun[], { nodes }: CorridorTable): NodeSet {
  const found = new Uint32Array(nodes.words);
  for (const [place, one] of runs.entries()) {
    for (let next = place + 1; runs[next]?.tier === one.tier; next += 1) {
      const other = runs[next];
      for (let row = one.start; other !== undefined && row < one.end; row += 1) {
        for (let against = other.start; against < other.end; against += 1) {
          addShared(matrixRow(nodes, row), matrixRow(nodes, against), found);
        }
      }
    }
  }
  return found;
}

/** Adds what two sets have in common, unless it is a single node. */
function addShared(left: NodeSet, right: NodeSet, found: NodeSet): void {
  let count = 0;
  for (let word = 0; word < left.length && count < 2; word += 1) {
    const both = (left[word] ?? 0) & (right[word] ?? 0);
    if (both !== 0) count += (both & (both - 1)) === 0 ? 1 : 2;
  }
  if (count < 2) return;
  for (let word = 0; word < left.length; word += 1) {
    found[word] = (found[word] ?? 0) | ((left[word] ?? 0) & (right[word] ?? 0));
  }
}

/** Looks for disagreement in the row of one class. */
class DisputeSearch {
  readonly #classes: ClaimClasses;
  readonly #pairs: ClassPairs;
  readonly #claimed: NodeSet;
  readonly #once: NodeSet;
  readonly #twice: NodeSet;

  constructor(classes: ClaimClasses, pairs: ClassPairs) {
    this.#classes = classes;
    this.#pairs = pairs;
    const set = () => new Uint32Array((classes.signatures.rows + 31) >>> 5);
    [this.#claimed, this.#once, this.#twice] = [set(), set(), set()];
  }

  /** The lowest graph node over whose pair with the smallest member tiers disagree, or -1. */
  lowestPartner(index: number): number {
    this.#claimed.fill(0);
    const { runs } = this.#pairs;
    let lowest = -1;
    for (let start = 0; start < runs.length; ) {
      let end = start + 1;
      while (end < runs.length && runs[end]?.tier === runs[start]?.tier) end += 1;
      const other = this.#claimTier(start, end, index);
      if (other >= 0 && (lowest < 0 || other < lowest)) lowest = other;
      start = end;
    }
    return lowest;
  }

  #claimTier(start: number, end: number, index: number): number {
    const [once, twice] = [this.#once.fill(0), this.#twice.fill(0)];
    for (let run = start; run < end; run += 1) {
      const given = this.#pairs.union(run, index);
      for (let word = 0; given !== undefined && word < given.length; word += 1) {
        const now = given[word] ?? 0;
        twice[word] = (twice[word] ?? 0) | ((once[word] ?? 0) & now);
        once[word] = (once[word] ?? 0) | now;
      }
    }
    const lowest = this.#lowestDisputed(index);
    for (let word = 0; word < once.length; word += 1) {
      this.#claimed[word] = (this.#claimed[word] ?? 0) | (once[word] ?? 0);
    }
    return lowest;
  }

  #lowestDisputed(index: number): number {
    const { starts, targets } = this.#classes.members;
    const isSingle = classSize(this.#classes, index) === 1;
    let mask = isSingle ? aboveMask(index) : -1 << (index & 31);
    let mate = -1;
    for (let word = index >>> 5; word < this.#twice.length; word += 1, mask = -1) {
      let disputed = (this.#twice[word] ?? 0) & ~(this.#claimed[word] ?? 0) & mask;
      // The class itself comes first, but its second member need not be below all other classes.
      if (word === index >>> 5 && ((disputed >>> (index & 31)) & 1) === 1) {
        mate = targets[(starts[index] ?? 0) + 1] ?? 0;
        disputed &= ~(1 << (index & 31));
      }
      if (disputed === 0) continue;
      const other = (word << 5) + 31 - Math.clz32(disputed & -disputed);
      const first = targets[starts[other] ?? 0] ?? 0;
      return mate < 0 ? first : Math.min(first, mate);
    }
    return mate;
  }
}
