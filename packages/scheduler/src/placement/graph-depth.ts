import type { PlacementGraph } from './placement-graph.js';

/** What depths are read off. */
type FlowGraph = Pick<PlacementGraph, 'successors' | 'components'>;

/** Edges of the longest path that leads to each node, cycles taken as one node; linear. */
export function depthsOf({ successors, components }: FlowGraph): Uint32Array {
  const depth = new Uint32Array(components.count);
  // The highest component number comes first in the direction of the flow.
  for (const node of downstreamOrder(components.of, components.count)) {
    const component = components.of[node] ?? 0;
    const below = (depth[component] ?? 0) + 1;
    for (let at = successors.starts[node] ?? 0; at < (successors.starts[node + 1] ?? 0); at += 1) {
      const target = components.of[successors.targets[at] ?? 0] ?? 0;
      if (target !== component && below > (depth[target] ?? 0)) depth[target] = below;
    }
  }
  return components.of.map((component) => depth[component] ?? 0);
}

/** Graph node ids from the sources on: by depth, then by key. */
export function flowOrderOf(graph: FlowGraph): readonly number[] {
  const byDepth: number[][] = [];
  for (const [node, depth] of depthsOf(graph).entries()) {
    const nodes = byDepth[depth] ?? [];
    nodes.push(node);
    byDepth[depth] = nodes;
  }
  return byDepth.flat();
}

/** Nodes by descending component. */
function downstreamOrder(of: Uint32Array, count: number): Uint32Array {
  const next = new Uint32Array(count + 1);
  for (const component of of) next[count - component] = (next[count - component] ?? 0) + 1;
  for (let index = 0; index < count; index += 1) {
    next[index + 1] = (next[index + 1] ?? 0) + (next[index] ?? 0);
  }
  const order = new Uint32Array(of.length);
  for (const [node, component] of of.entries()) {
    const place = next[count - 1 - component] ?? 0;
    order[place] = node;
    next[count - 1 - component] = place + 1;
  }
  return order;
}
