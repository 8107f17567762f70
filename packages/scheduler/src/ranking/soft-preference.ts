import type { ScheduleState } from '../computation/schedule-state.js';
import type { Unit } from '../computation/unit-table.js';
import { addSoftScores, countedNodes, softScoreOf } from '../placement/soft-partner.js';
import type { ScoreComponent } from './score-component.js';

/** Members from which on a unit is worth a look at who else is assigned. */
const LARGE_UNIT = 64;

/**
 * Effective preferences towards graph nodes that are assigned: one more on the primary of each that
 * is to be close, one less on the primary of each that is to be apart.
 */
export const softPreference: ScoreComponent = {
  name: 'soft',
  score: (state, unit, scores) => {
    const others = unit.members.length < LARGE_UNIT ? undefined : assignedOutside(state, unit);
    if (others !== undefined && others.length < unit.members.length) {
      addFromOutside(state, unit, others, scores);
    } else {
      addFromInside(state, unit, scores);
    }
  },
};

/** What the members prefer of everybody. */
function addFromInside(
  { placement, primary }: ScheduleState,
  { members }: Unit,
  scores: Int32Array,
): void {
  // The unit's own members do not count, so they are out of sight for as long as it is scored.
  const owners = members.map((member) => primary[member] ?? -1);
  for (const member of members) primary[member] = -1;
  for (const member of members) addSoftScores(placement, member, primary, scores);
  for (const [place, member] of members.entries()) primary[member] = owners[place] ?? -1;
}

/** What everybody prefers of the members: the same, because preferences are mutual. */
function addFromOutside(
  { placement, primary }: ScheduleState,
  { members }: Unit,
  others: readonly number[],
  scores: Int32Array,
): void {
  const counted = countedNodes(placement, members);
  for (const other of others) {
    const node = primary[other] ?? -1;
    scores[node] = (scores[node] ?? 0) + softScoreOf(placement, other, counted);
  }
}

function assignedOutside({ primary, table }: ScheduleState, unit: Unit): readonly number[] {
  const ids: number[] = [];
  for (const [id, node] of primary.entries()) {
    if (node >= 0 && table.unitOf[id] !== unit.index) ids.push(id);
  }
  return ids;
}
