import type { Model } from '@nervix/model';
import type { ModelSet } from './model-set.js';
import { termsOf } from './model-terms.js';

/** Models that are being changed. */
export interface WritableModels {
  get(key: string): Model | undefined;
  has(key: string): boolean;
  set(key: string, model: Model): unknown;
  delete(key: string): boolean;
}

/** Changes of a set under way; the set stays as it is. */
export class ModelDraft implements WritableModels {
  readonly #base: ModelSet;
  readonly #changes = new Map<string, Model | undefined>();

  constructor(base: ModelSet) {
    this.#base = base;
  }

  get(key: string): Model | undefined {
    return this.#changes.has(key) ? this.#changes.get(key) : this.#base.get(key);
  }

  has(key: string): boolean {
    return this.get(key) !== undefined;
  }

  set(key: string, model: Model): void {
    this.#changes.set(key, model);
  }

  delete(key: string): boolean {
    if (!this.has(key)) return false;
    this.#changes.set(key, undefined);
    return true;
  }

  /** The models that have a term, in no order. */
  modelsWith(term: string): readonly Model[] {
    const keys = new Set([...this.#base.keysWith(term), ...this.#changes.keys()]);
    const models = [...keys].flatMap((key) => this.get(key) ?? []);
    return models.filter((model) => termsOf(model).all.includes(term));
  }

  /** The set as it is now. */
  sealed(): ModelSet {
    const changes = [...this.#changes].filter(([key, model]) => this.#base.get(key) !== model);
    return this.#base.with(new Map(changes));
  }
}
