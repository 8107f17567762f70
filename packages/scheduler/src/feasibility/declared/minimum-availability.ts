import type { FeasibilityRule } from '../feasibility-rule.js';

/** Enough of the set would go on if the node were lost; plans are the evidence, so none ages. */
export const minimumAvailability: FeasibilityRule = ({ requirements, use }) => {
  const { availability } = requirements;
  if (availability === undefined) return undefined;
  const { set, availableMin } = availability;
  const left = use.elsewhereCount(set);
  return {
    constraint: 'availability',
    verdict: left >= availableMin ? 'pass' : 'fail',
    evidence: `${set} keeps ${left} of at least ${availableMin} without the node`,
    ageMs: null,
  };
};
