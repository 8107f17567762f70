import { MODEL_KINDS, type Model, type ModelKind, modelKey } from '@nervix/model';
import type { DomainModels } from '../domain-models.js';
import { IndexChanges, InvertedIndex } from './inverted-index.js';
import { RULE_TERM, SECURE_TERM, termsOf } from './model-terms.js';
import { SharedTable, type TableChanges } from './shared-table.js';

/** Sets by the lists that they were given out as, which are never changed. */
const listed = new WeakMap<readonly Model[], ModelSet>();

/**
 * The models of a domain with everything that they are found by. Never changed: a set that follows
 * from another one shares with it what is the same, and costs what differs.
 */
export class ModelSet implements DomainModels {
  static readonly EMPTY: ModelSet = new ModelSet(SharedTable.of<Model>([]), InvertedIndex.EMPTY);

  readonly #models: SharedTable<Model>;
  readonly #index: InvertedIndex;
  #list: readonly Model[] | undefined;

  private constructor(models: SharedTable<Model>, index: InvertedIndex) {
    this.#models = models;
    this.#index = index;
  }

  /** The models of a map as they are now; a set is its own. */
  static of(models: DomainModels): ModelSet {
    return models instanceof ModelSet ? models : ModelSet.EMPTY.with(models);
  }

  /** The set of a list: the one whose {@link list} it is, or else a set of its own. */
  static ofList(list: readonly Model[]): ModelSet {
    return ModelSet.knownOf(list) ?? ModelSet.EMPTY.listedAs(list);
  }

  /** The set whose {@link list} it is, if any. */
  static knownOf(list: readonly Model[]): ModelSet | undefined {
    return listed.get(list);
  }

  get size(): number {
    return this.#models.size;
  }

  /** Models by key, in an order that follows from the models alone. */
  get table(): SharedTable<Model> {
    return this.#models;
  }

  /** The models as a list, which is the same one each time and leads back to this set. */
  get list(): readonly Model[] {
    if (this.#list !== undefined) return this.#list;
    const list = this.#models.list();
    this.#list = list;
    listed.set(list, this);
    return list;
  }

  get(key: string): Model | undefined {
    return this.#models.get(key);
  }

  has(key: string): boolean {
    return this.#models.has(key);
  }

  /** The set after changes by model key; undefined takes a model away. */
  with(changes: TableChanges<Model>): ModelSet {
    if (changes.size === 0) return this;
    const terms = new IndexChanges();
    for (const [key, model] of changes) {
      terms.move(key, termsOf(this.get(key)).all, termsOf(model).all);
    }
    return new ModelSet(this.#models.with(changes), this.#index.with(terms));
  }

  /**
   * The set of a list that is never changed; it shares with this one what is the same. Of two models
   * with one key the later stays.
   */
  listedAs(list: readonly Model[]): ModelSet {
    const models = new Map(list.map((model) => [modelKey(model.kind, model.name), model]));
    const changes = new Map<string, Model | undefined>();
    for (const [key, model] of models) if (this.get(key) !== model) changes.set(key, model);
    for (const key of this.keys()) if (!models.has(key)) changes.set(key, undefined);
    const set = this.with(changes);
    listed.set(list, set);
    return set;
  }

  /** Keys of the models that have a term, in code-unit order. */
  keysWith(term: string): readonly string[] {
    return this.#index.membersOf(term);
  }

  /** The models that have a term, in the order of their keys. */
  modelsWith(term: string): readonly Model[] {
    return this.keysWith(term).flatMap((key) => this.get(key) ?? []);
  }

  /** Keys of the models that name a model, in code-unit order. */
  usersOf(kind: ModelKind, name: string): readonly string[] {
    return this.keysWith(modelKey(kind, name));
  }

  /** The placement rules, in name order. */
  rules(): readonly Extract<Model, { kind: 'placement' }>[] {
    return this.modelsWith(RULE_TERM).filter((model) => model.kind === 'placement');
  }

  /** The virtual hosts that are served over TLS, in name order. */
  secureHosts(): readonly Extract<Model, { kind: 'vhost' }>[] {
    return this.modelsWith(SECURE_TERM).filter((model) => model.kind === 'vhost');
  }

  /** The models of whatever kind that have a name, in the order of kinds. */
  named(name: string): readonly Model[] {
    return MODEL_KINDS.flatMap((kind) => this.get(modelKey(kind, name)) ?? []);
  }

  /** Keys under which two sets do not hold the very same model. */
  differencesFrom(other: ModelSet): Iterable<string> {
    return this.#models.differencesFrom(other.#models);
  }

  entries(): MapIterator<[string, Model]> {
    return this.#models.entries();
  }

  keys(): MapIterator<string> {
    return this.#models.keys();
  }

  values(): MapIterator<Model> {
    return this.#models.values();
  }

  [Symbol.iterator](): MapIterator<[string, Model]> {
    return this.#models.entries();
  }

  forEach(visit: (model: Model, key: string, models: DomainModels) => void): void {
    for (const [key, model] of this.#models.entries()) visit(model, key, this);
  }
}
