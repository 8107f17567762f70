import type { RelocationStatement, RelocationStrategy } from '@nervix/model';
import type { DomainScheduleInput } from '../computation/domain-schedule-input.js';
import { scheduleEntries } from '../computation/schedule-entries.js';
import { isLive, keyOf, release, type ScheduleState } from '../computation/schedule-state.js';
import { placeUnit } from '../computation/unit-decision.js';
import { isFeasible, nodeRejections } from '../computation/unit-feasibility.js';
import { rejectionText } from '../computation/unit-stall.js';
import { refusal } from '../errors.js';
import { Ranking } from '../ranking/ranking.js';
import { DECISION_CHAIN } from '../ranking/ranking-policy.js';
import type { ScheduleEntry } from '../schedule-entry.js';
import { gatedRelays } from './gated-relays.js';
import { isPrimaryMove, type MovedMember, movedMember } from './moved-member.js';
import { type MoveLevel, moveLevel } from './quiesce-level.js';
import { destinationRefusal, type RelocationRefusal } from './relocation-refusal.js';
import { memberRefusal, type PairCoverage, selectMembers } from './relocation-selection.js';
import { type MembershipReason, type RelocationGroup, relocationUnit } from './relocation-unit.js';
import { scheduleInForce } from './schedule-in-force.js';
import { type UnsatisfiedPreference, unsatisfiedPreferences } from './unsatisfied-preferences.js';

/** What a relocation asks for: the statement, whether it describes or moves. */
export type RelocationRequest = Omit<RelocationStatement, 'kind'>;

/** One graph node of a relocation's unit. */
export interface RelocationMember extends MovedMember {
  /** Counted from 1, in the order in which groups joined the unit. */
  readonly group: number;
  readonly strategy: RelocationStrategy;
  readonly reason: MembershipReason;
}

/** A relocation as it will be carried out: one hold, one schedule. */
export interface RelocationPlan {
  readonly kind: 'plan';
  readonly node: string;
  readonly level: MoveLevel;
  /** Names of the relays that the hold closes, ascending. */
  readonly gatedRelays: readonly string[];
  readonly coverage: readonly PairCoverage[];
  /** By group, then by key. Members that are on the destination already stay untouched. */
  readonly members: readonly RelocationMember[];
  /** How the schedule will contradict preferences, in pair order. */
  readonly unsatisfied: readonly UnsatisfiedPreference[];
  /** The schedule afterwards; undefined when nothing moves and nothing is to be written. */
  readonly entries: readonly ScheduleEntry[] | undefined;
}

/**
 * Plans a relocation. Describing and executing share this function, so for equal inputs the block
 * that is executed is the one that was described.
 *
 * @param isRunning whether the domain runs
 */
export function planRelocation(
  input: DomainScheduleInput,
  request: RelocationRequest,
  isRunning: boolean,
): RelocationPlan | RelocationRefusal {
  const state = scheduleInForce(input);
  const refused = memberRefusal(state, request) ?? destinationRefusal(state, request.node);
  if (refused !== undefined) return refused;
  const { selected, coverage } = selectMembers(state, request.selection);
  if (selected.size === 0) return refusal('SCHED_EMPTY_RELOCATION', {});
  const unit = relocationUnit(state, selected, request);
  if (unit.kind === 'refused') return unit;
  const ids = unit.groups.flatMap((group) => group.unit.members);
  const orphan = ids.find((id) => !isLive(state, state.previous[id]?.primary ?? -1));
  if (orphan !== undefined) {
    return refusal('SCHED_OWNER_NOT_LIVE', { member: keyOf(state, orphan) });
  }
  return planUnit(state, unit.groups, { request, coverage, isRunning });
}

/** What a plan takes over from its request. */
interface PlanFrame {
  readonly request: RelocationRequest;
  readonly coverage: readonly PairCoverage[];
  readonly isRunning: boolean;
}

function planUnit(
  state: ScheduleState,
  groups: readonly RelocationGroup[],
  { request, coverage, isRunning }: PlanFrame,
): RelocationPlan | RelocationRefusal {
  const host = state.cluster.indexOf.get(request.node) ?? -1;
  const ids = groups.flatMap(({ unit }) => unit.members);
  const moved = ids.filter((id) => state.primary[id] !== host);
  for (const { unit } of groups) {
    if (unit.members.every((id) => state.primary[id] === host)) continue;
    // One after the other, because they share what the destination has left.
    if (!isFeasible(state, unit, host)) return unfitDestination(state, unit, request.node);
    moveOnto(state, unit, host);
  }
  const members = groups.flatMap((group, place) => groupMembers(state, group, place + 1));
  return {
    kind: 'plan',
    node: request.node,
    level: moveLevel(isRunning && members.some(isPrimaryMove)),
    gatedRelays: gatedRelays(state, moved),
    coverage,
    members,
    unsatisfied: unsatisfiedPreferences(state, ids),
    entries: moved.length === 0 ? undefined : scheduleEntries(state),
  };
}

/** Why the destination cannot run a group, beside those that were moved there before it. */
function unfitDestination(
  state: ScheduleState,
  unit: RelocationGroup['unit'],
  node: string,
): RelocationRefusal {
  const rejection = nodeRejections(state, unit).filter((entry) => entry.node === node);
  const members = unit.members.map((id) => keyOf(state, id));
  return refusal('SCHED_UNFIT_DESTINATION', { members, why: rejectionText(rejection) });
}

/** Moves what is not there yet; replicas are cut to the configured count. */
export function moveOnto(
  state: ScheduleState,
  { index, members }: RelocationGroup['unit'],
  host: number,
): void {
  const moving = members.filter((id) => state.primary[id] !== host);
  if (moving.length === 0) return;
  for (const id of moving) release(state, id);
  const slots = (id: number) => (state.traits[id]?.replication === 'none' ? 0 : state.replicaCount);
  const hasSlots = moving.some((id) => slots(id) > 0);
  const unit = { index, members };
  const ranking = hasSlots ? new Ranking(state, unit, DECISION_CHAIN) : undefined;
  placeUnit(state, { index, members: moving }, { host, slots, ranking });
}

function groupMembers(
  state: ScheduleState,
  { unit, strategy, reasons }: RelocationGroup,
  group: number,
): readonly RelocationMember[] {
  return unit.members.map((id, place) => ({
    ...movedMember(state, id),
    group,
    strategy,
    reason: reasons[place] ?? 'required',
  }));
}
