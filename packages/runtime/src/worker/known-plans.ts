import type { ExecutionPlan } from '@nervix/model';
import { type PlanPatch, patchedPlan, planPatch } from './plan-patch.js';

/**
 * The plan of each domain that was sent last. Messages arrive in the order in which they were sent,
 * so both ends agree on it, whatever becomes of the plans.
 */
export class SentPlans {
  readonly #latest = new Map<string, ExecutionPlan>();

  /** @param send takes the patch; nothing is remembered of a plan that it throws at */
  send<Result>(plan: ExecutionPlan, send: (patch: PlanPatch) => Result): Result {
    const result = send(planPatch(this.#latest.get(plan.domain), plan));
    this.#latest.set(plan.domain, plan);
    return result;
  }

  /** To be called with every message at which the other end forgets the domain. */
  forget(domain: string): void {
    this.#latest.delete(domain);
  }
}

/** The other end of {@link SentPlans}. */
export class ReceivedPlans {
  readonly #latest = new Map<string, ExecutionPlan>();

  /** The plan of a patch; patches are to be taken in the order in which they come. */
  taken(patch: PlanPatch): ExecutionPlan {
    const plan = patchedPlan(this.#latest.get(patch.domain), patch);
    this.#latest.set(patch.domain, plan);
    return plan;
  }

  forget(domain: string): void {
    this.#latest.delete(domain);
  }
}
