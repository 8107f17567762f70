import { checkFact, includesAll } from '../constraint-check.js';
import type { FeasibilityRule } from '../feasibility-rule.js';

/** Data that the work cannot be without is on the node or can be attached there. */
export const stateSource: FeasibilityRule = ({ facts, requirements }) => {
  const wanted = requirements.dataSets;
  if (wanted === undefined) return undefined;
  return checkFact('state_source', requirements, facts.dataSets, (present) =>
    includesAll(wanted, present),
  );
};
