import type { ScoreComponent } from './score-component.js';

/** Fewer primaries and replicas of this domain so far, kept ones included. */
export const lowerLoad: ScoreComponent = {
  name: 'load',
  score: ({ load }, _unit, scores) => {
    for (const [node, assigned] of load.entries()) scores[node] = -assigned;
  },
};
