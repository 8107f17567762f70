import type { UdfPlan } from '@nervix/model';
import { GuestStop, printMs } from './guest-stop.js';
import { UdfGuest, UdfRefusal } from './udf-guest.js';

/** Longest that loading and testing a UDF may take each, in milliseconds. */
const PREPARATION_MS = 1_000;
/** Steps of the same; on a machine of ordinary speed they last less. */
const PREPARATION_STEPS = 100_000_000;

/**
 * Loads the code of a UDF and runs its tests. It holds the calling thread for up to two seconds.
 *
 * @returns why the UDF cannot be used, or undefined
 */
export function prepareUdf(plan: UdfPlan): string | undefined {
  const problem = problemOf(plan);
  return problem === undefined ? undefined : `invalid UDF '${plan.name}': ${problem}`;
}

function problemOf(plan: UdfPlan): string | undefined {
  const budget = { steps: PREPARATION_STEPS, ms: PREPARATION_MS };
  try {
    const guest = new UdfGuest(plan, true, budget);
    const failed = guest.test(budget);
    const forbidden = guest.probe(budget);
    if (forbidden !== '') return forbidden;
    return failed === '' ? undefined : `ECMAScript test block failed: ${failed}`;
  } catch (error) {
    if (error instanceof UdfRefusal) return error.message;
    if (!(error instanceof GuestStop)) throw error;
    return `ECMAScript compile and test budget of ${printMs(PREPARATION_MS)} was exceeded`;
  }
}
