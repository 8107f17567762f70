import type { PlacementPolicy } from '@nervix/model';
import { conflictOf } from './conflict.js';
import type { RuleCorridors } from './corridor.js';
import { corridorsOfRule, corridorTable, selectedCorridors } from './corridor-table.js';
import { coverageState } from './coverage-state.js';
import { Decisions } from './decisions.js';
import { essentialCorridors } from './essential-corridors.js';
import { keyText } from './graph-key.js';
import { decidingRules } from './pair-claim.js';
import { pinsOf } from './pins.js';
import type { PlacementGraph } from './placement-graph.js';
import type { PlacementRule } from './placement-rule.js';
import { ReachSets } from './reach-sets.js';
import type { PlacementOutcome, RuleCoverage } from './resolved-placement.js';
import { RuleOutcomes } from './rule-outcomes.js';
import { type TieredRule, tieredRules } from './tiers.js';
import { transposed } from './transpose.js';

/** Everything the meaning of a domain's placement rules depends on. */
export interface PlacementInput {
  readonly domain: string;
  readonly graph: PlacementGraph;
  readonly defaultPolicy: PlacementPolicy;
  /** In any order; names are unique. */
  readonly rules: readonly PlacementRule[];
}

/**
 * Resolves one input after another and keeps what stays the same between them: what is reachable in
 * a graph (told by its identity), the corridors of rules with the same ends, and the decisions
 * while the same corridors decide. The outcome is always that of a resolver that has seen nothing.
 */
export class PlacementResolver {
  #reach: { readonly graph: PlacementGraph; readonly sets: ReachSets } | undefined;
  #corridors: ReadonlyMap<string, RuleCorridors> = new Map();
  #decisions: Decisions | undefined;
  #coverage: readonly RuleCoverage[] = [];

  /** @throws InvariantError when a rule names a node that the graph does not have */
  resolve(input: PlacementInput): PlacementOutcome {
    const { domain, graph, defaultPolicy } = input;
    const rules = tieredRules(input.rules);
    const pins = pinsOf(input.rules);
    const found = this.#corridorsOf(graph, rules, pins.length);
    const table = corridorTable(graph, rules, found);
    const essential = essentialCorridors(table, rules);
    const outcomes = new RuleOutcomes(table, rules, essential);
    const deciding = selectedCorridors(table, essential.rows);
    const decisions = this.#decide({ graph, defaultPolicy, rules, corridors: deciding }, outcomes);
    const { conflict, groups, groupOf, defaultNeighbours } = decisions;
    const claims = {
      ...decisions.claims,
      signatures: transposed(table.nodes),
      corridorRule: table.rule,
    };
    if (conflict !== undefined) {
      const claimants = decidingRules(claims, rules, conflict);
      return conflictOf(domain, graph, claimants, conflict);
    }
    const coverage = coverageOf(rules, found, outcomes);
    this.#decisions = decisions;
    this.#coverage = coverage;
    const resolved = { domain, graph, defaultPolicy, coverage, groups, groupOf };
    return { kind: 'resolved', placement: { ...resolved, claims, defaultNeighbours, pins } };
  }

  #corridorsOf(
    graph: PlacementGraph,
    rules: readonly TieredRule[],
    pins: number,
  ): readonly RuleCorridors[] {
    if (this.#reach?.graph !== graph) {
      this.#reach = { graph, sets: new ReachSets(graph) };
      this.#corridors = new Map();
      this.#decisions = undefined;
    }
    const { sets } = this.#reach;
    sets.expect(pins);
    const corridors = new Map<string, RuleCorridors>();
    const found = rules.map(({ rule }) => {
      const ends = endsText(rule);
      const known = this.#corridors.get(ends) ?? corridors.get(ends);
      const own = known ?? corridorsOfRule(graph, sets, rule);
      corridors.set(ends, own);
      return own;
    });
    this.#corridors = corridors;
    return found;
  }

  #decide(basis: ConstructorParameters<typeof Decisions>[0], outcomes: RuleOutcomes): Decisions {
    const kept = this.#decisions;
    if (kept === undefined || !kept.holdsFor(basis)) return new Decisions(basis, outcomes);
    outcomes.adopt(this.#coverage);
    kept.observe(basis, outcomes);
    return kept;
  }
}

function endsText({ from, to }: PlacementRule): string {
  return `${from.map(keyText).join(' ')} > ${to.map(keyText).join(' ')}`;
}

function coverageOf(
  rules: readonly TieredRule[],
  found: readonly RuleCorridors[],
  outcomes: RuleOutcomes,
): readonly RuleCoverage[] {
  return rules.map(({ rule, tier }, index) => {
    const endpointPairs = rule.from.length * rule.to.length;
    const connectedPairs = found[index]?.connectedPairs ?? 0;
    const [hasWon, hasLost] = [outcomes.hasWon[index] === 1, outcomes.hasLost[index] === 1];
    const state = coverageState({ endpointPairs, connectedPairs, hasWon, hasLost });
    return { rule, tier, state, hasWon, hasLost, endpointPairs, connectedPairs };
  });
}
