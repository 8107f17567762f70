import { type Model, modelKey } from '@nervix/model';
import {
  type DomainResolver,
  graphKeyOf,
  nextGuestGeneration,
  type ScheduleEntry,
  type Steps,
} from '@nervix/scheduler';
import { compareModels } from '../domain-models.js';
import type { PlanRefusal, PlanWarning } from '../errors.js';
import { domainPlacement, domainPlacementSteps } from '../placement/domain-placement.js';
import { type PlannedSchedule, planScheduleSteps } from '../placement/plan-schedule.js';
import { faultsOf } from '../registry/domain-validity.js';
import type { ModelSet } from '../registry/model-set.js';
import { modelAspects } from './aspects/model-aspects.js';
import type { FoldedOperation, FoldedRun } from './fold-operations.js';
import { ImpactGraph } from './impact/impact-graph.js';
import {
  type ChangedModel,
  levelOf,
  type ModelStep,
  type OwnershipMove,
} from './impact/model-change.js';
import { type ModelImpact, modelImpact } from './impact/model-effects.js';
import { type Attributions, NO_OPERATIONS, operationBit, operationRange } from './operation-set.js';
import type { PlanningSnapshot } from './planning-snapshot.js';
import type { TransactionState } from './transaction-state.js';

/** What judging a run needs besides the run. */
export interface RunContext {
  readonly snapshot: PlanningSnapshot;
  readonly state: TransactionState;
  readonly attributions: Attributions;
  readonly resolver: DomainResolver;
  /** Whether what this release cannot run is only remarked upon. */
  readonly isWholeLanguage: boolean;
}

/** A run judged as one change. */
export interface JudgedRun {
  readonly changed: readonly ChangedModel[];
  /** Of the complete graph; empty for one that is sound. */
  readonly refusals: readonly PlanRefusal[];
  readonly warnings: readonly PlanWarning[];
  readonly impact: ModelImpact | null;
  /** Null where nothing is placed and where the run leaves the schedule as it is. */
  readonly schedule: readonly ScheduleEntry[] | null;
  readonly moves: readonly OwnershipMove[];
}

/** Validates the models after a run, places them and derives what the run does. */
export function* judgeRun(context: RunContext, run: FoldedRun): Steps<JudgedRun> {
  const changed = changedModels(context.state.models, run);
  if (changed.length === 0) return { ...NOTHING, changed };
  const touched = new Set(changed.map(({ key }) => key));
  const validity = validate(context, run.models, touched);
  yield;
  const isValid = validity.refusals.length === 0;
  const placed = isValid ? yield* place(context, run.models, changed) : UNPLACED;
  const refusals = [...validity.refusals, ...placed.refusals];
  const { schedule } = placed;
  const entries = schedule === null ? null : withGuestGenerations(schedule.entries, changed);
  const moves = schedule === null ? [] : ownershipMoves(context.state.schedule, schedule);
  const isSound = refusals.length + run.blocked.length === 0;
  const step = modelStep(context, run, { changed, moves, isSound });
  const impact = modelImpact(step, context.attributions);
  return { changed, refusals, warnings: validity.warnings, impact, schedule: entries, moves };
}

const NOTHING: JudgedRun = {
  changed: [],
  refusals: [],
  warnings: [],
  impact: null,
  schedule: null,
  moves: [],
};

function changedModels(base: ModelSet, { models, operations }: FoldedRun) {
  const touched = new Map<string, bigint>();
  for (const operation of operations) {
    for (const key of operation.touched) {
      touched.set(key, (touched.get(key) ?? NO_OPERATIONS) | operationBit(operation.number));
    }
  }
  const changed = [...touched].flatMap(([key, numbers]): readonly ChangedModel[] => {
    const [before, after] = [base.get(key), models.get(key)];
    const aspects = modelAspects(before, after);
    if (aspects.length === 0) return [];
    const ends = {
      ...(before === undefined ? {} : { before }),
      ...(after === undefined ? {} : { after }),
    };
    return [{ key, ...ends, aspects, operations: numbers }];
  });
  return changed.sort((left, right) => compareModels(modelOf(left), modelOf(right)));
}

function modelOf({ key, before, after }: ChangedModel): Pick<Model, 'kind' | 'name'> {
  const model = after ?? before;
  const [kind = '', name = ''] = key.split('/');
  return model ?? { kind: kind as Model['kind'], name };
}

/** Judges models that follow from those of the state; of two that collide a touched one is refused. */
function validate(
  { snapshot, state, isWholeLanguage }: RunContext,
  models: ModelSet,
  touched: ReadonlySet<string>,
): Pick<JudgedRun, 'refusals' | 'warnings'> {
  const faults = faultsOf(models, { domain: snapshot.domain, touched }, state.models);
  if (faults.refusals.length === 0) return faults;
  if (!isWholeLanguage) return { refusals: faults.refusals, warnings: [] };
  return {
    refusals: faults.refusals.filter((refusal) => !isBeyond(refusal)),
    warnings: faults.refusals
      .filter(isBeyond)
      .flatMap(({ message, model }) => (model === undefined ? [] : [{ message, model }])),
  };
}

function isBeyond({ code }: PlanRefusal): boolean {
  return code === 'PLAN_UNSUPPORTED';
}

/** Refusals of models for which they have no meaning; that something cannot run is none. */
function graphFaults({ snapshot, state }: RunContext, models: ModelSet): readonly PlanRefusal[] {
  const question = { domain: snapshot.domain, touched: new Set<string>() };
  const { refusals } = faultsOf(models, question, state.models);
  return refusals.filter((refusal) => !isBeyond(refusal));
}

const UNPLACED = { refusals: [], schedule: null } as const;

interface Placed {
  readonly refusals: readonly PlanRefusal[];
  readonly schedule: PlannedSchedule | null;
}

function* place(
  context: RunContext,
  models: ModelSet,
  changed: readonly ChangedModel[],
): Steps<Placed> {
  if (!changed.some(affectsPlacement)) return UNPLACED;
  const touched = new Set(changed.map(({ key }) => key));
  return yield* placeModels(context, models, touched);
}

/** Rules, and graph nodes that come, go or may flow otherwise; what is hot-applied does not. */
function affectsPlacement(change: ChangedModel): boolean {
  const model = modelOf(change);
  if (model.kind === 'placement') return true;
  const isWhole = change.before !== undefined && change.after !== undefined;
  return graphKeyOf(model) !== undefined && !(isWhole && levelOf(change) === 'DYNAMIC');
}

/** Places the models of the state, unless they are refused themselves. */
export function* placeState(context: RunContext): Steps<Placed> {
  const { models } = context.state;
  const refusals = graphFaults(context, models);
  return refusals.length > 0
    ? { refusals, schedule: null }
    : yield* placeModels(context, models, new Set());
}

/** Places sound models under the domain's rules as the state has them. */
function* placeModels(
  { snapshot, state, resolver }: RunContext,
  models: ModelSet,
  touched: ReadonlySet<string>,
): Steps<Placed> {
  const { domain, nodes, replicaCount } = snapshot;
  const base = state.models;
  const rules = { domain, models, base, defaultPolicy: state.placement, touched, resolver };
  const resolved = yield* domainPlacementSteps(rules);
  if (resolved.kind === 'rejected') return { refusals: [resolved.refusal], schedule: null };
  if (nodes.length === 0) return UNPLACED;
  const scheduling = { nodes, replicaCount, previous: state.schedule };
  const outcome = yield* planScheduleSteps(resolved, scheduling, state.status === 'running');
  if (outcome.kind === 'rejected') return { refusals: [outcome.refusal], schedule: null };
  return { refusals: [], schedule: outcome.schedule };
}

/** Owners that change by plan. */
export function ownershipMoves(
  before: readonly ScheduleEntry[],
  { entries, delta, failovers }: PlannedSchedule,
): readonly OwnershipMove[] {
  const moved = new Set(
    delta.entries.flatMap(({ kind, name, change }) =>
      change === 'primary_moved' ? [`${kind}/${name}`] : [],
    ),
  );
  for (const { kind, name } of failovers) moved.delete(`${kind}/${name}`);
  if (moved.size === 0) return [];
  const owners = new Map(before.map(({ kind, name, nodes }) => [`${kind}/${name}`, nodes[0]]));
  return entries.flatMap(({ kind, name, nodes: [destination] }) => {
    const source = owners.get(`${kind}/${name}`);
    if (!moved.has(`${kind}/${name}`) || source === undefined || destination === undefined)
      return [];
    return [{ key: entryKey({ kind, name }), source, destination }];
  });
}

/** Key of the model that a schedule entry belongs to. */
function entryKey({ kind, name }: { readonly kind: string; readonly name: string }): string {
  return kind === 'lookup' ? modelKey('hash_map', name) : `${kind}/${name}`;
}

interface StepParts {
  readonly changed: readonly ChangedModel[];
  readonly moves: readonly OwnershipMove[];
  readonly isSound: boolean;
}

function modelStep(
  context: RunContext,
  { models, operations }: FoldedRun,
  { changed, moves, isSound }: StepParts,
): ModelStep {
  const { snapshot, state } = context;
  const before = ImpactGraph.of(state.models);
  const numbers = operations.map(({ number }: FoldedOperation) => number);
  const ends = [state.models, models].map((side) => ({ context, models: side }));
  return {
    domain: snapshot.domain,
    // What is incomplete cannot be committed as it is, so it pauses nothing yet.
    isRunning: isSound && state.status === 'running',
    before,
    after: ImpactGraph.of(models, before),
    changed,
    moves,
    groupMembers: movedGroups(ends, moves),
    ...(state.schedule.length === 0 ? {} : { scheduledRelays: scheduledRelays(state.schedule) }),
    operations: operationRange(numbers[0] ?? 1, numbers.at(-1) ?? 1),
  };
}

/** Relays by the schedules that hold them, which are never changed in place. */
const relays = new WeakMap<readonly ScheduleEntry[], ReadonlySet<string>>();

/** Relays of a schedule, by model key. */
export function scheduledRelays(entries: readonly ScheduleEntry[]): ReadonlySet<string> {
  const known = relays.get(entries);
  if (known !== undefined) return known;
  const found = new Set(
    entries.flatMap(({ kind, name }) => (kind === 'relay' ? [modelKey('relay', name)] : [])),
  );
  relays.set(entries, found);
  return found;
}

/** Models at one end of a step, and what they are placed under there. */
export interface StepEnd {
  readonly context: RunContext;
  readonly models: ModelSet;
}

/**
 * Keys of what moves and of all that hard groups at either end tie to that. Groups of one end share
 * no member, but those of the two ends may, so that one leads to the next.
 */
export function movedGroups(
  ends: readonly StepEnd[],
  moves: readonly OwnershipMove[],
): ReadonlySet<string> {
  const tied = new Set(moves.map(({ key }) => key));
  if (tied.size === 0) return tied;
  const groups = new Set(ends.flatMap(hardGroups));
  for (let count = -1; count !== groups.size; ) {
    count = groups.size;
    for (const members of groups) {
      if (!members.some((key) => tied.has(key))) continue;
      for (const key of members) tied.add(key);
      groups.delete(members);
    }
  }
  return tied;
}

/** Keys of the models in each hard group; of models that cannot be placed there is none. */
function hardGroups({ context, models }: StepEnd): readonly (readonly string[])[] {
  const { snapshot, state, resolver } = context;
  if (graphFaults(context, models).length > 0) return [];
  const { domain } = snapshot;
  const defaultPolicy = state.placement;
  const resolved = domainPlacement({ domain, models, defaultPolicy, resolver });
  if (resolved.kind === 'rejected') return [];
  const { groups, graph } = resolved.placement;
  return groups.map(({ members }) =>
    members.flatMap((id) => {
      const key = graph.keys[id];
      return key === undefined ? [] : [entryKey(key)];
    }),
  );
}

/** A guest of another module starts without the state of the one before. */
function withGuestGenerations(
  entries: readonly ScheduleEntry[],
  changed: readonly ChangedModel[],
): readonly ScheduleEntry[] {
  const replaced = new Set(
    changed.flatMap(({ key, aspects }) =>
      aspects.some(({ aspect }) => aspect === 'WASM_BINDING') ? [key] : [],
    ),
  );
  if (replaced.size === 0) return entries;
  return entries.map((entry) =>
    replaced.has(entryKey(entry)) ? withNextGeneration(entry) : entry,
  );
}

/** The entry with a generation for every branch that none of them had. */
export function withNextGeneration(entry: ScheduleEntry): ScheduleEntry {
  const common = nextGuestGeneration(entry.guestGenerations);
  return { ...entry, guestGenerations: { common, byBranch: {} } };
}
