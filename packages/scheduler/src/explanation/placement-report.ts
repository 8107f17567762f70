import type { PlacementPolicy } from '@nervix/model';
import type { DomainScheduleInput } from '../computation/domain-schedule-input.js';
import { scheduleEntries } from '../computation/schedule-entries.js';
import type { NodeRejection } from '../feasibility/constraint-check.js';
import { infeasibilityOf } from '../feasibility/destination.js';
import type { InfeasibilityReason } from '../feasibility/infeasibility.js';
import { neighboursOf } from '../placement/adjacency.js';
import { idOf } from '../placement/build-placement-graph.js';
import { depthsOf } from '../placement/graph-depth.js';
import { compareText, type GraphKey } from '../placement/graph-key.js';
import { hardBondCount, hardBonds } from '../placement/hard-bond.js';
import { pairDecision } from '../placement/pair-claim.js';
import type { CoverageState, ResolvedPlacement } from '../placement/resolved-placement.js';
import type { RankedCandidate } from '../ranking/ranking.js';
import type { RankingPolicy } from '../ranking/ranking-policy.js';
import type { ScheduleEntry } from '../schedule-entry.js';
import { finish, type Steps } from '../steps.js';
import {
  type ExplanationOptions,
  explainedSteps,
  type PlacementCause,
} from './unit-explanation.js';

const UNITS_A_STEP = 256;
const BONDS_A_STEP = 64;

/** Required pairs of one unit beyond which a report does not list them. */
const BONDS_MAX = 1_000;

/** One graph node of a report. */
export interface ReportedGraphNode extends GraphKey {
  /** Edges of the longest path that leads here. */
  readonly depth: number;
  /** Cluster nodes that run it: owner first, then replicas; all of a listener's. */
  readonly nodes: readonly string[];
  /** Index of its unit; null for a listener, which runs everywhere, and for what was not asked. */
  readonly unit: number | null;
}

/** One cluster node of a report. */
export interface ReportedClusterNode {
  readonly name: string;
  /** Why it may receive nothing, or null for a candidate. */
  readonly unfit: InfeasibilityReason | null;
  /** Graph nodes that it owns, listeners not counted. */
  readonly owned: number;
}

/** One rule of a report; its ends are indexes of graph nodes. */
export interface ReportedRule {
  readonly name: string;
  readonly policy: PlacementPolicy;
  readonly rank: string | null;
  readonly coverage: CoverageState;
  readonly from: readonly number[];
  readonly to: readonly number[];
}

/** A required pair inside a unit; its ends are indexes of graph nodes. */
export interface ReportedBond {
  readonly left: number;
  readonly right: number;
  /** Rules that require it; empty where the domain default does. */
  readonly rules: readonly string[];
}

/** What is placed as one, with everything that spoke for and against each cluster node. */
export interface ReportedUnit {
  /** Indexes of graph nodes, ascending. */
  readonly members: readonly number[];
  /** Owner, or null while none could be found. */
  readonly chosen: string | null;
  readonly cause: PlacementCause;
  /** Best first. */
  readonly candidates: readonly RankedCandidate[];
  /** Candidates that a bound on their number left out. */
  readonly omitted: number;
  /** Index of the list of rejected nodes; units that declare no constraint share one. */
  readonly rejected: number;
  /** Empty for a unit of one; null where there are too many pairs to list. */
  readonly bonds: readonly ReportedBond[] | null;
}

/** The placement of one domain as plain data: what EXPLAIN PLACEMENT FORMAT JSON prints. */
export interface PlacementReport {
  /** Version of this shape. */
  readonly version: 2;
  readonly domain: string;
  /** Version of the ranking. */
  readonly policy: RankingPolicy;
  readonly defaultPolicy: PlacementPolicy;
  /** Revisions of what the report was made from, by name. */
  readonly inputs: Readonly<Record<string, string>>;
  /** By name. */
  readonly clusterNodes: readonly ReportedClusterNode[];
  /** In key order. */
  readonly graphNodes: readonly ReportedGraphNode[];
  /** Pairs of graph node indexes, producer first. */
  readonly edges: readonly (readonly [from: number, to: number])[];
  /** By name. */
  readonly rules: readonly ReportedRule[];
  /** In the order of their first members. */
  readonly units: readonly ReportedUnit[];
  /** Lists of rejected nodes, each by name with every failed or unknown constraint. */
  readonly rejections: readonly (readonly NodeRejection[])[];
}

/** What a report is made with; all of it may be absent. */
export interface ReportOptions extends ExplanationOptions {
  /** Revisions of what the input was made from, by name. */
  readonly inputs?: PlacementReport['inputs'];
}

/**
 * Reports where everything of a domain runs and why. The schedule is computed again from the input;
 * where that holds the schedule in force, it comes out as it is.
 */
export function placementReport(
  input: DomainScheduleInput,
  options: ReportOptions = {},
): PlacementReport {
  return finish(reportSteps(input, options));
}

/** The work of {@link placementReport}, for `runSliced`. */
export function* reportSteps(
  input: DomainScheduleInput,
  { inputs = {}, ...options }: ReportOptions,
): Steps<PlacementReport> {
  const { placement, policy = 'score/1' } = input;
  const { state, explanations } = yield* explainedSteps(input, options);
  const entries = scheduleEntries(state);
  yield;
  const rejections = new Map<readonly NodeRejection[], number>();
  const units: ReportedUnit[] = [];
  for (const {
    members: keys,
    chosen,
    cause,
    candidates,
    omitted,
    rejected: list,
  } of explanations) {
    const members = keys.flatMap((key) => idOf(placement.graph, key) ?? []);
    const rejected = rejections.get(list) ?? rejections.size;
    rejections.set(list, rejected);
    const bonds = yield* bondSteps(placement, members);
    units.push({ members, chosen, cause, candidates, omitted, rejected, bonds });
    if (units.length % UNITS_A_STEP === 0) yield;
  }
  return {
    version: 2,
    domain: placement.domain,
    policy,
    defaultPolicy: placement.defaultPolicy,
    inputs,
    clusterNodes: clusterNodes(input, entries),
    ...(yield* graphParts(placement, entries, units)),
    rules: rulesOf(placement),
    units,
    rejections: [...rejections.keys()],
  };
}

function* graphParts(
  { graph }: ResolvedPlacement,
  entries: readonly ScheduleEntry[],
  units: readonly ReportedUnit[],
): Steps<Pick<PlacementReport, 'graphNodes' | 'edges'>> {
  const unitOf = new Map(units.flatMap(({ members }, unit) => members.map((id) => [id, unit])));
  yield;
  const depths = depthsOf(graph);
  yield;
  const graphNodes = graph.keys.map(({ kind, name }, id) => ({
    kind,
    name,
    depth: depths[id] ?? 0,
    nodes: entries[id]?.nodes ?? [],
    unit: unitOf.get(id) ?? null,
  }));
  yield;
  const edges: (readonly [from: number, to: number])[] = [];
  for (const from of graph.keys.keys()) {
    for (const to of neighboursOf(graph.successors, from)) edges.push([from, to]);
    if (from % UNITS_A_STEP === 0) yield;
  }
  return { graphNodes, edges };
}

function clusterNodes(
  { nodes, traits }: DomainScheduleInput,
  entries: readonly ScheduleEntry[],
): readonly ReportedClusterNode[] {
  const listeners = new Set(
    traits.filter(({ runs }) => runs === 'every_node').map(({ kind, name }) => `${kind}/${name}`),
  );
  const owned = new Map<string, number>();
  for (const { kind, name, nodes: assigned } of entries) {
    const [owner] = assigned;
    if (owner === undefined || listeners.has(`${kind}/${name}`)) continue;
    owned.set(owner, (owned.get(owner) ?? 0) + 1);
  }
  return nodes
    .toSorted((left, right) => compareText(left.name, right.name))
    .map((node) => ({
      name: node.name,
      unfit: infeasibilityOf(node) ?? null,
      owned: owned.get(node.name) ?? 0,
    }));
}

function rulesOf({ coverage, graph }: ResolvedPlacement): readonly ReportedRule[] {
  const ids = (keys: readonly GraphKey[]) => keys.flatMap((key) => idOf(graph, key) ?? []);
  return coverage.map(({ rule: { name, policy, rank, from, to }, state }) => ({
    name,
    policy,
    rank,
    coverage: state,
    from: ids(from),
    to: ids(to),
  }));
}

/** The required pairs of a unit; every group has at least one fewer of them than members. */
function* bondSteps(
  placement: ResolvedPlacement,
  [first = -1, ...mates]: readonly number[],
): Steps<ReportedUnit['bonds']> {
  const group = placement.groups[placement.groupOf[first] ?? -1];
  if (group === undefined) return [];
  if (mates.length > BONDS_MAX || hardBondCount(placement, group) > BONDS_MAX) return null;
  const bonds: ReportedBond[] = [];
  for (const [left, right] of hardBonds(placement, group)) {
    const decision = pairDecision(placement, left, right);
    const rules = decision.kind === 'rules' ? decision.rules.map(({ name }) => name) : [];
    bonds.push({ left, right, rules });
    if (bonds.length % BONDS_A_STEP === 0) yield;
  }
  return bonds;
}
