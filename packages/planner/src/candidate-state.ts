import { equalData, type Model, type ModelKind, modelKey } from '@nervix/model';
import { compareModels, type DomainModels } from './domain-models.js';
import {
  duplicateModel,
  type ModelIdentity,
  modelInUse,
  modelNotFound,
  type PlanRefusal,
} from './errors.js';
import { referencesOf } from './model-references.js';

/** One operation of a batch. */
export type ModelChange =
  | { readonly op: 'create'; readonly ifNotExists: boolean; readonly model: Model }
  | { readonly op: 'drop'; readonly kind: ModelKind; readonly name: string };

/** A difference between the base and the candidate; drop and create of one key make one. */
export interface ModelDifference extends ModelIdentity {
  readonly change: 'created' | 'dropped' | 'changed';
}

export type CandidateOutcome =
  | {
      readonly kind: 'accepted';
      readonly models: DomainModels;
      /** Per operation: whether IF NOT EXISTS met a model of that kind and name. */
      readonly alreadyExisted: readonly boolean[];
      /** In dependency order of kinds, then by name; empty for a batch without effect. */
      readonly differences: readonly ModelDifference[];
    }
  | {
      readonly kind: 'rejected';
      readonly refusal: PlanRefusal;
      /** Position of the operation at fault. */
      readonly operation: number;
    };

/**
 * Applies a batch in written order to a copy of the base. A model may not be dropped while a model
 * of the result uses it; the whole batch counts, so dependents may be dropped before or after.
 *
 * @param domain name of the domain, for messages
 */
export function applyChanges(
  domain: string,
  base: DomainModels,
  changes: readonly ModelChange[],
): CandidateOutcome {
  const models = new Map(base);
  const alreadyExisted: boolean[] = [];
  for (const [operation, change] of changes.entries()) {
    const identity = change.op === 'create' ? change.model : change;
    const key = modelKey(identity.kind, identity.name);
    const exists = models.has(key);
    const isKept = change.op === 'create' && change.ifNotExists && exists;
    alreadyExisted.push(isKept);
    if (isKept) continue;
    if (change.op === 'create') {
      if (exists) return rejected(duplicateModel(domain, change.model), operation);
      models.set(key, change.model);
    } else {
      if (!exists) return rejected(modelNotFound(domain, change), operation);
      models.delete(key);
    }
  }

  const hasDrops = changes.some((change) => change.op === 'drop');
  const users = hasDrops ? usersOfModels(models) : new Map<string, ReadonlySet<string>>();
  for (const [operation, change] of changes.entries()) {
    if (change.op !== 'drop') continue;
    const key = modelKey(change.kind, change.name);
    const blockers = users.get(key);
    if (models.has(key) || blockers === undefined) continue;
    return rejected(modelInUse(domain, change, [...blockers].sort()), operation);
  }
  return { kind: 'accepted', models, alreadyExisted, differences: differences(base, models) };
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

/** Names of the models that name each key. */
function usersOfModels(models: DomainModels): ReadonlyMap<string, ReadonlySet<string>> {
  const users = new Map<string, Set<string>>();
  for (const model of models.values()) {
    for (const { kind, name } of referencesOf(model)) {
      const key = modelKey(kind, name);
      const names = users.get(key);
      if (names === undefined) users.set(key, new Set([model.name]));
      else names.add(model.name);
    }
  }
  return users;
}

function rejected(refusal: PlanRefusal, operation: number): CandidateOutcome {
  return { kind: 'rejected', refusal, operation };
}
