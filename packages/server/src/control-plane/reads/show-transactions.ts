import type { ReplicatedState } from '../../replicated-state/replicated-state.js';
import { humanDuration } from './human-duration.js';

/** One line per transaction and tombstone, in id order. */
export function showTransactions(state: ReplicatedState, nowMs: number): string {
  const lines = state.transactions().map((record) => {
    const isLive = record.state === 'OPEN' || record.state === 'COMMITTING';
    return [
      `id=${record.id}`,
      `owner=${record.owner}`,
      `domain=${record.domain}`,
      `state=${record.state}`,
      `pending=${isLive ? record.accepted - record.applied : 0}`,
      `progress=${record.applied}/${record.accepted}`,
      `age=${humanDuration(nowMs - record.createdAtMs)}`,
      `idle=${humanDuration(nowMs - record.activeAtMs)}`,
    ].join(' ');
  });
  return lines.length === 0 ? 'no transactions' : lines.join('\n');
}
