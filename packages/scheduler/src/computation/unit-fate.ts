import { isCandidate, isLive, type ScheduleState } from './schedule-state.js';
import type { Unit } from './unit-table.js';

/** Why a unit is given an owner anew. */
export type DecisionCause = 'new' | 'failover' | 'consolidation' | 'handoff';

/** What a computation does with a unit. */
export type UnitFate =
  | { readonly kind: 'kept'; readonly host: number }
  | { readonly kind: 'decided'; readonly cause: DecisionCause };

/**
 * A unit on one live node stays there, and new members join it; only a host that may receive
 * nothing cannot be joined. A unit on one dead node fails over. Members on several nodes come
 * together, whichever of those nodes are live.
 */
export function unitFate(state: ScheduleState, { members }: Unit): UnitFate {
  let host = -1;
  let owned = 0;
  for (const id of members) {
    const owner = state.previous[id]?.primary ?? -1;
    if (owner < 0) continue;
    if (owned > 0 && owner !== host) return { kind: 'decided', cause: 'consolidation' };
    host = owner;
    owned += 1;
  }
  if (owned === 0) return { kind: 'decided', cause: 'new' };
  if (!isLive(state, host)) return { kind: 'decided', cause: 'failover' };
  const canStay = owned === members.length || isCandidate(state, host);
  return canStay ? { kind: 'kept', host } : { kind: 'decided', cause: 'consolidation' };
}
