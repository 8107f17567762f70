import type { ScoreComponent } from './score-component.js';

/** Sooner in turn: the candidates take turns in name order, one turn for each unit decided. */
export const roundRobin: ScoreComponent = {
  name: 'round_robin',
  score: ({ cluster: { candidates }, cursor }, _unit, scores) => {
    const count = candidates.length;
    const turn = count === 0 ? 0 : cursor % count;
    for (let place = 0; place < count; place += 1) {
      const distance = place < turn ? place - turn + count : place - turn;
      scores[candidates[place] ?? 0] = 0 - distance;
    }
  },
};
