import type { Steps } from '../steps.js';
import { matrixRow } from './bit-matrix.js';
import type { ClaimClasses } from './claim-classes.js';
import type { CorridorTable } from './corridor-table.js';
import type { EssentialCorridors } from './essential-corridors.js';
import { type NodeSet, setNodes } from './reach-sets.js';
import { lowestOutside, sharesPair } from './set-difference.js';
import { StrongerCorridors } from './stronger-corridors.js';
import type { TieredRule } from './tiers.js';

const SETS_A_STEP = 64;

/** What became of one rule, each half with a witness by which it can be told again later. */
export interface RuleOutcome {
  /** Two graph nodes whose pair the rule decides; undefined where it decides none. */
  readonly won: readonly [one: number, other: number] | undefined;
  /** Name of a stronger rule that takes a pair; undefined where none does. */
  readonly lostTo: string | undefined;
}

/** What is known of a rule before anything is looked at. */
export interface KnownOutcome extends RuleOutcome {
  readonly isWonKnown: boolean;
  readonly isLostKnown: boolean;
  /** Where a pair that the rule wins can only lie; absent means anywhere. */
  readonly region?: NodeSet;
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
 * @param known what is known already, by rule
 * @returns by rule
 */
export function* ruleOutcomes(
  basis: OutcomeBasis,
  known: readonly KnownOutcome[],
): Steps<readonly RuleOutcome[]> {
  const { rules, table } = basis;
  const found = known.map(({ won, lostTo }) => ({ won, lostTo }));
  const search = new OutcomeSearch(basis);
  for (const [row, index] of table.rule.entries()) {
    const [own, outcome] = [known[index], found[index]];
    if (own === undefined || outcome === undefined) continue;
    const needsLoss = !own.isLostKnown && outcome.lostTo === undefined;
    const needsWin = !own.isWonKnown && outcome.won === undefined;
    if (!needsLoss && !needsWin) continue;
    search.advance(rules[index]?.tier ?? 0);
    if (needsLoss) outcome.lostTo = search.takerOf(row);
    if (needsWin) outcome.won = yield* search.wonPair(row, own.region);
    yield;
  }
  return found;
}

/** One corridor after the other, in front of all that are stronger. */
class OutcomeSearch {
  readonly #basis: OutcomeBasis;
  readonly #stronger: StrongerCorridors;

  constructor(basis: OutcomeBasis) {
    this.#basis = basis;
    this.#stronger = new StrongerCorridors(basis.rules, basis.deciding, basis.classes);
  }

  /** Goes on to a tier; tiers come in their order. */
  advance(tier: number): void {
    this.#stronger.advance(tier);
  }

  /** Name of a rule of which a stronger corridor takes a pair. */
  takerOf(row: number): string | undefined {
    const { table, deciding, essential } = this.#basis;
    const taker = essential.takenBy[row] ?? -1;
    if (taker >= 0) return this.#nameOf(table.rule[taker]);
    const corridor = matrixRow(table.nodes, row);
    if (!sharesPair(corridor, this.#stronger.nodes)) return undefined;
    for (let other = 0; other < this.#stronger.count; other += 1) {
      if (sharesPair(corridor, matrixRow(deciding.nodes, other))) {
        return this.#nameOf(deciding.rule[other]);
      }
    }
    return undefined;
  }

  /** A pair that lies in no stronger corridor. */
  *wonPair(row: number, region: NodeSet | undefined): Steps<RuleOutcome['won']> {
    const { table, essential } = this.#basis;
    if ((essential.takenBy[row] ?? -1) >= 0) return undefined;
    const whole = matrixRow(table.nodes, row);
    const corridor =
      region === undefined ? whole : whole.map((word, at) => word & (region[at] ?? 0));
    const seen = new Set<number>();
    for (const node of setNodes(corridor)) {
      const set = this.#stronger.setOf(node);
      if (seen.has(set)) continue;
      seen.add(set);
      if (seen.size % SETS_A_STEP === 0) yield;
      const other = lowestOutside(corridor, this.#stronger.partnersOf(node), node);
      if (other >= 0) return [node, other];
    }
    return undefined;
  }

  #nameOf(rule: number | undefined): string | undefined {
    return this.#basis.rules[rule ?? -1]?.rule.name;
  }
}
