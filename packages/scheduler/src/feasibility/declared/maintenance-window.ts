import { checkFact } from '../constraint-check.js';
import type { FeasibilityRule } from '../feasibility-rule.js';

/** Work that avoids maintenance stays off nodes whose window is open. */
export const maintenanceWindow: FeasibilityRule = ({ facts, requirements }) => {
  if (requirements.avoidsMaintenance !== true) return undefined;
  return checkFact('maintenance', requirements, facts.isInMaintenance, (isInMaintenance) => ({
    isMet: !isInMaintenance,
    evidence: isInMaintenance ? 'window open' : 'window closed',
  }));
};
