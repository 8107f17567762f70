import {
  type AlterModelStatement,
  equalData,
  type Model,
  type ModelKind,
  modelKey,
} from '@nervix/model';
import { pinnedMembers } from '@nervix/scheduler';
import { alteredModel } from './alteration/alter-model.js';
import { ClauseFault } from './alteration/clause-fault.js';
import { compareModels, type DomainModels } from './domain-models.js';
import {
  clauseRefused,
  duplicateModel,
  type ModelIdentity,
  modelInUse,
  modelNotFound,
  type PlanRefusal,
} from './errors.js';
import type { WritableModels } from './registry/model-draft.js';
import type { ModelSet } from './registry/model-set.js';

/** One operation of a batch. */
export type ModelChange =
  | { readonly op: 'create'; readonly ifNotExists: boolean; readonly model: Model }
  | { readonly op: 'drop'; readonly kind: ModelKind; readonly name: string }
  | AlterModelChange;

/** An ALTER; its operations apply in written order. */
export type AlterModelChange = Alter<AlterModelStatement>;
type Alter<Statement> = Statement extends AlterModelStatement
  ? {
      readonly op: 'alter';
      readonly kind: Statement['modelKind'];
      readonly name: string;
      readonly operations: Statement['operations'];
    }
  : never;

/** A difference between the base and the candidate; drop and create of one key make one. */
export interface ModelDifference extends ModelIdentity {
  readonly change: 'created' | 'dropped' | 'changed';
}

/** A change that the batch as a whole does not permit. */
export interface BlockedChange {
  readonly refusal: PlanRefusal;
  /** Position of the change. */
  readonly operation: number;
}

/** Changes that take away what models of the result still need. */
export function blockedChanges(
  domain: string,
  base: ModelSet,
  models: ModelSet,
  changes: readonly ModelChange[],
): readonly BlockedChange[] {
  const blocked = blockedDrops(domain, models, changes);
  return blocked.length > 0 ? blocked : lostMember(domain, base, models, changes);
}

/** What one change did to a map of models. */
export type ChangeOutcome =
  | { readonly kind: 'applied' }
  /** IF NOT EXISTS met a model. */
  | { readonly kind: 'kept' }
  | { readonly kind: 'rejected'; readonly refusal: PlanRefusal };

const APPLIED: ChangeOutcome = { kind: 'applied' };

/** Applies one change to a map of models; one that is rejected leaves it as it was. */
export function applyChange(
  domain: string,
  models: WritableModels,
  change: ModelChange,
): ChangeOutcome {
  switch (change.op) {
    case 'create': {
      const { model, ifNotExists } = change;
      const key = modelKey(model.kind, model.name);
      if (models.has(key)) {
        if (ifNotExists) return { kind: 'kept' };
        return { kind: 'rejected', refusal: duplicateModel(domain, model) };
      }
      models.set(key, model);
      return APPLIED;
    }
    case 'drop':
      if (models.delete(modelKey(change.kind, change.name))) return APPLIED;
      return { kind: 'rejected', refusal: modelNotFound(domain, change) };
    case 'alter':
      return alter(domain, models, change);
  }
}

/** Alters a copy; a rule that gets another name is found under that one afterwards. */
function alter(domain: string, models: WritableModels, change: AlterModelChange): ChangeOutcome {
  const model = models.get(modelKey(change.kind, change.name));
  if (model === undefined) return { kind: 'rejected', refusal: modelNotFound(domain, change) };
  const altered = alteredModel(model, change);
  if (altered instanceof ClauseFault) {
    return { kind: 'rejected', refusal: clauseRefused(domain, change, altered) };
  }
  const key = modelKey(altered.kind, altered.name);
  if (altered.name !== model.name && models.has(key)) {
    return { kind: 'rejected', refusal: duplicateModel(domain, altered) };
  }
  models.delete(modelKey(model.kind, model.name));
  models.set(key, altered);
  return APPLIED;
}

/** Drops of what models of the result still name. */
function blockedDrops(
  domain: string,
  models: ModelSet,
  changes: readonly ModelChange[],
): readonly BlockedChange[] {
  return [...changes.entries()].flatMap(([operation, change]) => {
    if (change.op !== 'drop' || models.has(modelKey(change.kind, change.name))) return [];
    const users = models.usersOf(change.kind, change.name);
    if (users.length === 0) return [];
    const names = new Set(users.flatMap((key) => models.get(key)?.name ?? []));
    return [{ refusal: modelInUse(domain, change, [...names].sort()), operation }];
  });
}

/** The first member of placement rules that the changes dropped or made ineligible. */
function lostMember(
  domain: string,
  base: ModelSet,
  models: ModelSet,
  changes: readonly ModelChange[],
): readonly BlockedChange[] {
  const names = new Set(changes.flatMap((change) => (mayTakeAway(change) ? [change.name] : [])));
  if (names.size === 0) return [];
  // A member that no change is about is as it was.
  const rules = models
    .rules()
    .filter(({ from, to }) => [...from, ...to].some((member) => names.has(member)));
  const namedIn = (set: ModelSet) => ({ get: (name: string) => set.named(name) });
  const [lost] = pinnedMembers(domain, rules, namedIn(base), namedIn(models));
  if (lost === undefined) return [];
  const { member, change } = lost.details;
  const operation = changes.findLastIndex((other) => mayTakeAway(other) && other.name === member);
  const loser = changes[operation];
  const model =
    loser === undefined || loser.op === 'create' ? undefined : { kind: loser.kind, name: member };
  const code = change === 'dropped' ? 'PLAN_MODEL_IN_USE' : 'PLAN_INVALID_MODEL';
  const refusal = {
    code,
    message: lost.message,
    ...(model === undefined ? {} : { model }),
  } as const;
  return [{ refusal, operation: Math.max(0, operation) }];
}

/** Whether a change may leave others without what they name. */
function mayTakeAway(change: ModelChange): change is Exclude<ModelChange, { op: 'create' }> {
  return change.op === 'drop' || (change.op === 'alter' && change.kind !== 'placement');
}

/** Every difference between two maps, in dependency order of kinds, then by name. */
export function differences(base: DomainModels, next: DomainModels): readonly ModelDifference[] {
  const found: ModelDifference[] = [];
  for (const [key, { kind, name }] of base) {
    if (!next.has(key)) found.push({ kind, name, change: 'dropped' });
  }
  for (const [key, model] of next) {
    const before = base.get(key);
    const { kind, name } = model;
    if (before === undefined) found.push({ kind, name, change: 'created' });
    else if (!equalData(before, model)) found.push({ kind, name, change: 'changed' });
  }
  return found.sort(compareModels);
}
