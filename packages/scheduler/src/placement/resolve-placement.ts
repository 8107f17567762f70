import type { PlacementPolicy } from '@nervix/model';
import { adjacencyOf } from './adjacency.js';
import { type ClaimClasses, claimClasses } from './claim-classes.js';
import { type ClaimPass, claimPass } from './claim-pass.js';
import { ClaimRows } from './claim-rows.js';
import { conflictOf } from './conflict.js';
import type { RuleCorridors } from './corridor.js';
import {
  type CorridorTable,
  corridorsOfRule,
  corridorTable,
  selectedCorridors,
} from './corridor-table.js';
import { coverageState } from './coverage-state.js';
import { essentialCorridors } from './essential-corridors.js';
import { decidingRules } from './pair-claim.js';
import { pinsOf } from './pins.js';
import type { PlacementGraph } from './placement-graph.js';
import type { PlacementRule } from './placement-rule.js';
import { ReachSets } from './reach-sets.js';
import type {
  ClaimTable,
  HardGroup,
  PlacementOutcome,
  RuleCoverage,
} from './resolved-placement.js';
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
 * Derives what all rules of a domain amount to in a graph: claims along corridors, the strongest
 * tier deciding each pair, the domain default for direct pairs without a claim, and hard groups. The
 * order of rules and nodes does not matter.
 *
 * @throws InvariantError when a rule names a node that the graph does not have
 */
export function resolvePlacement(input: PlacementInput): PlacementOutcome {
  const rules = tieredRules(input.rules);
  const reach = new ReachSets(input.graph);
  reach.expect(pinsOf(input.rules).length);
  return resolveCorridors(
    input,
    rules,
    rules.map(({ rule }) => corridorsOfRule(input.graph, reach, rule)),
  );
}

/**
 * The part of resolution that follows coverage.
 *
 * @param found corridors of each rule, in the order of `rules`
 */
export function resolveCorridors(
  input: PlacementInput,
  rules: readonly TieredRule[],
  found: readonly RuleCorridors[],
): PlacementOutcome {
  const { domain, graph, defaultPolicy } = input;
  const table = corridorTable(graph, rules, found);
  const essential = essentialCorridors(table, rules);
  const outcomes = new RuleOutcomes(table, rules, essential);
  const deciding = selectedCorridors(table, essential.rows);
  const classes = claimClasses(deciding.nodes);
  const rows = new ClaimRows(classes, deciding, rules, outcomes);
  const pass = claimPass(graph, classes, rules, rows);
  const { unclaimed, conflict } = pass;
  const claims = claimTable(table, classes, pass);
  if (conflict !== undefined) {
    const claimants = decidingRules(claims, rules, conflict);
    return { kind: 'conflict', conflict: conflictOf(domain, graph, claimants, conflict) };
  }
  const groups = hardGroups(defaultPolicy, pass);
  const placement = {
    domain,
    graph,
    defaultPolicy,
    coverage: coverageOf(rules, found, outcomes),
    groups,
    groupOf: groupIndexes(graph, groups),
    claims,
    defaultNeighbours: adjacencyOf(graph.keys.length, bothWays(unclaimed)),
    pins: pinsOf(input.rules),
  };
  return { kind: 'resolved', placement };
}

function claimTable(table: CorridorTable, classes: ClaimClasses, pass: ClaimPass): ClaimTable {
  const { require, prefer, separate } = pass;
  const { classOf, members } = classes;
  const signatures = transposed(table.nodes);
  return { classOf, members, require, prefer, separate, signatures, corridorRule: table.rule };
}

function hardGroups(policy: PlacementPolicy, pass: ClaimPass): readonly HardGroup[] {
  if (policy === 'REQUIRE COLOCATION') {
    for (let index = 0; index < pass.unclaimed.length; index += 2) {
      pass.groups.join(pass.unclaimed[index] ?? 0, pass.unclaimed[index + 1] ?? 0);
    }
  }
  return pass.groups.groups();
}

function groupIndexes(graph: PlacementGraph, groups: readonly HardGroup[]): Int32Array {
  const groupOf = new Int32Array(graph.keys.length).fill(-1);
  for (const [index, { members }] of groups.entries()) {
    for (const member of members) groupOf[member] = index;
  }
  return groupOf;
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
    return { rule, tier, state, endpointPairs, connectedPairs };
  });
}

function bothWays(pairs: readonly number[]): Uint32Array {
  const both = new Uint32Array(2 * pairs.length);
  both.set(pairs);
  both.set(pairs.toReversed(), pairs.length);
  return both;
}
