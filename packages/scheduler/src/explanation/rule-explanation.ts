import { assert } from '@nervix/model';
import { refusal, type ScheduleRefusal } from '../errors.js';
import { type Corridor, corridorNodes, isConnected } from '../placement/corridor.js';
import { memberIds } from '../placement/corridor-table.js';
import { bitCount, hardBondCount, hardBonds } from '../placement/hard-bond.js';
import { type PairDecision, pairDecision } from '../placement/pair-claim.js';
import type { PlacementGraph } from '../placement/placement-graph.js';
import type { PlacementRule } from '../placement/placement-rule.js';
import { aboveMask, inSet, type NodeSet, ReachSets, setNodes } from '../placement/reach-sets.js';
import type { ResolvedPlacement, RuleCoverage } from '../placement/resolved-placement.js';
import { coveredOrder, type Witness, witnessesOf } from './witness.js';

/** Claims and bonds that one explanation lists at most. */
export const EXPLAINED_PAIRS_MAX = 100_000;

/** One endpoint pair of a rule; all numbers are graph node ids. */
export interface EndpointExplanation {
  readonly from: number;
  readonly to: number;
  readonly isConnected: boolean;
  /** Nodes of the corridor, the longest witness first. */
  readonly covered: readonly number[];
  readonly witnesses: readonly Witness[];
}

/** One claim of a rule and what became of it. */
export interface ClaimExplanation {
  readonly left: number;
  readonly right: number;
  readonly decision: Extract<PairDecision, { kind: 'rules' }>;
  /** Whether the rule is among those that decide. */
  readonly isWon: boolean;
}

/** A required pair of a group. */
export interface BondExplanation {
  readonly left: number;
  readonly right: number;
  /** Rules that require it; empty when the domain default does. */
  readonly rules: readonly PlacementRule[];
}

export interface GroupExplanation {
  readonly members: readonly number[];
  readonly bonds: readonly BondExplanation[];
}

/** Everything there is to say about one rule. */
export interface RuleExplanation {
  readonly coverage: RuleCoverage;
  /** FROM times TO, in written order. */
  readonly endpoints: readonly EndpointExplanation[];
  /** In pair order. */
  readonly claims: readonly ClaimExplanation[];
  /** Groups in which the rule requires a pair. */
  readonly groups: readonly GroupExplanation[];
}

/** An explanation, or a refusal with the number of pairs that make it too long. */
export type Explained<Explanation> =
  | { readonly kind: 'explained'; readonly explanation: Explanation }
  | ScheduleRefusal<'SCHED_DESCRIPTION_TOO_LONG'>;

/** Explains one rule. */
export function explainRule(
  placement: ResolvedPlacement,
  name: string,
): Explained<RuleExplanation> | ScheduleRefusal<'SCHED_UNKNOWN_PLACEMENT'> {
  const coverage = placement.coverage.find(({ rule }) => rule.name === name);
  if (coverage === undefined) return refusal('SCHED_UNKNOWN_PLACEMENT', { placement: name });
  const subject = `placement '${name}'`;
  const found = corridorsOf(placement.graph, coverage.rule);
  const corridors = found.flatMap(({ corridor }) => corridor ?? []);
  const rows = claimedRows(corridors);
  const pairs = [...rows].reduce((sum, [node, row]) => sum + countAbove(row, node), 0);
  if (pairs > EXPLAINED_PAIRS_MAX) return tooLong(subject, pairs);
  const endpoints = found.map((pair) => endpointOf(placement.graph, pair));
  const claims = claimsOf(placement, coverage.rule, rows);
  const groups = explainGroups(placement, groupsWon(placement, claims), subject);
  if (groups.kind === 'refused') return groups;
  const explanation = { coverage, endpoints, claims, groups: groups.explanation };
  return { kind: 'explained', explanation };
}

/** One endpoint pair with what lies between; undefined without a connection. */
interface EndpointCorridor {
  readonly from: number;
  readonly to: number;
  readonly corridor: Corridor | undefined;
}

function corridorsOf(graph: PlacementGraph, rule: PlacementRule): readonly EndpointCorridor[] {
  const reach = new ReachSets(graph);
  return memberIds(graph, rule.from).flatMap((from) =>
    memberIds(graph, rule.to).map((to) => {
      if (!isConnected(graph, reach, from, to)) return { from, to, corridor: undefined };
      return { from, to, corridor: { from, to, nodes: corridorNodes(reach, from, to) } };
    }),
  );
}

function endpointOf(
  graph: PlacementGraph,
  { from, to, corridor }: EndpointCorridor,
): EndpointExplanation {
  if (corridor === undefined) {
    return { from, to, isConnected: false, covered: [], witnesses: [] };
  }
  const witnesses = witnessesOf(graph, corridor);
  return { from, to, isConnected: true, covered: coveredOrder(corridor, witnesses), witnesses };
}

/**
 * Explains hard groups.
 *
 * @param positions of the groups, in the order of the explanation
 * @param subject what is described, for the refusal
 */
export function explainGroups(
  placement: ResolvedPlacement,
  positions: readonly number[],
  subject: string,
): Explained<readonly GroupExplanation[]> {
  const groups = positions.flatMap((position) => placement.groups[position] ?? []);
  const pairs = groups.reduce((sum, group) => sum + hardBondCount(placement, group), 0);
  if (pairs > EXPLAINED_PAIRS_MAX) return tooLong(subject, pairs);
  const explanation = groups.map((group) => ({
    members: group.members,
    bonds: Array.from(hardBonds(placement, group), ([left, right]) => {
      const decision = pairDecision(placement, left, right);
      return { left, right, rules: decision.kind === 'rules' ? decision.rules : [] };
    }),
  }));
  return { kind: 'explained', explanation };
}

function tooLong(subject: string, pairs: number): ScheduleRefusal<'SCHED_DESCRIPTION_TOO_LONG'> {
  return refusal('SCHED_DESCRIPTION_TOO_LONG', { subject, pairs });
}

/** By graph node, ascending: all nodes that some corridor holds together with it. */
function claimedRows(corridors: readonly Corridor[]): ReadonlyMap<number, NodeSet> {
  const nodes = new Set(corridors.flatMap((corridor) => setNodes(corridor.nodes)));
  const ordered = [...nodes].sort((left, right) => left - right);
  return new Map(
    ordered.map((node) => {
      const own = corridors.filter((corridor) => inSet(corridor.nodes, node));
      const row = new Uint32Array(own[0]?.nodes.length ?? 0);
      for (const corridor of own) {
        for (const [word, bits] of corridor.nodes.entries()) row[word] = (row[word] ?? 0) | bits;
      }
      return [node, row];
    }),
  );
}

function countAbove(row: NodeSet, node: number): number {
  let count = 0;
  let mask = aboveMask(node);
  for (let word = node >>> 5; word < row.length; word += 1, mask = -1) {
    count += bitCount((row[word] ?? 0) & mask);
  }
  return count;
}

function claimsOf(
  placement: ResolvedPlacement,
  rule: PlacementRule,
  rows: ReadonlyMap<number, NodeSet>,
): readonly ClaimExplanation[] {
  const claims: ClaimExplanation[] = [];
  for (const [left, row] of rows) {
    for (const right of setNodes(row)) {
      if (right <= left) continue;
      const decision = pairDecision(placement, left, right);
      assert(decision.kind === 'rules', 'a claimed pair is decided by rules');
      claims.push({ left, right, decision, isWon: decision.rules.includes(rule) });
    }
  }
  return claims;
}

function groupsWon(
  { groupOf }: ResolvedPlacement,
  claims: readonly ClaimExplanation[],
): readonly number[] {
  const required = claims.filter(
    ({ isWon, decision }) => isWon && decision.policy === 'REQUIRE COLOCATION',
  );
  const positions = new Set(required.map(({ left }) => groupOf[left] ?? -1));
  return [...positions].sort((left, right) => left - right);
}
