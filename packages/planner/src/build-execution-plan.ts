import {
  type ExecutionPlan,
  NO_SPANS,
  type SpanLookup,
  TYPED_PROGRAM_VERSION,
} from '@nervix/model';
import { walkDomain } from './checks/domain-walk.js';
import { PlanningContext } from './checks/planning-context.js';
import type { DomainModels } from './domain-models.js';
import type { PlanRefusal, PlanWarning } from './errors.js';

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
  const context = new PlanningContext({
    domain: input.domain,
    models: input.models,
    spans: input.spans ?? NO_SPANS,
    touched: input.touched ?? new Set(),
  });
  const parts = walkDomain(context);
  if (context.refusals.length > 0) return { kind: 'rejected', refusals: context.refusals };
  const { domain, revision, generation } = input;
  return {
    kind: 'accepted',
    plan: { domain, programVersion: TYPED_PROGRAM_VERSION, revision, generation, ...parts },
    warnings: context.warnings,
  };
}
