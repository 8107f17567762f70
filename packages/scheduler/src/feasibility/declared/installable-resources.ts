import { checkFact, includesAll } from '../constraint-check.js';
import type { FeasibilityRule } from '../feasibility-rule.js';

/** Resource versions that the work binds are installed or can be. */
export const installableResources: FeasibilityRule = ({ facts, requirements }) => {
  const wanted = requirements.resourceVersions;
  if (wanted === undefined) return undefined;
  return checkFact('resource_versions', requirements, facts.resourceVersions, (present) =>
    includesAll(wanted, present),
  );
};
