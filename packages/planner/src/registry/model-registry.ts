import { type Model, modelKey } from '@nervix/model';
import { DomainResolver } from '@nervix/scheduler';
import { ModelSet } from './model-set.js';

/** Sets by the lists that they were made of or that were made of them. Neither is ever changed. */
const sets = new WeakMap<readonly Model[], ModelSet>();
const lists = new WeakMap<ModelSet, readonly Model[]>();

/**
 * Keeps what is known of one domain between plans: a list which shares models with the one before
 * costs what differs. It alters no outcome: what it keeps follows from models alone, which are never
 * changed in place.
 */
export class ModelRegistry {
  /** Keeps what stays the same of the domain's placement. */
  readonly resolver: DomainResolver = new DomainResolver();
  #latest: ModelSet = ModelSet.EMPTY;

  /** The set of a list; of two models with one key the later stays. */
  setOf(list: readonly Model[]): ModelSet {
    const known = sets.get(list);
    const set = known ?? reconciled(this.#latest, list);
    sets.set(list, set);
    this.#latest = set;
    return set;
  }
}

/** The models of a set as a list, which is the same one each time. */
export function listOf(set: ModelSet): readonly Model[] {
  const known = lists.get(set);
  if (known !== undefined) return known;
  const list = set.table.list();
  lists.set(set, list);
  sets.set(list, set);
  return list;
}

/** The set of a list of models: the one it was made of, or a new one. */
export function setOf(list: readonly Model[]): ModelSet {
  return new ModelRegistry().setOf(list);
}

/** What a list holds, as a set that shares what it can with a former one. */
function reconciled(former: ModelSet, list: readonly Model[]): ModelSet {
  const models = new Map(list.map((model) => [modelKey(model.kind, model.name), model]));
  const changes = new Map<string, Model | undefined>();
  for (const [key, model] of models) if (former.get(key) !== model) changes.set(key, model);
  for (const key of former.keys()) if (!models.has(key)) changes.set(key, undefined);
  return former.with(changes);
}
