import type { Model } from '@nervix/model';
import { DomainResolver } from '@nervix/scheduler';
import { carryKnowledge } from './carried-knowledge.js';
import { ModelSet } from './model-set.js';

/**
 * Keeps what is known of one domain between plans: models that share most with those before cost what
 * differs. It alters no outcome: what it keeps follows from models alone, which are never changed in
 * place.
 */
export class ModelRegistry {
  /** Keeps what stays the same of the domain's placement. */
  readonly resolver: DomainResolver = new DomainResolver();
  #latest: ModelSet = ModelSet.EMPTY;

  /** The set of a list that is about to be planned from. */
  setOf(list: readonly Model[]): ModelSet {
    const set = ModelSet.knownOf(list) ?? this.#latest.listedAs(list);
    this.follow(set);
    return set;
  }

  /** Takes a set for what the domain holds now: what was known of it before is known of the set. */
  follow(set: ModelSet): void {
    if (set === this.#latest) return;
    carryKnowledge(this.#latest, set);
    this.#latest = set;
  }
}
