import type { ScoreComponent } from '../score-component.js';

/** How far the node is from its limits of event-loop delay and memory; 0 where it is unknown. */
export const lowPressure: ScoreComponent = {
  name: 'pressure',
  score: ({ cluster }, _unit, scores) => {
    for (const node of cluster.candidates) {
      const pressure = cluster.nodes[node]?.facts?.pressurePercent?.value;
      if (pressure !== undefined) scores[node] = percent(100 - pressure);
    }
  },
};

function percent(value: number): number {
  return Math.floor(Math.min(100, Math.max(0, value)));
}
