import { assert } from '@nervix/model';
import { computeSchedule } from './computation/compute-schedule.js';
import type { UnitStall } from './computation/domain-schedule.js';
import { refusedNodes } from './feasibility/destination.js';
import { buildPlacementGraph } from './placement/build-placement-graph.js';
import { compareText, keyText } from './placement/graph-key.js';
import { resolvePlacement } from './placement/resolve-placement.js';
import type { ResolvedPlacement } from './placement/resolved-placement.js';
import type { Assignment, ScheduleInput, ScheduleNode, ScheduleUnit } from './schedule-input.js';
import type { ScheduleResult, UnitRefusal } from './schedule-result.js';

/**
 * Computes where units run that have neither edges nor rules nor replicas: the domain schedule in
 * its simplest form. Units whose owner is live stay where they are, even on a cordoned or
 * terminating node; a unit that has an owner is never left without one.
 */
export function schedule(input: ScheduleInput): ScheduleResult {
  const single = new Set(
    input.units.filter(({ placement }) => placement === 'single').map(keyText),
  );
  const result = computeSchedule({
    placement: freePlacement(input.units),
    traits: input.units.map(({ kind, name }) => ({
      kind,
      name,
      runs: single.has(keyText({ kind, name })) ? 'once' : 'every_node',
      replication: 'none',
    })),
    nodes: input.nodes,
    replicaCount: 0,
    previous: input.current.map((entry) => (single.has(keyText(entry)) ? ownerOnly(entry) : entry)),
  });
  const nodes = input.nodes.toSorted((left, right) => compareText(left.name, right.name));
  return {
    assignments: result.entries,
    relocations: result.relocations,
    refusals: result.stalls.map((stall) => refusalOf(stall, nodes)),
  };
}

function freePlacement(units: readonly ScheduleUnit[]): ResolvedPlacement {
  const keys = units.map(({ kind, name }) => ({ kind, name }));
  const outcome = resolvePlacement({
    domain: '',
    graph: buildPlacementGraph(keys, []),
    defaultPolicy: 'NEUTRAL',
    rules: [],
  });
  assert(outcome.kind === 'resolved', 'without rules nothing conflicts');
  return outcome.placement;
}

function ownerOnly({ kind, name, nodes }: Assignment): Assignment {
  return { kind, name, nodes: nodes.slice(0, 1) };
}

function refusalOf({ message, members }: UnitStall, nodes: readonly ScheduleNode[]): UnitRefusal {
  const { kind, name } = members[0] ?? { kind: '', name: '' };
  return { code: 'SCHED_NO_FEASIBLE_NODE', message, kind, name, nodes: refusedNodes(nodes) };
}
