import type { ClusterView } from '../cluster/cluster-view.js';
import type { ConstraintCheck, NodeRejection } from '../feasibility/constraint-check.js';
import { declaredChecks } from '../feasibility/declared-rules.js';
import { destinationChecks } from '../feasibility/destination.js';
import type { PlannedUse, SpreadCount } from '../feasibility/feasibility-rule.js';
import type { Requirements } from '../feasibility/requirements.js';
import type { ScheduleState } from './schedule-state.js';
import type { Unit } from './unit-table.js';

/** The candidates that can run all members of a unit, ascending. */
export function feasibleCandidates(state: ScheduleState, unit: Unit): readonly number[] {
  const { candidates } = state.cluster;
  const wanted = unitRequirements(state, unit);
  if (wanted.length === 0) return candidates;
  return candidates.filter((node) => failedChecks(state, unit, wanted, node).length === 0);
}

/** Whether a candidate can run all members of a unit. */
export function isFeasible(state: ScheduleState, unit: Unit, node: number): boolean {
  const wanted = unitRequirements(state, unit);
  return wanted.length === 0 || failedChecks(state, unit, wanted, node).length === 0;
}

/** Every member of the cluster that can take no unit at all, by name, with all the reasons. */
export function generalRejections({ nodes }: ClusterView): readonly NodeRejection[] {
  return nodes.flatMap((node) => {
    if (node === undefined) return [];
    const checks = destinationChecks(node).filter(({ verdict }) => verdict !== 'pass');
    return checks.length === 0 ? [] : [{ node: node.name, checks }];
  });
}

/**
 * Every member of the cluster that cannot take a unit, by name, with all the reasons.
 *
 * @param general what holds for every unit; the very list is given back where the unit adds nothing
 */
export function nodeRejections(
  state: ScheduleState,
  unit: Unit,
  general: readonly NodeRejection[] = generalRejections(state.cluster),
): readonly NodeRejection[] {
  const wanted = unitRequirements(state, unit);
  if (wanted.length === 0) return general;
  const known = new Map(general.map(({ node, checks }) => [node, checks]));
  return state.cluster.nodes.flatMap((node, index) => {
    if (node === undefined) return [];
    const checks = [...(known.get(node.name) ?? []), ...failedChecks(state, unit, wanted, index)];
    return checks.length === 0 ? [] : [{ node: node.name, checks }];
  });
}

/** Notes what a unit uses up on the node it was given to. */
export function reserveUnit(state: ScheduleState, unit: Unit, node: number): void {
  for (const wanted of unitRequirements(state, unit)) state.use.reserve(node, wanted);
}

/** What the members declare; amounts are asked for once, for all of them together. */
function unitRequirements({ traits }: ScheduleState, unit: Unit): readonly Requirements[] {
  const declared = unit.members.flatMap((id) => traits[id]?.requirements ?? []);
  if (declared.length < 2) return declared;
  const single = declared.map(({ capacity: _, ...rest }) => rest);
  const amount = (name: keyof NonNullable<Requirements['capacity']>) =>
    declared.reduce((sum, { capacity }) => sum + (capacity?.[name] ?? 0), 0);
  const ages = declared.flatMap(({ evidenceAgeMsMax }) => evidenceAgeMsMax ?? []);
  const together: Requirements = {
    capacity: {
      cpuCores: amount('cpuCores'),
      memoryBytes: amount('memoryBytes'),
      diskBytes: amount('diskBytes'),
      fileHandles: amount('fileHandles'),
    },
    ...(ages.length === 0 ? {} : { evidenceAgeMsMax: Math.min(...ages) }),
  };
  return declared.some(({ capacity }) => capacity !== undefined) ? [...single, together] : single;
}

function failedChecks(
  state: ScheduleState,
  unit: Unit,
  wanted: readonly Requirements[],
  node: number,
): readonly ConstraintCheck[] {
  const facts = state.cluster.nodes[node]?.facts ?? {};
  const use = plannedUse(state, unit, node);
  return wanted
    .flatMap((requirements) => declaredChecks({ facts, requirements, use }))
    .filter(({ verdict }) => verdict !== 'pass');
}

function plannedUse(state: ScheduleState, unit: Unit, node: number): PlannedUse {
  return {
    reserved: state.use.reserved(node),
    ports: state.use.ports(node),
    spreadCount: (set, failureDomain, ageMsMax) =>
      spreadCount(state, unit, { set, failureDomain, ageMsMax }),
    elsewhereCount: (set) => elsewhereCount(state, unit, set, node),
    listenerCount: (port) =>
      unit.members.filter((id) => state.traits[id]?.requirements?.ports?.includes(port)).length,
  };
}

/** Counts a set by failure domain, with the unit's other members counted as there. */
function spreadCount(
  { sets, table, primary, cluster }: ScheduleState,
  unit: Unit,
  wanted: { readonly set: string; readonly failureDomain: string; readonly ageMsMax: number },
): SpreadCount {
  let mates = 0;
  let there = 0;
  let perhaps = 0;
  for (const id of sets.spread.get(wanted.set) ?? []) {
    const owner = primary[id] ?? -1;
    if (table.unitOf[id] === unit.index) mates += 1;
    else if (owner >= 0) {
      const observed = cluster.nodes[owner]?.facts?.failureDomain;
      const isKnown = observed !== undefined && (observed.ageMs ?? 0) <= wanted.ageMsMax;
      if (!isKnown) perhaps += 1;
      else if (observed.value === wanted.failureDomain) there += 1;
    }
  }
  return { there: there + Math.max(0, mates - 1), perhaps };
}

/** Graph nodes of a set that are not on a node; those without an owner are still to be placed. */
function elsewhereCount(
  { sets, table, primary }: ScheduleState,
  unit: Unit,
  set: string,
  node: number,
): number {
  const inSet = sets.availability.get(set) ?? [];
  return inSet.filter((id) => table.unitOf[id] !== unit.index && primary[id] !== node).length;
}
