import { checkFact } from '../constraint-check.js';
import type { FeasibilityRule } from '../feasibility-rule.js';

/** Nobody else listens on the ports, nor will after earlier decisions. */
export const freePorts: FeasibilityRule = ({ facts, requirements, use }) => {
  const wanted = requirements.ports;
  if (wanted === undefined) return undefined;
  return checkFact('ports', requirements, facts.takenPorts, (taken) => {
    const blocked = wanted.filter((port) => taken.includes(port) || use.ports.has(port));
    const isMet = blocked.length === 0;
    return { isMet, evidence: isMet ? wanted.join(', ') : `taken ${blocked.join(', ')}` };
  });
};
