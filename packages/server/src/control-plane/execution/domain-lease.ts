import { leaseKey } from '../../replicated-state/record-keys.js';
import type { DomainRecord, LeaseOwner } from '../../replicated-state/records.js';
import type { ReplicatedState } from '../../replicated-state/replicated-state.js';
import type { WriteCommand } from '../../replicated-state/write-command.js';
import { ownerText } from '../domain-locks.js';

type LeaseChange = Pick<WriteCommand, 'fences' | 'put' | 'remove'>;

/** Whether somebody else than an owner holds a domain. */
export function isHeldByAnother(
  state: Pick<ReplicatedState, 'lease'>,
  domain: string,
  owner: LeaseOwner,
): boolean {
  const lease = state.lease(domain);
  return lease !== undefined && ownerText(lease.owner) !== ownerText(owner);
}

/**
 * What becomes of the lease of a domain when its owner is written. Who writes what the domain is to
 * be has it from then on, and gives it back in the write of the end.
 *
 * @param isHolding whether the owner goes on behind the write
 */
export function leaseChange(
  state: ReplicatedState,
  domain: string,
  owner: LeaseOwner,
  isHolding: boolean,
): LeaseChange {
  const key = leaseKey(domain);
  const isHeld = state.lease(domain) !== undefined && !isHeldByAnother(state, domain, owner);
  if (!isHeld && !isHolding) return { fences: [], put: [], remove: [] };
  // Where somebody else holds it, revision 0 says so.
  const fences = [{ key, revision: isHeld ? state.revisionOf(key) : 0 }];
  if (!isHolding) return { fences, put: [], remove: [key] };
  return { fences, put: isHeld ? [] : [{ kind: 'lease', domain, owner }], remove: [] };
}

/** Why an owner that lost the domain writes nothing. */
export function noLongerHeld(domain: string, owner: LeaseOwner): string {
  return `domain '${domain}' mutation lease for ${ownerText(owner)} is no longer authoritative`;
}

/** A domain that nobody holds. */
export function withoutPause({ pausedBy: _, ...domain }: DomainRecord): DomainRecord {
  return domain;
}
