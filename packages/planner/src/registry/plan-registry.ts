import { type Model, type SpanLookup, TYPED_PROGRAM_VERSION } from '@nervix/model';
import type { PlanDomainInput, PlanDomainOutcome } from '../build-execution-plan.js';
import type { PlanParts } from '../checks/judge-model.js';
import { type Judged, judgedAfter, judgedFaults, nothingJudged } from './judged-models.js';
import type { ModelSet } from './model-set.js';
import { PlanLists } from './plan-lists.js';

/** A captured state of a domain's models whose plan is asked for. */
export interface RegisteredDomain
  extends Pick<PlanDomainInput, 'domain' | 'revision' | 'generation'> {
  readonly models: ModelSet;
  /** Source ranges of a model, copied into its typed expressions; it has the same ones each time. */
  spansOf(model: Model): SpanLookup;
}

/**
 * Keeps the plan of one domain, so that the next one costs what differs: whatever stays the same is
 * the same object in both. The outcome is that of `planDomain`, which plans everything.
 */
export class PlanRegistry {
  #judged: Judged | undefined;
  #lists = new PlanLists();

  plan({ domain, revision, generation, models, spansOf }: RegisteredDomain): PlanDomainOutcome {
    if (this.#judged?.domain !== domain) this.forget();
    const changed = new Map<string, PlanParts>();
    const watch = {
      spansOf,
      judged: (key: string, parts: PlanParts) => void changed.set(key, parts),
    };
    const question = { domain, touched: new Set<string>() };
    const before = this.#judged ?? nothingJudged(domain);
    const judged = judgedAfter(before, models, question, watch);
    this.#lists.change(changed);
    this.#judged = judged;
    const { refusals, warnings } = judgedFaults(judged);
    if (refusals.length > 0) return { kind: 'rejected', refusals };
    const head = { domain, programVersion: TYPED_PROGRAM_VERSION, revision, generation };
    return { kind: 'accepted', plan: { ...head, ...this.#lists.lists }, warnings };
  }

  /** Lets go of what is kept: the next plan is made from nothing. */
  forget(): void {
    this.#judged = undefined;
    this.#lists = new PlanLists();
  }
}
