import { refusal } from '../errors.js';
import type { ConstraintCheck, NodeRejection } from '../feasibility/constraint-check.js';
import { GENERAL_RULES } from '../feasibility/destination.js';
import type { UnitStall } from './domain-schedule.js';
import { keyOf, type ScheduleState } from './schedule-state.js';
import type { DecisionCause } from './unit-fate.js';
import { nodeRejections } from './unit-feasibility.js';
import type { Unit } from './unit-table.js';

/** No cluster node may receive the unit. */
export function noCandidateStall(
  state: ScheduleState,
  unit: Unit,
  cause: DecisionCause,
): UnitStall {
  const members = unit.members.map((id) => keyOf(state, id));
  const nodes = nodeRejections(state, unit);
  const why = nodes.length === 0 ? 'the cluster has no node' : rejectionText(nodes);
  const code = cause === 'consolidation' ? 'SCHED_NO_CONSOLIDATION_HOST' : 'SCHED_NO_FEASIBLE_NODE';
  return { ...refusal(code, { members, why }), members, nodes };
}

/** The computation may not fail over any more units. */
export function budgetStall(
  state: ScheduleState,
  unit: Unit,
  amounts: { readonly budget: number; readonly used: number; readonly requested: number },
): UnitStall {
  const members = unit.members.map((id) => keyOf(state, id));
  const details = { members, ...amounts };
  return { ...refusal('SCHED_FAILOVER_BUDGET_EXHAUSTED', details), members, nodes: [] };
}

/** The first reason of each node: `n1: cordoned, n2: capacity fail (cpuCores 4 of 2)`. */
export function rejectionText(nodes: readonly NodeRejection[]): string {
  return nodes.map(({ node, checks: [first] }) => `${node}: ${reasonText(first)}`).join(', ');
}

/** The general rules speak for themselves; declared ones are named with their verdict. */
function reasonText(check: ConstraintCheck | undefined): string {
  if (check === undefined) return 'no candidate';
  const { constraint, verdict, evidence } = check;
  return GENERAL_RULES.has(constraint) ? evidence : `${constraint} ${verdict} (${evidence})`;
}
