import type { ClusterView } from '../cluster/cluster-view.js';
import type { DomainScheduleInput } from '../computation/domain-schedule-input.js';
import {
  assign,
  clusterOf,
  type ScheduleState,
  scheduleState,
} from '../computation/schedule-state.js';

/**
 * A state that holds the schedule in force exactly as it is, lost owners and split groups included:
 * a planned move changes its own unit and nothing else.
 *
 * @param cluster the members, with a node left out of the candidates where the move empties it
 */
export function scheduleInForce(
  input: DomainScheduleInput,
  cluster: ClusterView = clusterOf([input]),
): ScheduleState {
  const state = scheduleState(input, cluster);
  for (const [id, owners] of state.previous.entries()) {
    if (owners !== undefined) assign(state, id, owners.primary, owners.replicas);
  }
  return state;
}
