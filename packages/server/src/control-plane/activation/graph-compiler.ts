import { type Model, NO_SPANS, type SpanLookup } from '@nervix/model';
import {
  type ParsedStatement,
  parseStatement,
  printModel,
  UnprintableError,
} from '@nervix/nspl-parser';
import { type DomainModels, ModelSet, type PlanDomainOutcome, PlanRegistry } from '@nervix/planner';
import type { DomainRecord } from '../../replicated-state/records.js';

/**
 * Makes the graphs of one domain that nodes run. A graph is made from the canonical text of every
 * model, so the ranges in run-time errors point into what SHOW CREATE prints, on whatever node and
 * after whatever restart. A graph shares with the one before it what is the same, and costs what
 * differs.
 */
export class GraphCompiler {
  readonly #spans = new WeakMap<Model, SpanLookup>();
  readonly #plans = new PlanRegistry();
  #stored = ModelSet.EMPTY;
  #canonical = ModelSet.EMPTY;

  /** Compiles the whole graph of the domain, wherever its parts run. */
  plan(domain: DomainRecord, stored: DomainModels, revision: number): PlanDomainOutcome {
    const { name, generation } = domain;
    return this.#plans.plan({
      domain: name,
      revision,
      generation,
      models: this.#canonicalSet(ModelSet.of(stored)),
      spansOf: (model) => this.#spans.get(model) ?? NO_SPANS,
    });
  }

  /** Lets go of what is kept for the next graph. */
  forget(): void {
    this.#stored = ModelSet.EMPTY;
    this.#canonical = ModelSet.EMPTY;
    this.#plans.forget();
  }

  #canonicalSet(stored: ModelSet): ModelSet {
    const changes = new Map<string, Model | undefined>();
    for (const key of stored.differencesFrom(this.#stored)) {
      const model = stored.get(key);
      changes.set(key, model === undefined ? undefined : this.#canonicalModel(model));
    }
    this.#canonical = this.#canonical.with(changes);
    this.#stored = stored;
    return this.#canonical;
  }

  #canonicalModel(model: Model): Model {
    const parsed = readCanonical(model);
    if (parsed?.statement.kind !== 'create_model') return model;
    this.#spans.set(parsed.statement.model, parsed.spans);
    return parsed.statement.model;
  }
}

/** What the canonical text of a model is read into; undefined of a model that no text stands for. */
function readCanonical(model: Model): ParsedStatement | undefined {
  try {
    const result = parseStatement(printModel(model, { withSecrets: true }));
    return result.kind === 'parsed' ? result.parsed : undefined;
  } catch (error) {
    if (error instanceof UnprintableError) return undefined;
    throw error;
  }
}
