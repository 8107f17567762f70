import type { ScoreComponent } from './score-component.js';

/** In a consolidation: how many members the node owns already and would not have to move. */
export const membersPresent: ScoreComponent = {
  name: 'members_present',
  score: ({ previous }, unit, scores) => {
    for (const id of unit.members) {
      const node = previous[id]?.primary;
      if (node !== undefined) scores[node] = (scores[node] ?? 0) + 1;
    }
  },
};
