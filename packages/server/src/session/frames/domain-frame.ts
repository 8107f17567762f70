import type { DomainEntry } from '@nervix/protocol';
import type { FrameDomain } from '@nervix/protocol/session';

/** A domain as frames list it. */
export function domainFrame({ domain, status, pace }: DomainEntry): FrameDomain {
  return { domain, status, pace };
}
