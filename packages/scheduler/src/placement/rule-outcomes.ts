import { equalData } from '@nervix/model';
import { neighboursOf } from './adjacency.js';
import { hasBit, visitRow } from './bit-matrix.js';
import type { ClaimClasses } from './claim-classes.js';
import type { CorridorTable } from './corridor-table.js';
import type { EssentialCorridors } from './essential-corridors.js';
import { aboveMask, type NodeSet } from './reach-sets.js';
import type { RuleCoverage } from './resolved-placement.js';
import type { TieredRule } from './tiers.js';

/** A class while it is resolved. */
export interface ClassSight {
  readonly classes: ClaimClasses;
  readonly index: number;
  /** Classes from this one on that stronger tiers pair it with. */
  readonly claimed: NodeSet;
}

/**
 * Finds out which rules decide a pair and which ones lose a pair to a stronger tier. Watches only
 * corridors of rules about which one of the two is still open; most are settled by the first class
 * that lies in them.
 */
export class RuleOutcomes {
  /** By rule: 1 where it decides some pair. */
  readonly hasWon: Uint8Array;
  /** By rule: 1 where a stronger tier takes some pair from it. */
  readonly hasLost: Uint8Array;
  readonly #table: CorridorTable;
  readonly #rules: readonly TieredRule[];
  readonly #tierOf: Uint32Array;
  /** By rule: 1 while no pair can be lost, for no stronger corridor overlaps. */
  readonly #isSafe: Uint8Array;
  /** Rows of the table whose rules are open, strongest tier first. */
  #watched: number[] = [];
  /** By watched row: the classes with a member in the corridor, once they were asked for. */
  readonly #classesIn = new Map<number, NodeSet>();

  constructor(
    table: CorridorTable,
    rules: readonly TieredRule[],
    { rows, isTaken }: EssentialCorridors,
  ) {
    this.#table = table;
    this.#rules = rules;
    this.#tierOf = Uint32Array.from(rules, ({ tier }) => tier);
    this.hasWon = new Uint8Array(rules.length);
    this.hasLost = new Uint8Array(rules.length);
    this.#isSafe = new Uint8Array(rules.length).fill(1);
    this.#markSafe(rows);
    for (const [row, rule] of table.rule.entries()) {
      if (isTaken[row] === 1) this.hasLost[rule] = 1;
      else this.#watched.push(row);
    }
  }

  /** Whether something is open about any rule. */
  get isWatching(): boolean {
    return this.#watched.length > 0;
  }

  /**
   * Takes over what is known of rules that are the same as before; to be called before the first
   * class, and only while the same essential corridors decide.
   */
  adopt(known: readonly RuleCoverage[]): void {
    const before = new Map(known.map((coverage) => [coverage.rule.name, coverage]));
    const isKnown = this.#rules.map(({ rule }, index) => {
      const coverage = before.get(rule.name);
      if (coverage === undefined || !equalData(coverage.rule, rule)) return false;
      this.hasWon[index] = Number(coverage.hasWon);
      this.hasLost[index] = Number(coverage.hasLost);
      return true;
    });
    this.#watched = this.#watched.filter((row) => !isKnown[this.#table.rule[row] ?? 0]);
  }

  /** Whether a member of a class lies in a corridor that is watched. */
  concern(members: Uint32Array): boolean {
    const { nodes } = this.#table;
    return this.#watched.some((row) => members.some((member) => hasBit(nodes, row, member)));
  }

  /** Drops the corridors about which nothing is open; called between classes. */
  settle(): void {
    this.#watched = this.#watched.filter((row) => {
      const isOpen = this.#isOpen(this.#table.rule[row] ?? 0);
      if (!isOpen) this.#classesIn.delete(row);
      return isOpen;
    });
  }

  /**
   * Looks at the corridors of one tier and the stronger ones that were not looked at yet.
   *
   * @param sight the class at hand and what tiers before this one claim
   * @param start position to go on at, as returned by the call for the tier before
   */
  observe(sight: ClassSight, tier: number, start: number): number {
    let position = start;
    for (; position < this.#watched.length; position += 1) {
      const row = this.#watched[position] ?? 0;
      const rule = this.#table.rule[row] ?? 0;
      if ((this.#tierOf[rule] ?? 0) > tier) break;
      if (this.#isOpen(rule)) this.#look(row, sight);
    }
    return position;
  }

  #isOpen(rule: number): boolean {
    return this.hasWon[rule] === 0 || (this.hasLost[rule] === 0 && this.#isSafe[rule] === 0);
  }

  #look(row: number, { classes, index, claimed }: ClassSight): void {
    const { nodes, rule } = this.#table;
    const members = neighboursOf(classes.members, index);
    const inside = members.find((member) => hasBit(nodes, row, member));
    if (inside === undefined) return;
    const isAlone = !members.some((member) => member > inside && hasBit(nodes, row, member));
    const corridor = this.#classesOf(row, classes.classOf);
    let won = 0;
    let lost = 0;
    let mask = isAlone ? aboveMask(index) : -1 << (index & 31);
    for (let word = index >>> 5; word < corridor.length; word += 1, mask = -1) {
      const claims = (corridor[word] ?? 0) & mask;
      won |= claims & ~(claimed[word] ?? 0);
      lost |= claims & (claimed[word] ?? 0);
    }
    if (won !== 0) this.hasWon[rule[row] ?? 0] = 1;
    if (lost !== 0) this.hasLost[rule[row] ?? 0] = 1;
  }

  #classesOf(row: number, classOf: Int32Array): NodeSet {
    const known = this.#classesIn.get(row);
    if (known !== undefined) return known;
    const found = new Uint32Array(this.#table.nodes.words);
    visitRow(this.#table.nodes, row, (node) => {
      const index = classOf[node] ?? 0;
      found[index >>> 5] = (found[index >>> 5] ?? 0) | (1 << (index & 31));
    });
    this.#classesIn.set(row, found);
    return found;
  }

  /** Corridors that share less than two nodes with all stronger ones together lose no pair. */
  #markSafe(essential: readonly number[]): void {
    const { nodes, rule } = this.#table;
    const stronger = new Uint32Array(nodes.words);
    let next = 0;
    for (let row = 0; row < rule.length; row += 1) {
      const tier = this.#tierOf[rule[row] ?? 0] ?? 0;
      for (let other = essential[next]; other !== undefined; other = essential[next]) {
        if ((this.#tierOf[rule[other] ?? 0] ?? 0) >= tier) break;
        for (let word = 0; word < nodes.words; word += 1) {
          stronger[word] = (stronger[word] ?? 0) | (nodes.bits[other * nodes.words + word] ?? 0);
        }
        next += 1;
      }
      if (sharesTwo(nodes.bits, row * nodes.words, stronger)) this.#isSafe[rule[row] ?? 0] = 0;
    }
  }
}

/** Whether a row and a set have at least two bits in common. */
function sharesTwo(bits: Uint32Array, offset: number, set: NodeSet): boolean {
  let seen = false;
  for (let word = 0; word < set.length; word += 1) {
    const shared = (bits[offset + word] ?? 0) & (set[word] ?? 0);
    if (shared === 0) continue;
    if (seen || (shared & (shared - 1)) !== 0) return true;
    seen = true;
  }
  return false;
}
