import type { ScheduleNode } from '../cluster/schedule-node.js';
import type { InfeasibilityReason } from './infeasibility.js';

/**
 * Work goes only to the process that was admitted: one that merely has its name and address may
 * lack what the other held, and has no claim to what that one owned.
 */
export function admittedIncarnation({
  incarnation,
}: ScheduleNode): InfeasibilityReason | undefined {
  if (incarnation === undefined || incarnation.observed === incarnation.admitted) return undefined;
  return incarnation.observed === null ? 'unknown_incarnation' : 'other_incarnation';
}
