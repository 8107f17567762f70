import { infeasibilityOf, refusedNodes } from './feasibility/destination.js';
import type { Candidate, RankingRule } from './ranking/candidate.js';
import { keepOwner } from './ranking/keep-owner.js';
import { smallerName } from './ranking/smaller-name.js';
import { spreadLoad } from './ranking/spread-load.js';
import type { Assignment, ScheduleInput, ScheduleNode, ScheduleUnit } from './schedule-input.js';
import type { Relocation, ScheduleResult, UnitRefusal } from './schedule-result.js';

/** Rules in order of weight: a later one decides only where the earlier ones have no opinion. */
const RANKING: readonly RankingRule[] = [keepOwner, spreadLoad, smallerName];

/**
 * Computes where every unit runs. The outcome is a function of the input alone, and the order of
 * the input's lists does not matter. Units whose owner is live stay where they are, even on a
 * cordoned or terminating node; only the others are decided anew. A unit that has an owner is never
 * left without one: when no node is feasible it keeps the assignment it had.
 */
export function schedule(input: ScheduleInput): ScheduleResult {
  const nodes = [...input.nodes].sort((left, right) => compareText(left.name, right.name));
  const units = [...input.units].sort(compareUnits);
  const current = new Map(input.current.map((entry) => [unitKey(entry), entry]));
  const live = nodes.filter((node) => node.isLive).map((node) => node.name);
  const isLive = new Set(live);
  const load = new Map(nodes.map((node) => [node.name, 0]));
  const decided = new Map<string, Assignment>();

  for (const unit of units) {
    if (unit.placement === 'every_node') {
      decided.set(unitKey(unit), assignment(unit, live));
      continue;
    }
    const owner = current.get(unitKey(unit))?.nodes[0];
    if (owner === undefined || !isLive.has(owner)) continue;
    decided.set(unitKey(unit), assignment(unit, [owner]));
    load.set(owner, (load.get(owner) ?? 0) + 1);
  }

  const refusals: UnitRefusal[] = [];
  for (const unit of units) {
    const key = unitKey(unit);
    if (decided.has(key)) continue;
    const owner = current.get(key)?.nodes[0];
    const chosen = best(nodes, owner, load);
    if (chosen === undefined) {
      refusals.push(refusal(unit, nodes));
      decided.set(key, assignment(unit, owner === undefined ? [] : [owner]));
      continue;
    }
    decided.set(key, assignment(unit, [chosen]));
    load.set(chosen, (load.get(chosen) ?? 0) + 1);
  }

  const assignments = [...decided.values()].sort(compareUnits);
  const single = new Set(units.filter((unit) => unit.placement === 'single').map(unitKey));
  const movable = assignments.filter((entry) => single.has(unitKey(entry)));
  return { assignments, relocations: relocationsOf(movable, current), refusals };
}

function best(
  nodes: readonly ScheduleNode[],
  owner: string | undefined,
  load: ReadonlyMap<string, number>,
): string | undefined {
  const candidates: Candidate[] = nodes
    .filter((node) => infeasibilityOf(node) === undefined)
    .map(({ name }) => ({ node: name, isOwner: name === owner, load: load.get(name) ?? 0 }));
  return candidates.sort(compareCandidates)[0]?.node;
}

function compareCandidates(left: Candidate, right: Candidate): number {
  for (const rule of RANKING) {
    const opinion = rule(left, right);
    if (opinion !== 0) return opinion;
  }
  return 0;
}

function relocationsOf(
  assignments: readonly Assignment[],
  current: ReadonlyMap<string, Assignment>,
): readonly Relocation[] {
  return assignments.flatMap(({ kind, name, nodes: [to] }) => {
    const from = current.get(unitKey({ kind, name }))?.nodes[0];
    if (from === undefined || to === undefined || from === to) return [];
    return [{ kind, name, from, to }];
  });
}

function refusal(unit: ScheduleUnit, nodes: readonly ScheduleNode[]): UnitRefusal {
  const reasons = refusedNodes(nodes);
  const listed = reasons.map(({ node, reason }) => `${node}: ${reason.replace('_', ' ')}`);
  const why = listed.length === 0 ? 'the cluster has no node' : listed.join(', ');
  return {
    code: 'SCHED_NO_FEASIBLE_NODE',
    message: `no cluster node can run ${unit.kind.replaceAll('_', ' ')} '${unit.name}' (${why})`,
    kind: unit.kind,
    name: unit.name,
    nodes: reasons,
  };
}

function assignment(unit: ScheduleUnit, nodes: readonly string[]): Assignment {
  return { kind: unit.kind, name: unit.name, nodes };
}

function unitKey(unit: { readonly kind: string; readonly name: string }): string {
  return `${unit.kind}/${unit.name}`;
}

function compareUnits(
  left: { readonly kind: string; readonly name: string },
  right: { readonly kind: string; readonly name: string },
): number {
  return compareText(left.kind, right.kind) || compareText(left.name, right.name);
}

function compareText(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
