import type { ScoreComponent } from '../score-component.js';

/** Cheaper nodes first: 100 less the cost in percent of the dearest node; 0 where it is unknown. */
export const operatingCost: ScoreComponent = {
  name: 'cost',
  score: ({ cluster }, _unit, scores) => {
    for (const node of cluster.candidates) {
      const cost = cluster.nodes[node]?.facts?.costPercent?.value;
      if (cost !== undefined) scores[node] = Math.floor(Math.min(100, Math.max(0, 100 - cost)));
    }
  },
};
