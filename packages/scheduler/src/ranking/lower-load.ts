import type { ScoreComponent } from './score-component.js';

/** Fewer primaries and replicas of this domain so far, kept ones included. */
export const lowerLoad: ScoreComponent = {
  name: 'load',
  score: ({ load }, _unit, scores) => {
    for (let node = 0; node < load.length; node += 1) scores[node] = -(load[node] ?? 0);
  },
};
