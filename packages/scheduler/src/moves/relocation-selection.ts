import type { RelocationSelection, RuntimeMember } from '@nervix/model';
import { keyOf, type ScheduleState } from '../computation/schedule-state.js';
import { refusal } from '../errors.js';
import { idOf } from '../placement/build-placement-graph.js';
import { corridorNodes, isConnected } from '../placement/corridor.js';
import type { GraphKey } from '../placement/graph-key.js';
import { inSet, ReachSets } from '../placement/reach-sets.js';
import type { RelocationRequest } from './relocation-plan.js';
import type { RelocationRefusal } from './relocation-refusal.js';

/** One FROM/TO pair of a relocation by paths. */
export interface PairCoverage {
  readonly from: GraphKey;
  readonly to: GraphKey;
  readonly isConnected: boolean;
  /** Graph nodes on the walks between the two, both included; 0 where there are none. */
  readonly covered: number;
}

/** The graph nodes that a request selects. */
export interface SelectedMembers {
  readonly selected: ReadonlySet<number>;
  /** In written order; empty where members are named. */
  readonly coverage: readonly PairCoverage[];
}

/** The first defect of the members that a request names, whether selected or given a strategy. */
export function memberRefusal(
  state: ScheduleState,
  { selection, overrides }: RelocationRequest,
): RelocationRefusal | undefined {
  const written =
    selection.kind === 'members' ? selection.members : [...selection.from, ...selection.to];
  const chosen = written.map(memberKey);
  const named = [...chosen, ...overrides.map(({ member }) => memberKey(member))];
  const { domain, graph } = state.placement;
  const unknown = named.find((key) => idOf(graph, key) === undefined);
  if (unknown !== undefined) {
    return refusal('SCHED_UNKNOWN_MEMBER', { domain, member: unknown });
  }
  const listener = chosen.find(
    (key) => state.traits[idOf(graph, key) ?? -1]?.runs === 'every_node',
  );
  return listener && refusal('SCHED_LISTENER_MEMBER', { member: listener });
}

/** Selects the named members, or all corridors of the connected pairs together. */
export function selectMembers(
  state: ScheduleState,
  selection: RelocationSelection,
): SelectedMembers {
  const { graph } = state.placement;
  const idsOf = (members: readonly RuntimeMember[]) => [
    ...new Set(members.flatMap((member) => idOf(graph, memberKey(member)) ?? [])),
  ];
  if (selection.kind === 'members') {
    return { selected: new Set(idsOf(selection.members)), coverage: [] };
  }
  const reach = new ReachSets(graph);
  const selected = new Set<number>();
  const coverage: PairCoverage[] = [];
  for (const from of idsOf(selection.from)) {
    for (const to of idsOf(selection.to)) {
      const covered = isConnected(graph, reach, from, to)
        ? corridorIds(state, reach, from, to)
        : [];
      for (const id of covered) selected.add(id);
      coverage.push({
        from: keyOf(state, from),
        to: keyOf(state, to),
        isConnected: covered.length > 0,
        covered: covered.length,
      });
    }
  }
  return { selected, coverage };
}

/** The graph node that a statement names. */
export function memberKey({ kind, name }: RuntimeMember): GraphKey {
  return { kind: kind === 'hash_map' ? 'lookup' : kind, name };
}

/** Listeners lie on no corridor that can be moved: they run everywhere. */
function corridorIds(
  { placement, traits }: ScheduleState,
  reach: ReachSets,
  from: number,
  to: number,
): readonly number[] {
  const nodes = corridorNodes(reach, from, to);
  return [...placement.graph.keys.keys()].filter(
    (id) => inSet(nodes, id) && traits[id]?.runs === 'once',
  );
}
