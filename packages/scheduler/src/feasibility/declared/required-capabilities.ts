import { checkFact, includesAll } from '../constraint-check.js';
import type { FeasibilityRule } from '../feasibility-rule.js';

/** Guest runtimes, storage classes and enforcement that the work relies on are there. */
export const requiredCapabilities: FeasibilityRule = ({ facts, requirements }) => {
  const wanted = requirements.capabilities;
  if (wanted === undefined) return undefined;
  return checkFact('capabilities', requirements, facts.capabilities, (present) =>
    includesAll(wanted, present),
  );
};
