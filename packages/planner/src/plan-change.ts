import { type ExecutionPlan, modelKey, type PlacementPolicy, type SpanLookup } from '@nervix/model';
import { type DomainResolver, finish, graphKeyOf, type Steps } from '@nervix/scheduler';
import { planDomain } from './build-execution-plan.js';
import { applyChanges, type ModelChange, type ModelDifference } from './candidate-state.js';
import type { DomainModels } from './domain-models.js';
import type { PlanRefusal, PlanWarning } from './errors.js';
import { domainPlacementSteps } from './placement/domain-placement.js';
import {
  type PlannedSchedule,
  planScheduleSteps,
  type ScheduleOutcome,
  type SchedulingInput,
} from './placement/plan-schedule.js';
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
  /** The domain's default placement policy; absent means NEUTRAL. */
  readonly placement?: PlacementPolicy;
  /** The cluster and the schedule in force; absent where models are planned and nothing is placed. */
  readonly scheduling?: SchedulingInput;
  /** Keeps what stays the same of the domain's placement between plans; absent keeps nothing. */
  readonly resolver?: DomainResolver;
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
  /** Null where nothing is placed, and for a batch that leaves the schedule as it is. */
  readonly schedule: PlannedSchedule | null;
  /** Owners that change by plan. */
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
  return finish(planChangeSteps(input, changes));
}

/** The work of {@link planChange}, for `runSliced`: only the placement comes in short steps. */
export function* planChangeSteps(
  input: PlanChangeInput,
  changes: readonly ModelChange[],
): Steps<AcceptedChange | RejectedChange> {
  const { domain, models: base, running } = input;
  const candidate = applyChanges(domain, base, changes);
  if (candidate.kind === 'rejected') {
    return { kind: 'rejected', refusals: [candidate.refusal], operation: candidate.operation };
  }
  const { models: next, alreadyExisted } = candidate;
  const touched = new Set(candidate.differences.map(({ kind, name }) => modelKey(kind, name)));
  const outcome = planDomain({
    domain,
    revision: input.revision,
    generation: input.generation,
    models: next,
    touched,
    ...(input.spans === undefined ? {} : { spans: input.spans }),
  });
  yield;
  if (outcome.kind === 'rejected') return rejectedGraph(outcome.refusals);
  const changed = candidate.differences.map(
    (difference): PlannedDifference => ({
      ...difference,
      level: running ? differenceLevel(difference, base, next) : 'DYNAMIC',
    }),
  );
  const noop = changed.length === 0;
  const placed = changed.some(affectsPlacement) ? yield* place(input, next, touched) : NOT_PLACED;
  if (placed.kind === 'rejected') return rejectedGraph([placed.refusal]);
  const { schedule } = placed;
  const level = [...changed, ...(schedule === null ? [] : [schedule])].reduce<QuiesceLevel>(
    (widest, { level: own }) => widerLevel(widest, own),
    'DYNAMIC',
  );
  const { plan, warnings } = outcome;
  const plannedRelocations = schedule?.plannedRelocations ?? 0;
  const models = { next, plan, warnings, level, changed, alreadyExisted, noop };
  return { kind: 'accepted', ...models, schedule, plannedRelocations };
}

function rejectedGraph(refusals: readonly PlanRefusal[]): RejectedChange {
  return { kind: 'rejected', refusals, operation: null };
}

/** Models that are scheduled, and rules about them; all others only configure. */
function affectsPlacement({ kind, name }: ModelDifference): boolean {
  return kind === 'placement' || graphKeyOf({ kind, name }) !== undefined;
}

const NOT_PLACED = { kind: 'planned', schedule: null } as const;

/** Judges the rules in the graph as it will be, and schedules it where the cluster is known. */
function* place(
  { domain, running, placement = 'NEUTRAL', scheduling, resolver }: PlanChangeInput,
  models: DomainModels,
  touched: ReadonlySet<string>,
): Steps<ScheduleOutcome | typeof NOT_PLACED> {
  const rules = { domain, models, defaultPolicy: placement, touched };
  const kept = resolver === undefined ? {} : { resolver };
  const resolved = yield* domainPlacementSteps({ ...rules, ...kept });
  if (resolved.kind === 'rejected' || scheduling === undefined) {
    return resolved.kind === 'rejected' ? resolved : NOT_PLACED;
  }
  return yield* planScheduleSteps(resolved, scheduling, running);
}
