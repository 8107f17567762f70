import type { FeasibilityRule } from '../feasibility-rule.js';

/** No two members of a unit listen on one port, because they always share a node. */
export const distinctPorts: FeasibilityRule = ({ requirements, use }) => {
  const { ports } = requirements;
  if (ports === undefined) return undefined;
  const shared = ports.filter((port) => use.listenerCount(port) > 1);
  return {
    constraint: 'distinct_ports',
    verdict: shared.length === 0 ? 'pass' : 'fail',
    evidence: shared.length === 0 ? ports.join(', ') : `shared in the group ${shared.join(', ')}`,
    ageMs: null,
  };
};
