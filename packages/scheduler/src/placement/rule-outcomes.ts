import { equalData } from '@nervix/model';
import type { Steps } from '../steps.js';
import { matrixRow } from './bit-matrix.js';
import type { ClaimClasses } from './claim-classes.js';
import type { CorridorTable } from './corridor-table.js';
import type { EssentialCorridors } from './essential-corridors.js';
import { type NodeSet, setNodes } from './reach-sets.js';
import type { RuleCoverage } from './resolved-placement.js';
import { takeRows } from './row-union.js';
import type { TieredRule } from './tiers.js';

/** Which rules decide a pair, and which lose one to a stronger tier; by rule, 1 for yes. */
export interface RuleOutcomes {
  readonly hasWon: Uint8Array;
  readonly hasLost: Uint8Array;
}

/** What outcomes depend on. */
export interface OutcomeBasis {
  readonly rules: readonly TieredRule[];
  /** Corridors of all rules. */
  readonly table: CorridorTable;
  readonly essential: EssentialCorridors;
  /** The essential ones, ordered by tier and policy. */
  readonly deciding: CorridorTable;
  readonly classes: ClaimClasses;
}

/**
 * Finds out what became of every rule. A corridor without a pair in common with stronger ones wins
 * all it claims; of the others one pair that is won and one that is lost settle the matter, and
 * mostly the first that is tried does.
 *
 * @param known outcomes of before, where the same corridors decide in the same way
 */
export function* ruleOutcomes(
  basis: OutcomeBasis,
  known: readonly RuleCoverage[] | undefined,
): Steps<RuleOutcomes> {
  const { rules, table, essential } = basis;
  const hasWon = new Uint8Array(rules.length);
  const hasLost = new Uint8Array(rules.length);
  const isKnown = adopted(rules, known ?? [], { hasWon, hasLost });
  const sight = new CorridorSight(basis);
  for (const [row, rule] of table.rule.entries()) {
    sight.advance(row);
    if (isKnown[rule] === 1 || (hasWon[rule] === 1 && hasLost[rule] === 1)) continue;
    if (essential.isTaken[row] === 1) {
      hasLost[rule] = 1;
    } else if (sight.isClear(row)) {
      hasWon[rule] = 1;
    } else {
      if (hasLost[rule] === 0 && sight.losesPair(row)) hasLost[rule] = 1;
      if (hasWon[rule] === 0 && sight.winsPair(row)) hasWon[rule] = 1;
    }
    yield;
  }
  return { hasWon, hasLost };
}

/** Takes over what is known of rules that are the same as before. */
function adopted(
  rules: readonly TieredRule[],
  known: readonly RuleCoverage[],
  { hasWon, hasLost }: RuleOutcomes,
): Uint8Array {
  const before = new Map(known.map((coverage) => [coverage.rule.name, coverage]));
  return Uint8Array.from(rules, ({ rule }, index) => {
    const coverage = before.get(rule.name);
    if (coverage === undefined) return 0;
    if (coverage.rule !== rule && !equalData(coverage.rule, rule)) return 0;
    hasWon[index] = Number(coverage.hasWon);
    hasLost[index] = Number(coverage.hasLost);
    return 1;
  });
}

/** One corridor after the other, in front of all that are stronger. */
class CorridorSight {
  readonly #basis: OutcomeBasis;
  readonly #tierOf: Uint32Array;
  /** Tiers of the deciding corridors. */
  readonly #decidingTier: Uint32Array;
  /** Graph nodes of all corridors that are stronger than the one at hand. */
  readonly #stronger: NodeSet;
  /** Number of deciding corridors among these. */
  #strongerCount = 0;
  readonly #open: NodeSet;

  constructor(basis: OutcomeBasis) {
    const { rules, table, deciding } = basis;
    this.#basis = basis;
    this.#tierOf = Uint32Array.from(rules, ({ tier }) => tier);
    this.#decidingTier = deciding.rule.map((rule) => this.#tierOf[rule] ?? 0);
    this.#stronger = new Uint32Array(table.nodes.words);
    this.#open = new Uint32Array(table.nodes.words);
  }

  /** Goes on to a row; rows come in the order of their tiers. */
  advance(row: number): void {
    const { table, deciding } = this.#basis;
    const tier = this.#tierOf[table.rule[row] ?? 0] ?? 0;
    const { bits, words } = deciding.nodes;
    for (; (this.#decidingTier[this.#strongerCount] ?? tier) < tier; this.#strongerCount += 1) {
      const start = this.#strongerCount * words;
      for (let word = 0; word < words; word += 1) {
        this.#stronger[word] = (this.#stronger[word] ?? 0) | (bits[start + word] ?? 0);
      }
    }
  }

  /** Whether the corridor has less than two nodes in common with all stronger ones together. */
  isClear(row: number): boolean {
    return !sharesTwo(matrixRow(this.#basis.table.nodes, row), this.#stronger);
  }

  /** Whether some stronger corridor takes a pair. */
  losesPair(row: number): boolean {
    const { table, deciding } = this.#basis;
    const corridor = matrixRow(table.nodes, row);
    for (let other = 0; other < this.#strongerCount; other += 1) {
      if (sharesTwo(corridor, matrixRow(deciding.nodes, other))) return true;
    }
    return false;
  }

  /**
   * Whether some pair lies in no stronger corridor. Nodes that lie in the same stronger corridors
   * have the same partners left, so one look is enough for all of them.
   */
  winsPair(row: number): boolean {
    const { table, deciding, classes } = this.#basis;
    const corridor = matrixRow(table.nodes, row);
    const seenClasses = new Set<number>();
    const seen = new Set<string>();
    for (const node of setNodes(corridor)) {
      const index = classes.classOf[node] ?? -1;
      if (seenClasses.has(index)) continue;
      seenClasses.add(index);
      const key = this.#strongerKey(index);
      if (seen.has(key)) continue;
      seen.add(key);
      this.#open.set(corridor);
      this.#open[node >>> 5] = (this.#open[node >>> 5] ?? 0) & ~(1 << (node & 31));
      if (takeRows(deciding.nodes, this.#strongerWith(index), this.#open)) return true;
    }
    return false;
  }

  /** Tells classes apart by the stronger corridors that they lie in. */
  #strongerKey(index: number): string {
    const { bits, words } = this.#basis.classes.signatures;
    const behind = this.#strongerCount;
    let key = '';
    for (let word = 0; word << 5 < behind; word += 1) {
      const left = behind - (word << 5);
      const mask = left >= 32 ? -1 : (1 << left) - 1;
      key += `${(bits[index * words + word] ?? 0) & mask} `;
    }
    return key;
  }

  /** Deciding corridors, stronger than the one at hand, that a class lies in. */
  #strongerWith(index: number): readonly number[] {
    const { bits, words } = this.#basis.classes.signatures;
    const rows: number[] = [];
    for (let word = 0; word < words; word += 1) {
      for (let rest = bits[index * words + word] ?? 0; rest !== 0; rest &= rest - 1) {
        const row = (word << 5) + 31 - Math.clz32(rest & -rest);
        if (row >= this.#strongerCount) return rows;
        rows.push(row);
      }
    }
    return rows;
  }
}

/** Whether two sets of equal width have at least two bits in common. */
function sharesTwo(left: NodeSet, right: NodeSet): boolean {
  let seen = false;
  for (let word = 0; word < left.length; word += 1) {
    const shared = (left[word] ?? 0) & (right[word] ?? 0);
    if (shared === 0) continue;
    if (seen || (shared & (shared - 1)) !== 0) return true;
    seen = true;
  }
  return false;
}
