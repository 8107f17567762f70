import { carryDefinition } from '../placement/domain-definition.js';
import { ImpactGraph } from '../transaction-plan/impact/impact-graph.js';
import { carryVerdicts } from './domain-validity.js';
import type { ModelSet } from './model-set.js';

/**
 * Makes known of a set what is known of another one, at the cost of what differs: verdicts, what
 * placement depends on, and the nodes that have work. What is known of neither is found out when it is
 * asked for.
 */
export function carryKnowledge(from: ModelSet, to: ModelSet): void {
  if (from.size === 0) return;
  carryVerdicts(from, to);
  carryDefinition(from, to);
  ImpactGraph.of(to, ImpactGraph.of(from));
}
