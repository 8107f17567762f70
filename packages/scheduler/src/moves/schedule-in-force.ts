import type { DomainScheduleInput } from '../computation/domain-schedule-input.js';
import { assign, type ScheduleState, scheduleState } from '../computation/schedule-state.js';

/**
 * A state that holds the schedule in force exactly as it is, lost owners and split groups included:
 * a planned move changes its own unit and nothing else.
 *
 * @param excluded name of a node that may receive nothing
 */
export function scheduleInForce(input: DomainScheduleInput, excluded?: string): ScheduleState {
  const state = scheduleState(input, excluded);
  for (const [id, owners] of state.previous.entries()) {
    if (owners !== undefined) assign(state, id, owners.primary, owners.replicas);
  }
  return state;
}
