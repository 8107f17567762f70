import type { ScheduleNode } from '../cluster/schedule-node.js';
import { admittedIncarnation } from './admitted-incarnation.js';
import type { ConstraintCheck, ConstraintVerdict } from './constraint-check.js';
import type { InfeasibilityReason } from './infeasibility.js';
import { liveNode } from './live-node.js';
import { notCordoned } from './not-cordoned.js';
import { notQuarantined } from './not-quarantined.js';
import { notTerminating } from './not-terminating.js';
import { voter } from './voter.js';

/** The rules that hold for every unit, in the order in which a refusal names them. */
const DESTINATION_RULES = [
  ['voter', voter],
  ['live', liveNode],
  ['not_terminating', notTerminating],
  ['not_cordoned', notCordoned],
  ['not_quarantined', notQuarantined],
  ['incarnation', admittedIncarnation],
] as const;

/** Names of these rules. */
export const GENERAL_RULES: ReadonlySet<string> = new Set(DESTINATION_RULES.map(([name]) => name));

/** Why a node may not receive work, or undefined when it may; the first objection. */
export function infeasibilityOf(node: ScheduleNode): InfeasibilityReason | undefined {
  for (const [, rule] of DESTINATION_RULES) {
    const reason = rule(node);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** Judges every rule; membership and health are the caller's verdicts and do not age here. */
export function destinationChecks(node: ScheduleNode): readonly ConstraintCheck[] {
  return DESTINATION_RULES.map(([constraint, rule]) => {
    const reason = rule(node);
    const evidence = (reason ?? 'met').replace('_', ' ');
    return { constraint, verdict: verdictOf(reason), evidence, ageMs: null };
  });
}

function verdictOf(reason: InfeasibilityReason | undefined): ConstraintVerdict {
  if (reason === undefined) return 'pass';
  return reason === 'unknown_incarnation' ? 'unknown' : 'fail';
}
