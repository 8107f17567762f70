import { keyOf, type ScheduleState } from '../computation/schedule-state.js';
import { idOf } from '../placement/build-placement-graph.js';
import { corridorNodes, isConnected } from '../placement/corridor.js';
import type { GraphKey } from '../placement/graph-key.js';
import { inSet, ReachSets } from '../placement/reach-sets.js';
import { listenerMember, type RelocationRefusal, unknownMember } from './relocation-refusal.js';
import type { RelocationChoice, RelocationRequest } from './relocation-request.js';

/** One FROM/TO pair of a relocation by paths. */
export interface PairCoverage {
  readonly from: GraphKey;
  readonly to: GraphKey;
  readonly isConnected: boolean;
  /** Graph nodes on the walks between the two, both included; 0 where there are none. */
  readonly covered: number;
}

/** The graph nodes that a request selects. */
export interface RelocationSelection {
  readonly kind: 'selection';
  readonly selected: ReadonlySet<number>;
  /** In written order; empty where members are named. */
  readonly coverage: readonly PairCoverage[];
}

/** The first defect of the members that a request names, whether selected or given a strategy. */
export function memberRefusal(
  state: ScheduleState,
  { choice, overrides }: RelocationRequest,
): RelocationRefusal | undefined {
  const chosen = choice.kind === 'members' ? choice.members : [...choice.from, ...choice.to];
  const named = [...chosen, ...overrides.map(({ member }) => member)];
  const { domain, graph } = state.placement;
  const unknown = named.find((key) => idOf(graph, key) === undefined);
  if (unknown !== undefined) return unknownMember(domain, unknown);
  const listener = chosen.find(
    (key) => state.traits[idOf(graph, key) ?? -1]?.runs === 'every_node',
  );
  return listener === undefined ? undefined : listenerMember(listener);
}

/** Selects the named members, or all corridors of the connected pairs together. */
export function selectMembers(state: ScheduleState, choice: RelocationChoice): RelocationSelection {
  const { graph } = state.placement;
  const idsOf = (keys: readonly GraphKey[]) => [
    ...new Set(keys.flatMap((key) => idOf(graph, key) ?? [])),
  ];
  if (choice.kind === 'members') {
    return { kind: 'selection', selected: new Set(idsOf(choice.members)), coverage: [] };
  }
  const reach = new ReachSets(graph);
  const selected = new Set<number>();
  const coverage: PairCoverage[] = [];
  for (const from of idsOf(choice.from)) {
    for (const to of idsOf(choice.to)) {
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
  return { kind: 'selection', selected, coverage };
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
