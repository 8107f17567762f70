import { AMOUNTS, coversCapacity, lessCapacity } from '../../capacity/amounts.js';
import { checkFact } from '../constraint-check.js';
import type { FeasibilityRule } from '../feasibility-rule.js';
import type { Capacity } from '../node-facts.js';

/** What is left after earlier decisions covers what is declared, each amount by itself. */
export const capacityFit: FeasibilityRule = ({ facts, requirements, use }) => {
  const wanted = requirements.capacity;
  if (wanted === undefined) return undefined;
  return checkFact('capacity', requirements, facts.available, (available: Capacity) => {
    const declared = AMOUNTS.filter((amount) => wanted[amount] !== undefined);
    const left = lessCapacity(available, use.reserved);
    return {
      isMet: coversCapacity(left, wanted),
      evidence: declared
        .map((amount) => `${amount} ${wanted[amount]} of ${left[amount]}`)
        .join(', '),
    };
  });
};
