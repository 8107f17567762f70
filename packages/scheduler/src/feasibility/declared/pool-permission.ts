import { checkFact, includesAll } from '../constraint-check.js';
import type { FeasibilityRule } from '../feasibility-rule.js';

/** Work that names a pool runs only on nodes of the pool. */
export const poolPermission: FeasibilityRule = ({ facts, requirements }) => {
  const { pool } = requirements;
  if (pool === undefined) return undefined;
  return checkFact('pool', requirements, facts.pools, (pools) => includesAll([pool], pools));
};
