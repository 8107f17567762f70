import type { ScheduleState } from '../computation/schedule-state.js';
import { neighboursOf } from '../placement/adjacency.js';
import { compareText } from '../placement/graph-key.js';
import type { Adjacency, PlacementGraph } from '../placement/placement-graph.js';

/**
 * Names of the relays that a hold closes while graph nodes move: relays that move and the inputs of
 * consumers that move. Graph nodes between two that move count like those, because what they still
 * pass on must reach its consumer before the move. A relay stays open when all who feed it move in
 * one hard group: the group empties itself.
 */
export function gatedRelays(
  { placement, traits }: ScheduleState,
  moved: readonly number[],
): readonly string[] {
  const { graph, groupOf } = placement;
  const isRelay = (id: number) => graph.keys[id]?.kind === 'relay';
  const affected = affectedNodes(graph, moved);
  const relays = new Set<number>();
  for (const id of affected) {
    // Listeners run everywhere, do not move and are held at their sockets.
    if (traits[id]?.runs === 'every_node') continue;
    if (isRelay(id)) relays.add(id);
    else
      for (const input of neighboursOf(graph.predecessors, id))
        if (isRelay(input)) relays.add(input);
  }
  const isInternal = (relay: number) => {
    const [first, ...others] = neighboursOf(graph.predecessors, relay);
    if (first === undefined || !affected.has(first)) return false;
    const group = groupOf[first] ?? -1;
    return group >= 0 && others.every((id) => affected.has(id) && groupOf[id] === group);
  };
  const gated = [...relays].filter((relay) => !isInternal(relay));
  return gated.map((id) => graph.keys[id]?.name ?? '').sort(compareText);
}

/** What moves and everything on a walk from there back to something that moves. */
function affectedNodes(graph: PlacementGraph, moved: readonly number[]): ReadonlySet<number> {
  const downstream = reachable(graph.successors, moved);
  const upstream = reachable(graph.predecessors, moved);
  return new Set([...downstream].filter((id) => upstream.has(id)));
}

function reachable(edges: Adjacency, from: readonly number[]): ReadonlySet<number> {
  const seen = new Set(from);
  // A set that grows is walked to its end, so this is a search without a queue of its own.
  for (const id of seen) for (const next of neighboursOf(edges, id)) seen.add(next);
  return seen;
}
