import { addSoftScores } from '../placement/soft-partner.js';
import type { ScoreComponent } from './score-component.js';

/**
 * Effective preferences towards graph nodes that are assigned: one more on the primary of each that
 * is to be close, one less on the primary of each that is to be apart.
 */
export const softPreference: ScoreComponent = {
  name: 'soft',
  score: ({ placement, primary }, { members }, scores) => {
    // The unit's own members do not count, so they are out of sight for as long as it is scored.
    const owners = members.map((member) => primary[member] ?? -1);
    for (const member of members) primary[member] = -1;
    for (const member of members) addSoftScores(placement, member, primary, scores);
    for (const [place, member] of members.entries()) primary[member] = owners[place] ?? -1;
  },
};
