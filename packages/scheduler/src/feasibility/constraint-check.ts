import type { Observed } from './node-facts.js';
import type { Requirements } from './requirements.js';

/** Whether a constraint holds. Unknown is no permission: it keeps a node out as a failure does. */
export type ConstraintVerdict = 'pass' | 'fail' | 'unknown';

/** One constraint judged for one node. */
export interface ConstraintCheck {
  /** Name of the rule, such as `capacity`. */
  readonly constraint: string;
  readonly verdict: ConstraintVerdict;
  /** What was compared, for the reader. */
  readonly evidence: string;
  /** Age of the observation in milliseconds; null where it does not age or there is none. */
  readonly ageMs: number | null;
}

/** A node with every constraint that keeps it out. */
export interface NodeRejection {
  readonly node: string;
  /** Not empty; the failed and the unknown ones, in the order of the rules. */
  readonly checks: readonly ConstraintCheck[];
}

/** What a comparison says, with the words that explain it. */
export interface Comparison {
  readonly isMet: boolean;
  readonly evidence: string;
}

/**
 * Judges a fact against what is required of it. A missing or outdated fact gives no verdict.
 *
 * @param compare called only with a fact that is fresh enough
 */
export function checkFact<Value>(
  constraint: string,
  { evidenceAgeMsMax = Number.POSITIVE_INFINITY }: Requirements,
  fact: Observed<Value> | undefined,
  compare: (value: Value) => Comparison,
): ConstraintCheck {
  if (fact === undefined) {
    return { constraint, verdict: 'unknown', evidence: 'not observed', ageMs: null };
  }
  const { value, ageMs } = fact;
  // Not the opposite comparison: an age that is no number proves nothing either.
  if (ageMs !== null && !(ageMs <= evidenceAgeMsMax)) {
    const evidence = `observed ${ageMs} ms ago, at most ${evidenceAgeMsMax} ms allowed`;
    return { constraint, verdict: 'unknown', evidence, ageMs };
  }
  const { isMet, evidence } = compare(value);
  return { constraint, verdict: isMet ? 'pass' : 'fail', evidence, ageMs };
}

/** Compares lists of names: everything wanted has to be there. */
export function includesAll(wanted: readonly string[], present: readonly string[]): Comparison {
  const missing = wanted.filter((name) => !present.includes(name));
  const isMet = missing.length === 0;
  return { isMet, evidence: isMet ? wanted.join(', ') : `missing ${missing.join(', ')}` };
}
