import { replicaStickiness } from '../replica-stickiness.js';
import type { ScoreComponent } from '../score-component.js';

/** Half for a live replica of the unit, half for having every artifact that the unit declares. */
export const startupCost: ScoreComponent = {
  name: 'startup',
  score: (state, unit, scores) => {
    const { cluster, traits } = state;
    const replica = new Int32Array(scores.length);
    replicaStickiness.score(state, unit, replica);
    const wanted = unit.members.flatMap((id) => traits[id]?.requirements?.resourceVersions ?? []);
    for (const node of cluster.candidates) {
      const present = cluster.nodes[node]?.facts?.installedVersions?.value ?? [];
      const hasArtifacts = wanted.every((version) => present.includes(version));
      scores[node] = 50 * (replica[node] ?? 0) + (hasArtifacts ? 50 : 0);
    }
  },
};
