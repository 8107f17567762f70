import type { ReplicatedState } from '../../replicated-state/replicated-state.js';
import { asOf, isLive } from '../transactions/transaction-states.js';
import { humanDuration } from './human-duration.js';

/** One line per transaction and tombstone, in id order. */
export function showTransactions(state: ReplicatedState, nowMs: number): string {
  const lines = state.transactions().map((record) => {
    return [
      `id=${record.id}`,
      `owner=${record.owner.user}`,
      `domain=${record.domain}`,
      `state=${asOf(record, nowMs).state}`,
      `pending=${isLive(record, nowMs) ? record.accepted - record.applied : 0}`,
      `progress=${record.applied}/${record.accepted}`,
      `age=${humanDuration(nowMs - record.createdAtMs)}`,
      `idle=${humanDuration(nowMs - record.activeAtMs)}`,
    ].join(' ');
  });
  return lines.length === 0 ? 'no transactions' : lines.join('\n');
}
