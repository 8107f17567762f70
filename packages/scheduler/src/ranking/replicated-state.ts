import { isLive } from '../computation/schedule-state.js';
import type { ScoreComponent } from './score-component.js';

/**
 * In a failover: how many of the unit's stateful members have a live replica on the node. State
 * that would be lost weighs more than any preference.
 */
export const replicatedState: ScoreComponent = {
  name: 'replicated_state',
  score: (state, unit, scores) => {
    for (const id of unit.members) {
      if (state.traits[id]?.replication !== 'state') continue;
      for (const node of new Set(state.previous[id]?.replicas ?? [])) {
        if (isLive(state, node)) scores[node] = (scores[node] ?? 0) + 1;
      }
    }
  },
};
