import type { PlacementPolicy } from '@nervix/model';
import { adjacencyOf, neighboursOf } from './adjacency.js';
import { type ClaimClasses, claimClasses } from './claim-classes.js';
import { type ClaimPass, claimPass } from './claim-pass.js';
import { ClaimRows } from './claim-rows.js';
import type { CorridorTable } from './corridor-table.js';
import type { Adjacency, PlacementGraph } from './placement-graph.js';
import type { ClaimTable, HardGroup } from './resolved-placement.js';
import type { RuleOutcomes } from './rule-outcomes.js';
import { compareRanks, type TieredRule } from './tiers.js';

/** What decisions depend on. */
export interface DecisionBasis {
  readonly graph: PlacementGraph;
  readonly defaultPolicy: PlacementPolicy;
  readonly rules: readonly TieredRule[];
  /** The essential ones. */
  readonly corridors: CorridorTable;
}

/** What essential corridors and the domain default decide about all pairs. */
export class Decisions {
  readonly conflict: ClaimPass['conflict'];
  readonly claims: Omit<ClaimTable, 'signatures' | 'corridorRule'>;
  readonly groups: readonly HardGroup[];
  readonly groupOf: Int32Array;
  readonly defaultNeighbours: Adjacency;
  readonly #basis: DecisionBasis;
  readonly #classes: ClaimClasses;

  constructor(basis: DecisionBasis, outcomes: RuleOutcomes) {
    const { graph, corridors, rules, defaultPolicy } = basis;
    const classes = claimClasses(corridors.nodes);
    const rows = new ClaimRows(classes, corridors.rule, rules, outcomes);
    const pass = claimPass(graph, classes, rows);
    const { conflict, require, prefer, separate, joined, unclaimed } = pass;
    if (defaultPolicy === 'REQUIRE COLOCATION') joined.joinPairs(unclaimed);
    const { classOf, members } = classes;
    this.conflict = conflict;
    this.claims = { classOf, members, require, prefer, separate };
    this.groups = joined.sets().map((set) => ({ members: set }));
    this.groupOf = groupIndexes(graph, this.groups);
    this.defaultNeighbours = adjacencyOf(graph.keys.length, bothWays(unclaimed));
    this.#basis = basis;
    this.#classes = classes;
  }

  /** Whether the same corridors decide in the same way, whatever else changed. */
  holdsFor(basis: DecisionBasis): boolean {
    const own = this.#basis;
    if (own.graph !== basis.graph || own.defaultPolicy !== basis.defaultPolicy) return false;
    const [before, after] = [own.corridors, basis.corridors];
    if (before.rule.length !== after.rule.length) return false;
    const decidesAlike = after.rule.every((rule, row) => {
      const one = own.rules[before.rule[row] ?? 0]?.rule;
      const other = basis.rules[rule]?.rule;
      if (one === undefined || other === undefined) return false;
      return one.policy === other.policy && compareRanks(one.rank, other.rank) === 0;
    });
    return decidesAlike && before.nodes.bits.every((word, at) => word === after.nodes.bits[at]);
  }

  /** Shows the classes to rules about which something is open, as computing them anew would. */
  observe(basis: DecisionBasis, outcomes: RuleOutcomes): void {
    const rows = new ClaimRows(this.#classes, basis.corridors.rule, basis.rules, outcomes);
    const count = this.#classes.signatures.rows;
    for (let index = 0; index < count && outcomes.isWatching; index += 1) {
      if (outcomes.concern(neighboursOf(this.#classes.members, index))) rows.resolve(index);
    }
  }
}

function groupIndexes(graph: PlacementGraph, groups: readonly HardGroup[]): Int32Array {
  const groupOf = new Int32Array(graph.keys.length).fill(-1);
  for (const [index, { members }] of groups.entries()) {
    for (const member of members) groupOf[member] = index;
  }
  return groupOf;
}

function bothWays(pairs: readonly number[]): Uint32Array {
  const both = new Uint32Array(2 * pairs.length);
  both.set(pairs);
  both.set(pairs.toReversed(), pairs.length);
  return both;
}
