import type { ScheduleEntry } from '@nervix/scheduler';
import { failed, type Outcome } from '../outcome.js';

/**
 * Why a graph cannot run as it is scheduled, or undefined. Rows would run into a part that no node
 * owns, so one graph node that waits for a cluster node holds all of them back.
 */
export function waitingRefusal(entries: readonly ScheduleEntry[]): Outcome | undefined {
  const waiting = entries.find(({ nodes }) => nodes.length === 0);
  if (waiting === undefined) return undefined;
  const message =
    `${waiting.kind.replaceAll('_', ' ')} '${waiting.name}' has no owner: ` +
    'no cluster node may take new work; see EXPLAIN PLACEMENT';
  return failed('ACTIVATION_FAILED', message);
}
