import {
  type ExecutionPlan,
  modelKey,
  NO_SPANS,
  type SpanLookup,
  TYPED_PROGRAM_VERSION,
} from '@nervix/model';
import { emptyParts, judgeModel } from './checks/judge-model.js';
import { PlanningContext } from './checks/planning-context.js';
import { type DomainModels, sortedModels } from './domain-models.js';
import type { PlanRefusal, PlanWarning } from './errors.js';
import { claimantsIn } from './registry/model-terms.js';

/** One captured state of a domain's models. */
export interface PlanDomainInput {
  readonly domain: string;
  /** Revision the plan carries: that of the models once they are committed. */
  readonly revision: number;
  readonly generation: number;
  readonly models: DomainModels;
  /** Source ranges, copied into typed expressions; none when absent. */
  readonly spans?: SpanLookup;
  /**
   * Keys of the models a batch touched. Where two models collide, the touched one is refused.
   */
  readonly touched?: ReadonlySet<string>;
}

export type PlanDomainOutcome =
  | {
      readonly kind: 'accepted';
      readonly plan: ExecutionPlan;
      readonly warnings: readonly PlanWarning[];
    }
  | { readonly kind: 'rejected'; readonly refusals: readonly PlanRefusal[] };

/**
 * Validates the complete graph of a domain and types every expression of it, in one walk. The order
 * in which models were added makes no difference.
 *
 * @returns the typed plan, or every refusal, in dependency order of kinds and then by name
 */
export function planDomain(input: PlanDomainInput): PlanDomainOutcome {
  const { domain, revision, generation, spans = NO_SPANS, touched = new Set() } = input;
  const models = {
    get: (key: string) => input.models.get(key),
    keysWith: claimantsIn(input.models.values()),
  };
  const unsound = new Set<string>();
  const context = new PlanningContext({
    domain,
    models,
    spans,
    touched,
    isUnsound: (key) => unsound.has(key),
  });
  const parts = emptyParts();
  const refusals: PlanRefusal[] = [];
  const warnings: PlanWarning[] = [];
  for (const model of sortedModels(input.models)) {
    const verdict = judgeModel(context, model, parts);
    if (verdict.isUnsound) unsound.add(modelKey(model.kind, model.name));
    refusals.push(...verdict.refusals);
    warnings.push(...verdict.warnings);
  }
  if (refusals.length > 0) return { kind: 'rejected', refusals };
  return {
    kind: 'accepted',
    plan: { domain, programVersion: TYPED_PROGRAM_VERSION, revision, generation, ...parts },
    warnings,
  };
}
