import type { UdfPlan } from '@nervix/model';
import type { GuestBudget } from './guest-machine.js';
import { GuestStop } from './guest-stop.js';
import { UdfGuest, UdfRefusal } from './udf-guest.js';

/** What loading and testing a UDF may take each; steps end first where the machine has time. */
const PREPARATION: GuestBudget = { steps: 50_000_000, ms: 10_000 };

/**
 * Loads the code of a UDF and runs its tests. It holds the calling thread meanwhile.
 *
 * @returns why the UDF cannot be used, or undefined
 */
export function prepareUdf(plan: UdfPlan): string | undefined {
  const problem = problemOf(plan);
  return problem === undefined ? undefined : `invalid UDF '${plan.name}': ${problem}`;
}

function problemOf(plan: UdfPlan): string | undefined {
  try {
    const guest = new UdfGuest(plan, true, PREPARATION);
    const problem = guest.test(PREPARATION) || guest.probe(PREPARATION);
    return problem === '' ? undefined : problem;
  } catch (error) {
    if (error instanceof UdfRefusal) return error.message;
    if (!(error instanceof GuestStop)) throw error;
    if (error.bound === undefined) return error.message;
    return `ECMAScript compile and test budget of ${error.bound} was exceeded`;
  }
}
