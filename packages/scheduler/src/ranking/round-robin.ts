import type { ScoreComponent } from './score-component.js';

/** Sooner in turn: the candidates take turns in name order, one turn for each unit decided. */
export const roundRobin: ScoreComponent = {
  name: 'round_robin',
  score: ({ cluster: { candidates }, cursor }, _unit, scores) => {
    const count = candidates.length;
    for (const [place, node] of candidates.entries()) {
      const distance = (((place - cursor) % count) + count) % count;
      scores[node] = 0 - distance;
    }
  },
};
