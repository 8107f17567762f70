import { invalidInput } from '../errors.js';
import type { Ranking } from '../ranking/ranking.js';
import { finish, type Steps } from '../steps.js';
import type { DomainSchedule, UnitStall } from './domain-schedule.js';
import type { DomainScheduleInput } from './domain-schedule-input.js';
import { isLeftAlone, liveReplicas, replicaSlots } from './replica-slots.js';
import { assign, clusterOf, type ScheduleState, stateSteps } from './schedule-state.js';
import { summarizeSchedule } from './schedule-summary.js';
import { decideUnit, fillVacancies } from './unit-decision.js';
import { type DecisionCause, type UnitFate, unitFate } from './unit-fate.js';
import { budgetStall, noCandidateStall } from './unit-stall.js';
import type { Unit } from './unit-table.js';

const UNITS_A_STEP = 1_024;

/**
 * Computes where every graph node of a domain runs. Three phases: assignments that stay are
 * entered; every other unit is decided from the sources on; vacant replica slots of what stayed
 * are filled. A pure function of its input, whose lists may come in any order. Nothing that has an
 * owner is ever left without one.
 *
 * @throws ScheduleError when the input contradicts itself
 *
 * O(decided units x cluster nodes + edges + effective soft pairs).
 */
export function computeSchedule(input: DomainScheduleInput): DomainSchedule {
  return finish(scheduleSteps(input));
}

/** The work of {@link computeSchedule}, for `runSliced`. */
export function* scheduleSteps(input: DomainScheduleInput): Steps<DomainSchedule> {
  const { state, causes, stalls } = yield* computationSteps(input, () => undefined);
  yield;
  return yield* summarizeSchedule(state, causes, stalls);
}

/** A computation that has ended. */
export interface Computation extends DecisionOutcome {
  readonly state: ScheduleState;
}

/** Called after each decision, while the ranking that made it can still be asked. */
export type DecisionObserver = (
  state: ScheduleState,
  unit: Unit,
  cause: DecisionCause,
  ranking: Ranking,
) => void;

/** The computation of {@link computeSchedule}, open to an observer of its decisions. */
export function* computationSteps(
  input: DomainScheduleInput,
  observe: DecisionObserver,
): Steps<Computation> {
  const state = yield* stateSteps(input, clusterOf([input]));
  const fates = state.table.units.map((unit) => unitFate(state, unit));
  yield;
  yield* enterKept(state, fates);
  if (fates.some(({ kind }) => kind === 'decided')) yield* state.placement.claims.pairs.prepare();
  const outcome = yield* decideOthers(state, fates, budgetOf(input), observe);
  yield* fillKept(state, fates);
  return { ...outcome, state };
}

function budgetOf({ failoverBudget = Number.POSITIVE_INFINITY }: DomainScheduleInput): number {
  // Not the opposite comparison: it would let a budget pass that is no number.
  if (!(failoverBudget >= 0)) invalidInput(`the failover budget is ${failoverBudget}`);
  return failoverBudget;
}

/** Enters every unit that stays with its primary and the replicas that live. */
function* enterKept(state: ScheduleState, fates: readonly UnitFate[]): Steps<void> {
  for (const unit of state.table.units) {
    const fate = fates[unit.index];
    if (unit.index % UNITS_A_STEP === 0) yield;
    if (fate?.kind !== 'kept') continue;
    for (const id of unit.members) assign(state, id, fate.host, liveReplicas(state, id, fate.host));
  }
}

/** What the decisions of a computation amount to. */
export interface DecisionOutcome {
  /** Why each unit was decided, by unit index; only units that were placed. */
  readonly causes: ReadonlyMap<number, DecisionCause>;
  readonly stalls: readonly UnitStall[];
}

function* decideOthers(
  state: ScheduleState,
  fates: readonly UnitFate[],
  failoverBudget: number,
  observe: DecisionObserver,
): Steps<DecisionOutcome> {
  const causes = new Map<number, DecisionCause>();
  const stalls: UnitStall[] = [];
  const lost = state.table.units.filter(({ index }) => isFailover(fates[index]));
  const requested = lost.reduce((sum, { members }) => sum + members.length, 0);
  let used = 0;
  for (const unit of state.table.decided) {
    const fate = fates[unit.index];
    if (fate?.kind !== 'decided') continue;
    yield;
    if (isFailover(fate) && used >= failoverBudget) {
      stalls.push(budgetStall(state, unit, { budget: failoverBudget, used, requested }));
      continue;
    }
    const ranking = decideUnit(state, unit, fate.cause);
    if (ranking === undefined) {
      stalls.push(noCandidateStall(state, unit, fate.cause));
      continue;
    }
    observe(state, unit, fate.cause, ranking);
    causes.set(unit.index, fate.cause);
    used += isFailover(fate) ? unit.members.length : 0;
  }
  return { causes, stalls };
}

function isFailover(fate: UnitFate | undefined): boolean {
  return fate?.kind === 'decided' && fate.cause === 'failover';
}

function* fillKept(state: ScheduleState, fates: readonly UnitFate[]): Steps<void> {
  if (state.cluster.candidates.length === 0) return;
  for (const unit of state.table.decided) {
    if (fates[unit.index]?.kind !== 'kept') continue;
    const vacant = unit.members.filter((id) => hasVacancy(state, unit, id));
    if (vacant.length === 0) continue;
    fillVacancies(state, unit, vacant);
    yield;
  }
}

/** Whether a graph node that stays lacks replicas which it is to have. */
function hasVacancy(state: ScheduleState, unit: Unit, id: number): boolean {
  const assigned = state.replicas[id]?.length ?? 0;
  return assigned < replicaSlots(state, id) && !isLeftAlone(state, unit, id);
}
