import { depthsOf } from '../placement/graph-depth.js';
import type { PlacementGraph } from '../placement/placement-graph.js';

/** Graph node ids from the sources on: by depth, then by key. */
export function decisionOrder(graph: PlacementGraph): readonly number[] {
  const depths = depthsOf(graph);
  return [...graph.keys.keys()].sort(
    (left, right) => (depths[left] ?? 0) - (depths[right] ?? 0) || left - right,
  );
}
