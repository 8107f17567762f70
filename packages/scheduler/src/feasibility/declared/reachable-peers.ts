import { checkFact, includesAll } from '../constraint-check.js';
import type { FeasibilityRule } from '../feasibility-rule.js';

/** Clients and peers that the work talks to can be reached from the node. */
export const reachablePeers: FeasibilityRule = ({ facts, requirements }) => {
  const wanted = requirements.reaches;
  if (wanted === undefined) return undefined;
  return checkFact('reachability', requirements, facts.reachable, (present) =>
    includesAll(wanted, present),
  );
};
