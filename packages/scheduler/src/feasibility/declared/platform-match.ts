import { checkFact } from '../constraint-check.js';
import type { FeasibilityRule } from '../feasibility-rule.js';

/** Operating system, architecture and runtime are as declared. */
export const platformMatch: FeasibilityRule = ({ facts, requirements }) => {
  const wanted = requirements.platform;
  if (wanted === undefined) return undefined;
  return checkFact('platform', requirements, facts.platform, (platform) => {
    const isMet =
      (wanted.os ?? platform.os) === platform.os &&
      (wanted.architecture ?? platform.architecture) === platform.architecture &&
      (wanted.runtime ?? platform.runtime) === platform.runtime;
    return { isMet, evidence: `${platform.os} ${platform.architecture} ${platform.runtime}` };
  });
};
