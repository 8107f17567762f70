import { type ClusterView, clusterView } from '../cluster/cluster-view.js';
import { invalidInput } from '../errors.js';
import { UseLedger } from '../feasibility/use-ledger.js';
import type { GraphKey } from '../placement/graph-key.js';
import { alignedTo } from '../placement/key-alignment.js';
import { keyWords } from '../placement/key-words.js';
import type { ResolvedPlacement } from '../placement/resolved-placement.js';
import type { RankingPolicy } from '../ranking/ranking-policy.js';
import type { ScheduleEntry } from '../schedule-entry.js';
import { finish, type Steps } from '../steps.js';
import { type DeclaredSets, declaredSets } from './declared-sets.js';
import type { DomainScheduleInput } from './domain-schedule-input.js';
import { type MemberTraits, memberTraits } from './member-traits.js';
import { type UnitTable, unitTable } from './unit-table.js';

/** Where a graph node ran before, by node index. */
export interface PreviousOwners {
  readonly primary: number;
  readonly replicas: readonly number[];
}

/** A computation under way: graph nodes by id, cluster nodes by index. */
export interface ScheduleState {
  readonly placement: ResolvedPlacement;
  /** One per graph node. */
  readonly traits: readonly MemberTraits[];
  readonly sets: DeclaredSets;
  readonly cluster: ClusterView;
  readonly table: UnitTable;
  readonly replicaCount: number;
  readonly policy: RankingPolicy;
  /** The entry in force of each graph node, if it has one. */
  readonly entries: readonly (ScheduleEntry | undefined)[];
  /** Undefined for new graph nodes, for listeners and where no node had been found. */
  readonly previous: (PreviousOwners | undefined)[];
  /** Primary of each graph node as far as known, or -1. */
  readonly primary: Int32Array;
  /** Replicas of each graph node, in order. */
  readonly replicas: (readonly number[])[];
  /** Primaries and replicas that each cluster node has so far. */
  readonly load: Int32Array;
  /** What decisions of this computation use up. */
  readonly use: UseLedger;
  /** Scores of the ranking at hand by term and cluster node; the next ranking overwrites them. */
  readonly scores: Int32Array[];
  /** Units decided so far: where the round-robin stands. */
  cursor: number;
}

/**
 * Indexes the cluster for computations over some domains of it.
 *
 * @param inputs domains of one cluster; all hold the same members
 * @param excluded name of a node that may receive nothing
 */
export function clusterOf(inputs: readonly DomainScheduleInput[], excluded?: string): ClusterView {
  const named = inputs.flatMap(({ previous }) => previous.flatMap(({ nodes }) => nodes));
  return clusterView(inputs[0]?.nodes ?? [], named, excluded);
}

/** Prepares a computation in which nothing is assigned yet. */
export function scheduleState(
  input: DomainScheduleInput,
  cluster: ClusterView = clusterOf([input]),
): ScheduleState {
  return finish(stateSteps(input, cluster));
}

/**
 * The work of {@link scheduleState}.
 *
 * @throws ScheduleError when lists name something twice or the replica count is no count
 */
export function* stateSteps(
  input: DomainScheduleInput,
  cluster: ClusterView,
): Steps<ScheduleState> {
  const { placement, replicaCount } = input;
  if (!Number.isSafeInteger(replicaCount) || replicaCount < 0) {
    invalidInput(`the replica count is ${replicaCount}`);
  }
  const keys = placement.graph.keys;
  const known = alignedTo(keys, input.traits, 'the traits');
  yield;
  const traits = keys.map((key, id) => known[id] ?? memberTraits(key));
  yield;
  const entries = alignedTo(keys, input.previous, 'the previous entries');
  yield;
  const table = unitTable(placement, traits);
  yield;
  return {
    placement,
    traits,
    sets: declaredSets(traits),
    cluster,
    table,
    replicaCount,
    policy: input.policy ?? 'score/1',
    entries,
    previous: entries.map((entry, id) =>
      traits[id]?.runs === 'once' ? previousOwners(entry, cluster) : undefined,
    ),
    primary: new Int32Array(keys.length).fill(-1),
    replicas: keys.map(() => []),
    load: new Int32Array(cluster.names.length),
    use: new UseLedger(),
    scores: [],
    cursor: 0,
  };
}

function previousOwners(
  entry: ScheduleEntry | undefined,
  { indexOf }: ClusterView,
): PreviousOwners | undefined {
  const [owner, ...others] = entry === undefined ? [] : distinctNodes(entry);
  const primary = owner === undefined ? undefined : indexOf.get(owner);
  if (primary === undefined) return undefined;
  return { primary, replicas: others.flatMap((name) => indexOf.get(name) ?? []) };
}

function distinctNodes(entry: ScheduleEntry): readonly string[] {
  const repeated = entry.nodes.find((name, at) => entry.nodes.indexOf(name) !== at);
  if (repeated !== undefined) {
    invalidInput(`the previous entry of ${keyWords(entry)} gives node '${repeated}' twice`);
  }
  return entry.nodes;
}

/** Key of a graph node. */
export function keyOf({ placement }: ScheduleState, id: number): GraphKey {
  return placement.graph.keys[id] ?? { kind: '', name: '' };
}

export function isLive({ cluster }: ScheduleState, node: number): boolean {
  return cluster.isLive[node] === 1;
}

export function isCandidate({ cluster }: ScheduleState, node: number): boolean {
  return (cluster.candidatePlace[node] ?? -1) >= 0;
}

/** Enters an assignment; the graph node must not have one yet. */
export function assign(
  state: ScheduleState,
  id: number,
  primary: number,
  replicas: readonly number[],
): void {
  state.primary[id] = primary;
  state.replicas[id] = replicas;
  state.load[primary] = (state.load[primary] ?? 0) + 1;
  for (const node of replicas) state.load[node] = (state.load[node] ?? 0) + 1;
}

/** Adds replicas to a graph node that is assigned. */
export function extendReplicas(state: ScheduleState, id: number, added: readonly number[]): void {
  state.replicas[id] = [...(state.replicas[id] ?? []), ...added];
  for (const node of added) state.load[node] = (state.load[node] ?? 0) + 1;
}

/** Takes a graph node's assignment back, if it has one. */
export function release(state: ScheduleState, id: number): void {
  const primary = state.primary[id] ?? -1;
  if (primary < 0) return;
  for (const node of [primary, ...(state.replicas[id] ?? [])]) {
    state.load[node] = (state.load[node] ?? 0) - 1;
  }
  state.primary[id] = -1;
  state.replicas[id] = [];
}
