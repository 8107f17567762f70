import { type Model, modelKey, NO_SPANS, type SpanLookup } from '@nervix/model';
import {
  type ParsedStatement,
  parseStatement,
  printModel,
  UnprintableError,
} from '@nervix/nspl-parser';
import {
  type DomainModels,
  type PlanDomainOutcome,
  planDomain,
  sortedModels,
} from '@nervix/planner';
import type { DomainRecord } from '../../replicated-state/records.js';

interface CanonicalModel {
  readonly model: Model;
  readonly spans: SpanLookup;
}

/**
 * Makes the graphs that nodes run. A graph is made from the canonical text of every model, so the
 * ranges in run-time errors point into what SHOW CREATE prints, on whatever node and after whatever
 * restart.
 */
export class GraphCompiler {
  readonly #canonical = new WeakMap<Model, CanonicalModel>();

  /** Compiles the whole graph of a domain, wherever its parts run. */
  plan(domain: DomainRecord, stored: DomainModels, revision: number): PlanDomainOutcome {
    const { name, generation } = domain;
    return planDomain({ domain: name, revision, generation, ...this.#canonicalModels(stored) });
  }

  #canonicalModels(stored: DomainModels): { models: DomainModels; spans: SpanLookup } {
    const models = new Map<string, Model>();
    const lookups: SpanLookup[] = [];
    for (const original of sortedModels(stored)) {
      const { model, spans } = this.#canonicalModel(original);
      models.set(modelKey(model.kind, model.name), model);
      lookups.push(spans);
    }
    return { models, spans: { spanOf: spanInTurn(lookups) } };
  }

  #canonicalModel(model: Model): CanonicalModel {
    let canonical = this.#canonical.get(model);
    if (canonical === undefined) {
      const parsed = readCanonical(model);
      canonical =
        parsed?.statement.kind === 'create_model'
          ? { model: parsed.statement.model, spans: parsed.spans }
          : { model, spans: NO_SPANS };
      this.#canonical.set(model, canonical);
    }
    return canonical;
  }
}

/**
 * Nodes are asked for model by model, in the order of the lookups: the one that answered last mostly
 * answers again, and else one soon behind it.
 */
function spanInTurn(lookups: readonly SpanLookup[]): SpanLookup['spanOf'] {
  let latest = 0;
  return (node) => {
    for (let step = 0; step < lookups.length; step += 1) {
      const at = (latest + step) % lookups.length;
      const span = lookups[at]?.spanOf(node);
      if (span === undefined) continue;
      latest = at;
      return span;
    }
    return undefined;
  };
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
