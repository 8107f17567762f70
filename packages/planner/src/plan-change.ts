import { type ExecutionPlan, modelKey, type SpanLookup } from '@nervix/model';
import {
  computeSchedule,
  defineDomain,
  resolveDomain,
  type ScheduleEntry,
  type ScheduleNode,
  type ScheduleRefusal,
  type UnitStall,
} from '@nervix/scheduler';
import { planDomain } from './build-execution-plan.js';
import { applyChanges, type ModelChange, type ModelDifference } from './candidate-state.js';
import type { DomainModels } from './domain-models.js';
import type { PlanRefusal, PlanWarning } from './errors.js';
import { differenceLevel, type QuiesceLevel, widerLevel } from './quiesce-level.js';

/** The captured state a change is planned against. */
export interface PlanChangeInput {
  readonly domain: string;
  readonly running: boolean;
  /** Revision the new plan carries. */
  readonly revision: number;
  readonly generation: number;
  readonly models: DomainModels;
  readonly spans?: SpanLookup;
  /** Cluster nodes; absent outside a cluster, where nothing is assigned. */
  readonly nodes?: readonly ScheduleNode[];
  /** Assignments in force. */
  readonly assignments?: readonly ScheduleEntry[];
}

/** A model difference with the level it asks for on its own. */
export interface PlannedDifference extends ModelDifference {
  readonly level: QuiesceLevel;
}

export interface AcceptedChange {
  readonly kind: 'accepted';
  readonly next: DomainModels;
  readonly plan: ExecutionPlan;
  readonly warnings: readonly PlanWarning[];
  readonly level: QuiesceLevel;
  readonly changed: readonly PlannedDifference[];
  /** Per operation: whether IF NOT EXISTS met an existing model. */
  readonly alreadyExisted: readonly boolean[];
  /** True when the models stay as they are: there is nothing to write. */
  readonly noop: boolean;
  readonly assignments: readonly ScheduleEntry[];
  /** Units that no cluster node can run now. */
  readonly unplaced: readonly UnitStall[];
  /** Owners that change. */
  readonly plannedRelocations: number;
}

export interface RejectedChange {
  readonly kind: 'rejected';
  readonly refusals: readonly PlanRefusal[];
  /** Position of the operation at fault, or null when the resulting graph is at fault. */
  readonly operation: number | null;
}

/**
 * Plans a batch of changes without doing any of it: the models after it, the typed plan, what a
 * running domain has to hold, and who owns what.
 *
 * @param changes operations in written order
 */
export function planChange(
  input: PlanChangeInput,
  changes: readonly ModelChange[],
): AcceptedChange | RejectedChange {
  const { domain, models: base, running } = input;
  const candidate = applyChanges(domain, base, changes);
  if (candidate.kind === 'rejected') {
    return { kind: 'rejected', refusals: [candidate.refusal], operation: candidate.operation };
  }
  const { models: next, alreadyExisted } = candidate;
  const outcome = planDomain({
    domain,
    revision: input.revision,
    generation: input.generation,
    models: next,
    touched: new Set(candidate.differences.map(({ kind, name }) => modelKey(kind, name))),
    ...(input.spans === undefined ? {} : { spans: input.spans }),
  });
  if (outcome.kind === 'rejected') {
    return { kind: 'rejected', refusals: outcome.refusals, operation: null };
  }
  const changed = candidate.differences.map(
    (difference): PlannedDifference => ({
      ...difference,
      level: running ? differenceLevel(difference, base, next) : 'DYNAMIC',
    }),
  );
  const noop = changed.length === 0;
  const placed = place(input, next, noop);
  if ('kind' in placed) {
    const refusals = [{ code: 'PLAN_INVALID_MODEL', message: placed.message }] as const;
    return { kind: 'rejected', refusals, operation: null };
  }
  let level = changed.reduce<QuiesceLevel>(
    (widest, { level: own }) => widerLevel(widest, own),
    'DYNAMIC',
  );
  if (running && placed.plannedRelocations > 0) level = widerLevel(level, 'ENTITY_PAUSE');
  const { plan, warnings } = outcome;
  return {
    kind: 'accepted',
    next,
    plan,
    warnings,
    level,
    changed,
    alreadyExisted,
    noop,
    ...placed,
  };
}

/** Where everything runs after a change. */
type Placed = Pick<AcceptedChange, 'assignments' | 'unplaced' | 'plannedRelocations'>;

/** A batch without effect leaves the schedule alone, whatever it would have become. */
function place(
  input: PlanChangeInput,
  next: DomainModels,
  noop: boolean,
): Placed | ScheduleRefusal {
  const { domain, nodes, assignments: previous = [] } = input;
  if (nodes === undefined || noop) {
    return { assignments: previous, unplaced: [], plannedRelocations: 0 };
  }
  const defined = defineDomain({ domain, models: next.values(), defaultPolicy: 'NEUTRAL' });
  if (defined.kind === 'refused') return defined;
  const resolved = resolveDomain(defined.definition);
  if (resolved.kind === 'refused') return resolved;
  const schedule = computeSchedule({ ...resolved, nodes, replicaCount: 0, previous });
  return {
    assignments: schedule.entries,
    unplaced: schedule.stalls,
    plannedRelocations: schedule.relocations.length,
  };
}
