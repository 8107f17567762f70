import type { Model } from '@nervix/model';
import { ModelSet } from '@nervix/planner';

/**
 * The models of one domain; put together when somebody asks. Until then what is kept is bounded by
 * the models that there are and those of the last set, however many came and went: a state that
 * nobody reads models of, as that of a log in a thread of its own, must not grow with every name.
 */
export class StoredModels {
  #set = ModelSet.EMPTY;
  /** Models that were written since, by key; undefined is one of the set that was removed. */
  readonly #written = new Map<string, Model | undefined>();
  #size = 0;

  /** Number of models. */
  get size(): number {
    return this.#size;
  }

  /** Number of changes that the next set is to be made with. */
  get unread(): number {
    return this.#written.size;
  }

  /** The models at this moment: later writes make another set, and leave this one. */
  get set(): ModelSet {
    this.#set = this.#set.with(this.#written);
    this.#written.clear();
    return this.#set;
  }

  /** Puts a model in place, or takes it away when it is undefined. */
  write(key: string, model: Model | undefined): void {
    if (this.#has(key)) this.#size -= 1;
    if (model !== undefined) this.#size += 1;
    if (model === undefined && !this.#set.has(key)) this.#written.delete(key);
    else this.#written.set(key, model);
  }

  #has(key: string): boolean {
    return this.#written.has(key) ? this.#written.get(key) !== undefined : this.#set.has(key);
  }
}
