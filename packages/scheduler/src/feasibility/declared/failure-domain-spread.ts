import { checkFact } from '../constraint-check.js';
import type { FeasibilityRule } from '../feasibility-rule.js';

/**
 * The failure domain of the node has room for one more graph node of the set. Those that may be
 * there as well, for all that is known, leave it unknown.
 */
export const failureDomainSpread: FeasibilityRule = ({ facts, requirements, use }) => {
  const { spread, evidenceAgeMsMax = Number.POSITIVE_INFINITY } = requirements;
  if (spread === undefined) return undefined;
  const { set, perFailureDomainMax: max } = spread;
  const count = (failureDomain: string) => use.spreadCount(set, failureDomain, evidenceAgeMsMax);
  const check = checkFact('spread', requirements, facts.failureDomain, (failureDomain) => {
    const { there } = count(failureDomain);
    return { isMet: there < max, evidence: `${set} ${there} of ${max} in ${failureDomain}` };
  });
  const { there, perhaps } = count(facts.failureDomain?.value ?? '');
  if (check.verdict !== 'pass' || there + perhaps < max) return check;
  const evidence = `${check.evidence}, ${perhaps} in failure domains that are not known`;
  return { ...check, verdict: 'unknown', evidence };
};
