import { type ExecutionPlan, modelKey, type SpanLookup } from '@nervix/model';
import { type Assignment, type ScheduleNode, schedule, type UnitRefusal } from '@nervix/scheduler';
import { planDomain } from './build-execution-plan.js';
import { applyChanges, type ModelChange, type ModelDifference } from './candidate-state.js';
import type { DomainModels } from './domain-models.js';
import type { PlanRefusal, PlanWarning } from './errors.js';
import { differenceLevel, type QuiesceLevel, widerLevel } from './quiesce-level.js';
import { scheduleUnits } from './schedule-units.js';

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
  readonly assignments?: readonly Assignment[];
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
  readonly assignments: readonly Assignment[];
  /** Units that no cluster node can run now. */
  readonly unplaced: readonly UnitRefusal[];
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

/** A batch without effect leaves the schedule alone, whatever it would have become. */
function place(
  input: PlanChangeInput,
  next: DomainModels,
  noop: boolean,
): Pick<AcceptedChange, 'assignments' | 'unplaced' | 'plannedRelocations'> {
  const current = input.assignments ?? [];
  if (input.nodes === undefined || noop) {
    return { assignments: current, unplaced: [], plannedRelocations: 0 };
  }
  const result = schedule({ nodes: input.nodes, units: scheduleUnits(next), current });
  return {
    assignments: result.assignments,
    unplaced: result.refusals,
    plannedRelocations: result.relocations.length,
  };
}
