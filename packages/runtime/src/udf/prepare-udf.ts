import type { UdfPlan } from '@nervix/model';
import { encodeText } from '../column/text.js';
import type { GuestBudget } from './guest-machine.js';
import { GuestStop } from './guest-stop.js';
import { UdfGuest, UdfRefusal } from './udf-guest.js';

/** What loading and testing a UDF may take each; steps end first where the machine has time. */
const PREPARATION: GuestBudget = { steps: 50_000_000, ms: 10_000 };

/** Most bytes of code, which statements are held to as well. */
const CODE_BYTES_MAX = 64 * 1024;

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
  const { code } = plan;
  if (code.length > CODE_BYTES_MAX || encodeText(code).length > CODE_BYTES_MAX) {
    return 'UDF code exceeds the 64 KiB limit';
  }
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
