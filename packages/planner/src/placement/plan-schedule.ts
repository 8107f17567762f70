import { equalData } from '@nervix/model';
import {
  type FailoverOutcome,
  type ResolvedDomain,
  type ScheduleDelta,
  type ScheduleEntry,
  type ScheduleNode,
  type Steps,
  scheduleDelta,
  scheduleSteps,
  type UnitStall,
} from '@nervix/scheduler';
import type { PlanRefusal } from '../errors.js';
import type { QuiesceLevel } from '../quiesce-level.js';

/** The cluster and the schedule in force that a new schedule starts from. */
export interface SchedulingInput {
  /** Members of the cluster. */
  readonly nodes: readonly ScheduleNode[];
  /** Replicas that a graph node should have where its kind allows them. */
  readonly replicaCount: number;
  /** The domain's schedule in force; empty before the first one. */
  readonly previous: readonly ScheduleEntry[];
}

/** The schedule of a domain after a change. */
export interface PlannedSchedule {
  /** In key order. An entry without nodes waits for a cluster node that can take it. */
  readonly entries: readonly ScheduleEntry[];
  /** How it differs from the schedule in force. */
  readonly delta: ScheduleDelta;
  /** Owners that change by plan and not because one was lost. */
  readonly plannedRelocations: number;
  readonly failovers: readonly FailoverOutcome[];
  /** Units that no cluster node can run now. */
  readonly stalls: readonly UnitStall[];
  /** What the difference asks of a running domain. */
  readonly level: QuiesceLevel;
}

export type ScheduleOutcome =
  | { readonly kind: 'planned'; readonly schedule: PlannedSchedule }
  | { readonly kind: 'rejected'; readonly refusal: PlanRefusal };

/**
 * Computes the schedule of a resolved domain and compares it with the one in force, for `runSliced`.
 * Members of a group that are to come together need a node that can take them: without one nothing is
 * planned.
 *
 * @param isRunning whether the domain runs
 */
export function* planScheduleSteps(
  resolved: ResolvedDomain,
  scheduling: SchedulingInput,
  isRunning: boolean,
): Steps<ScheduleOutcome> {
  const known = latest.get(resolved.placement);
  if (known !== undefined && isSameQuestion(known, { ...resolved, scheduling, isRunning })) {
    return known.outcome;
  }
  const outcome = yield* scheduleOutcomeSteps(resolved, scheduling, isRunning);
  latest.set(resolved.placement, { traits: resolved.traits, scheduling, isRunning, outcome });
  return outcome;
}

/** What a schedule is planned from besides a placement. */
interface ScheduleQuestion {
  readonly traits: ResolvedDomain['traits'];
  readonly scheduling: SchedulingInput;
  readonly isRunning: boolean;
}

/** What was planned last for a placement, which is never changed. */
const latest = new WeakMap<
  ResolvedDomain['placement'],
  ScheduleQuestion & { readonly outcome: ScheduleOutcome }
>();

function isSameQuestion(known: ScheduleQuestion, asked: ScheduleQuestion): boolean {
  const [before, now] = [known.scheduling, asked.scheduling];
  return (
    known.traits === asked.traits &&
    known.isRunning === asked.isRunning &&
    before.replicaCount === now.replicaCount &&
    before.previous === now.previous &&
    equalData(before.nodes, now.nodes)
  );
}

function* scheduleOutcomeSteps(
  resolved: ResolvedDomain,
  scheduling: SchedulingInput,
  isRunning: boolean,
): Steps<ScheduleOutcome> {
  const { placement, traits } = resolved;
  const schedule = yield* scheduleSteps({ placement, traits, ...scheduling });
  yield;
  const homeless = schedule.stalls.find(({ code }) => code === 'SCHED_NO_CONSOLIDATION_HOST');
  if (homeless !== undefined) {
    return {
      kind: 'rejected',
      refusal: { code: 'PLAN_UNPLACEABLE', message: homeless.message },
    };
  }
  const { plannedRelocations, failovers, stalls } = schedule;
  const entries = keptList(schedule.entries, scheduling.previous);
  const delta = scheduleDelta(scheduling.previous, entries, {
    isRunning,
    listeners: traits.filter(({ runs }) => runs === 'every_node'),
  });
  const { level } = delta;
  const planned = { entries, delta, plannedRelocations, failovers, stalls, level };
  return { kind: 'planned', schedule: planned };
}

/** The schedule in force itself where no entry of it becomes another one. */
function keptList(
  entries: readonly ScheduleEntry[],
  previous: readonly ScheduleEntry[],
): readonly ScheduleEntry[] {
  const isSame =
    entries.length === previous.length && entries.every((entry, at) => entry === previous[at]);
  return isSame ? previous : entries;
}
