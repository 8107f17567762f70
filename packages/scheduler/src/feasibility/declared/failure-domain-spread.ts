import { checkFact } from '../constraint-check.js';
import type { FeasibilityRule } from '../feasibility-rule.js';

/** The failure domain of the node has room for one more graph node of the set. */
export const failureDomainSpread: FeasibilityRule = ({ facts, requirements, use }) => {
  const { spread } = requirements;
  if (spread === undefined) return undefined;
  return checkFact('spread', requirements, facts.failureDomain, (failureDomain) => {
    const present = use.spreadCount(spread.set, failureDomain);
    const bound = `${spread.set} ${present} of ${spread.perFailureDomainMax}`;
    return {
      isMet: present < spread.perFailureDomainMax,
      evidence: `${bound} in ${failureDomain}`,
    };
  });
};
