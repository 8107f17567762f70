import {
  type DomainFaults,
  type Judged,
  judgedAfter,
  judgedFaults,
  nothingJudged,
  type ValidityQuestion,
} from './judged-models.js';
import { ModelSet } from './model-set.js';

/** Verdicts by the set that was judged: sets are never changed. */
const known = new WeakMap<ModelSet, Judged>();

/**
 * Judges a set of models, of which only those are judged that a difference from the base may
 * concern. The outcome is that of judging every model.
 *
 * @param base a set that was judged already, or that is worth it
 */
export function faultsOf(
  models: ModelSet,
  question: ValidityQuestion,
  base: ModelSet = ModelSet.EMPTY,
): DomainFaults {
  const judged = judgedAfter(judgedBase(base, question.domain), models, question);
  known.set(models, judged);
  return judgedFaults(judged);
}

/** Judges a set by what is known of another one, if anything is. */
export function carryVerdicts(from: ModelSet, to: ModelSet): void {
  const found = known.get(from);
  if (found === undefined || known.has(to)) return;
  const question = { domain: found.domain, touched: new Set<string>() };
  known.set(to, judgedAfter(found, to, question));
}

function judgedBase(base: ModelSet, domain: string): Judged {
  const found = known.get(base);
  if (found?.domain === domain) return found;
  const nothing = nothingJudged(domain);
  if (base.size === 0) return nothing;
  const judged = judgedAfter(nothing, base, { domain, touched: new Set() });
  known.set(base, judged);
  return judged;
}
