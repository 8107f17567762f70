import { visitSoftPartners } from '../placement/soft-partner.js';
import type { ScoreComponent } from './score-component.js';

/**
 * Effective preferences towards graph nodes that are assigned: one more on the primary of each that
 * is to be close, one less on the primary of each that is to be apart.
 */
export const softPreference: ScoreComponent = {
  name: 'soft',
  score: ({ placement, table, primary }, unit, scores) => {
    for (const member of unit.members) {
      visitSoftPartners(placement, member, (partner, weight) => {
        const node = primary[partner] ?? -1;
        if (node < 0 || table.unitOf[partner] === unit.index) return;
        scores[node] = (scores[node] ?? 0) + weight;
      });
    }
  },
};
