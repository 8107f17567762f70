import { infeasibilityOf } from '../feasibility/destination.js';
import type { GraphKey } from '../placement/graph-key.js';
import { kindWords } from '../placement/kind-words.js';
import type { NodeRefusal } from '../schedule-result.js';
import type { UnitStall } from './domain-schedule.js';
import { keyOf, type ScheduleState } from './schedule-state.js';
import type { DecisionCause } from './unit-fate.js';
import type { Unit } from './unit-table.js';

/** No cluster node may receive the unit. */
export function noCandidateStall(
  state: ScheduleState,
  unit: Unit,
  cause: DecisionCause,
): UnitStall {
  const members = unit.members.map((id) => keyOf(state, id));
  const nodes = refusals(state);
  const listed = nodes.map(({ node, reason }) => `${node}: ${reason.replace('_', ' ')}`);
  const why = listed.length === 0 ? 'the cluster has no node' : listed.join(', ');
  const subject = describeMembers(members);
  return cause === 'consolidation'
    ? {
        code: 'SCHED_NO_CONSOLIDATION_HOST',
        message: `no cluster node can bring together ${subject} (${why})`,
        members,
        nodes,
      }
    : {
        code: 'SCHED_NO_FEASIBLE_NODE',
        message: `no cluster node can run ${subject} (${why})`,
        members,
        nodes,
      };
}

/** The computation may not fail over any more units. */
export function budgetStall(
  state: ScheduleState,
  unit: Unit,
  { budget, requested }: { readonly budget: number; readonly requested: number },
): UnitStall {
  const members = unit.members.map((id) => keyOf(state, id));
  const amounts = `failover budget: used ${budget} of ${budget}, requested ${requested}`;
  return {
    code: 'SCHED_FAILOVER_BUDGET_EXHAUSTED',
    message: `${describeMembers(members)} keeps its lost owner (${amounts})`,
    members,
    nodes: [],
  };
}

/** `junction 'a'` for a single graph node, `group [junction a, relay b]` for several. */
export function describeMembers(members: readonly GraphKey[]): string {
  const [only] = members;
  if (only !== undefined && members.length === 1) return `${kindWords(only.kind)} '${only.name}'`;
  return `group [${members.map(({ kind, name }) => `${kindWords(kind)} ${name}`).join(', ')}]`;
}

function refusals({ cluster: { nodes } }: ScheduleState): readonly NodeRefusal[] {
  return nodes.flatMap((node) => {
    const reason = node === undefined ? undefined : infeasibilityOf(node);
    return node === undefined || reason === undefined ? [] : [{ node: node.name, reason }];
  });
}
