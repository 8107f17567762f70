import type { ScoreComponent } from './score-component.js';

/**
 * How many of the graph nodes that feed the unit directly the node has, as primary or replica.
 * Listeners feed from everywhere and have no opinion.
 */
export const upstreamLocality: ScoreComponent = {
  name: 'locality',
  score: (state, unit, scores) => {
    const { starts, targets } = state.placement.graph.predecessors;
    const seen = new Set<number>();
    for (const id of unit.members) {
      for (let index = starts[id] ?? 0; index < (starts[id + 1] ?? 0); index += 1) {
        const feeder = targets[index] ?? 0;
        if (seen.has(feeder) || state.table.unitOf[feeder] === unit.index) continue;
        seen.add(feeder);
        const primary = state.primary[feeder] ?? -1;
        if (primary < 0) continue;
        scores[primary] = (scores[primary] ?? 0) + 1;
        for (const node of state.replicas[feeder] ?? []) scores[node] = (scores[node] ?? 0) + 1;
      }
    }
  },
};
