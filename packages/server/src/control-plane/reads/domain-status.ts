import type { DomainStatus } from '@nervix/protocol';
import type { DomainRecord } from '../../replicated-state/records.js';

/** How a domain stands: one that a commit holds is paused for as long as that takes. */
export function domainStatus({ status, pausedBy }: DomainRecord): DomainStatus {
  if (status === 'stopped') return 'Stopped';
  return pausedBy === undefined ? 'Running' : 'Paused';
}
