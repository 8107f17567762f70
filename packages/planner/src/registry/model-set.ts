import { MODEL_KINDS, type Model, type ModelKind, modelKey } from '@nervix/model';
import type { DomainModels } from '../domain-models.js';
import { IndexChanges, InvertedIndex } from './inverted-index.js';
import { RULE_TERM, termsOf } from './model-terms.js';
import { SharedTable, type TableChanges } from './shared-table.js';

/** Sets by the maps that they were made of. */
const sets = new WeakMap<DomainModels, ModelSet>();

/**
 * The models of a domain with everything that they are found by. Never changed: a set that follows
 * from another one shares with it what is the same, and costs what differs.
 */
export class ModelSet implements DomainModels {
  static readonly EMPTY: ModelSet = new ModelSet(SharedTable.of<Model>([]), InvertedIndex.EMPTY);

  readonly #models: SharedTable<Model>;
  readonly #index: InvertedIndex;

  private constructor(models: SharedTable<Model>, index: InvertedIndex) {
    this.#models = models;
    this.#index = index;
  }

  /** The set of a map, which is never changed either; a set is its own. */
  static of(models: DomainModels): ModelSet {
    if (models instanceof ModelSet) return models;
    const known = sets.get(models);
    if (known !== undefined) return known;
    const set = ModelSet.EMPTY.with(models);
    sets.set(models, set);
    return set;
  }

  get size(): number {
    return this.#models.size;
  }

  /** Models by key, in an order that follows from the models alone. */
  get table(): SharedTable<Model> {
    return this.#models;
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
