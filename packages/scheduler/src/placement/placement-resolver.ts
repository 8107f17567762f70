import type { PlacementPolicy } from '@nervix/model';
import { finish, type Steps } from '../steps.js';
import { conflictOf } from './conflict.js';
import type { RuleCorridors } from './corridor.js';
import { corridorsOfRule, corridorTable, selectedCorridors } from './corridor-table.js';
import { coverageState } from './coverage-state.js';
import { type Decisions, decide, isSameDecision } from './decisions.js';
import { essentialCorridors } from './essential-corridors.js';
import { keyText } from './graph-key.js';
import { knownOutcomes, type SettledRules } from './known-outcomes.js';
import { decidingRules } from './pair-claim.js';
import type { PlacementGraph } from './placement-graph.js';
import type { PlacementRule } from './placement-rule.js';
import { ReachSets } from './reach-sets.js';
import type { PlacementOutcome, RuleCoverage } from './resolved-placement.js';
import { type RuleOutcome, ruleOutcomes } from './rule-outcomes.js';
import { type TieredRule, tieredRules } from './tiers.js';

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
  /** What tells the ends of a rule apart from those of others. */
  readonly #ends = new WeakMap<PlacementRule, string>();
  #decisions: Decisions | undefined;
  #settled: SettledRules | undefined;

  /** @throws InvariantError when a rule names a node that the graph does not have */
  resolve(input: PlacementInput): PlacementOutcome {
    return finish(this.resolveSteps(input));
  }

  /** The work of {@link resolve} in steps of a few milliseconds at most. */
  *resolveSteps(input: PlacementInput): Steps<PlacementOutcome> {
    const { domain, graph, defaultPolicy } = input;
    const rules = tieredRules(input.rules);
    const found = yield* this.#corridorsOf(graph, rules);
    const table = yield* corridorTable(graph, rules, found);
    yield;
    const essential = yield* essentialCorridors(table, rules);
    const deciding = selectedCorridors(table, essential.rows);
    const basis = { graph, defaultPolicy, rules, corridors: deciding };
    const before = this.#decisions;
    const isSame = before !== undefined && isSameDecision(before.basis, basis);
    const decisions = isSame ? before : yield* decide(basis);
    const { conflict, groups, groupOf, defaultNeighbours, pairs, classes } = decisions;
    const { classOf, members } = classes;
    const corridors = { corridors: table.nodes, corridorRule: table.rule };
    if (conflict !== undefined) {
      return conflictOf(domain, graph, decidingRules(corridors, rules, conflict), conflict);
    }
    const outcomes = yield* ruleOutcomes(
      { rules, table, essential, deciding, classes },
      knownOutcomes(this.#settled, { rules, found }),
    );
    const coverage = coverageOf(rules, found, outcomes);
    this.#decisions = decisions;
    this.#settled = { rules, found, outcomes };
    const claims = { classOf, members, pairs, ...corridors };
    const resolved = { domain, graph, defaultPolicy, coverage, groups, groupOf };
    return { kind: 'resolved', placement: { ...resolved, claims, defaultNeighbours } };
  }

  #endsOf(rule: PlacementRule): string {
    const known = this.#ends.get(rule);
    if (known !== undefined) return known;
    const text = endsText(rule);
    this.#ends.set(rule, text);
    return text;
  }

  *#corridorsOf(
    graph: PlacementGraph,
    rules: readonly TieredRule[],
  ): Steps<readonly RuleCorridors[]> {
    if (this.#reach?.graph !== graph) {
      this.#reach = { graph, sets: new ReachSets(graph) };
      this.#corridors = new Map();
      this.#decisions = undefined;
      this.#settled = undefined;
    }
    const { sets } = this.#reach;
    const corridors = new Map<string, RuleCorridors>();
    const found: RuleCorridors[] = [];
    const ends = rules.map(({ rule }) => this.#endsOf(rule));
    const unknown = rules.filter((_, index) => !this.#corridors.has(ends[index] ?? ''));
    yield* sets.expect(endCount(unknown));
    for (const [index, { rule }] of rules.entries()) {
      const text = ends[index] ?? '';
      const own = this.#corridors.get(text) ?? corridors.get(text);
      found.push(own ?? corridorsOfRule(graph, sets, rule));
      corridors.set(text, found[index] ?? { corridors: [], connectedPairs: 0 });
      if (own === undefined) yield;
    }
    this.#corridors = corridors;
    return found;
  }
}

/** Graph nodes that rules name. */
function endCount(rules: readonly TieredRule[]): number {
  return new Set(rules.flatMap(({ rule: { from, to } }) => [...from, ...to].map(keyText))).size;
}

function endsText({ from, to }: PlacementRule): string {
  return `${from.map(keyText).join(' ')} > ${to.map(keyText).join(' ')}`;
}

function coverageOf(
  rules: readonly TieredRule[],
  found: readonly RuleCorridors[],
  outcomes: readonly RuleOutcome[],
): readonly RuleCoverage[] {
  return rules.map(({ rule, tier }, index) => {
    const endpointPairs = rule.from.length * rule.to.length;
    const connectedPairs = found[index]?.connectedPairs ?? 0;
    const { won, lostTo } = outcomes[index] ?? {};
    const [hasWon, hasLost] = [won !== undefined, lostTo !== undefined];
    const state = coverageState({ endpointPairs, connectedPairs, hasWon, hasLost });
    return { rule, tier, state, hasWon, hasLost, endpointPairs, connectedPairs };
  });
}
