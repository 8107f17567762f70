import { compareText } from '../placement/graph-key.js';
import {
  type GuestGenerations,
  nextGuestGeneration,
  type ScheduleEntry,
} from '../schedule-entry.js';
import { keyOf, type ScheduleState } from './schedule-state.js';

/**
 * Writes a finished computation as entries in key order. An entry that stays as it is is the one in
 * force itself.
 *
 * @param isFailedOver whether a graph node lost its owner in this computation
 */
export function scheduleEntries(
  state: ScheduleState,
  isFailedOver: (id: number) => boolean = () => false,
): readonly ScheduleEntry[] {
  const { names, isLive } = state.cluster;
  const live = names.filter((_, node) => isLive[node] === 1);
  return state.traits.map(({ runs }, id) => {
    const nodes = runs === 'every_node' ? live : assignedNodes(state, id);
    return entryWith(state, id, nodes, isFailedOver(id));
  });
}

/** Names of a graph node's nodes, primary first; while it waits for a candidate, what it had. */
function assignedNodes(state: ScheduleState, id: number): readonly string[] {
  const primary = state.primary[id] ?? -1;
  if (primary < 0) return state.entries[id]?.nodes ?? [];
  return [primary, ...(state.replicas[id] ?? [])].map((node) => state.cluster.names[node] ?? '');
}

function entryWith(
  state: ScheduleState,
  id: number,
  nodes: readonly string[],
  isFailedOver: boolean,
): ScheduleEntry {
  const { kind, name } = keyOf(state, id);
  const former = state.entries[id];
  const { partitions, guestGenerations: before } = former ?? {};
  const isRestarted = isFailedOver && kind === 'wasm_processor';
  // A forced recovery starts one for every branch: no older state may ever come back.
  const guestGenerations = isRestarted
    ? { common: nextGuestGeneration(before), byBranch: {} }
    : sortedGenerations(before);
  const isKept = guestGenerations === undefined && before === undefined;
  if (former !== undefined && isKept && isSameList(former.nodes, nodes)) return former;
  return {
    kind,
    name,
    nodes: [...nodes],
    ...(partitions === undefined ? {} : { partitions }),
    ...(guestGenerations === undefined ? {} : { guestGenerations }),
  };
}

function isSameList(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((item, at) => item === right[at]);
}

/** Branches in name order, so that equal schedules are equal byte by byte. */
function sortedGenerations(before: GuestGenerations | undefined): GuestGenerations | undefined {
  if (before === undefined) return undefined;
  const sorted = Object.entries(before.byBranch).sort(([left], [right]) =>
    compareText(left, right),
  );
  return { common: before.common, byBranch: Object.fromEntries(sorted) };
}
