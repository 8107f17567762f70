import { isLive } from '../computation/schedule-state.js';
import type { ScoreComponent } from './score-component.js';

/**
 * One on each live node that is a replica of every member that can have replicas: promoting it
 * costs nothing. A unit whose members can have none has no opinion.
 */
export const replicaStickiness: ScoreComponent = {
  name: 'stickiness',
  score: (state, unit, scores) => {
    const able = unit.members.filter((id) => state.traits[id]?.replication !== 'none');
    const [first, ...others] = able.map((id) => state.previous[id]?.replicas ?? []);
    for (const node of new Set(first ?? [])) {
      if (isLive(state, node) && others.every((replicas) => replicas.includes(node))) {
        scores[node] = 1;
      }
    }
  },
};
