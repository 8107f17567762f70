import type { CreateDomainStatement } from '@nervix/model';

/** Why this release cannot run a domain declared so, or undefined. */
export function unsupportedDomain(
  statement: Pick<CreateDomainStatement, 'pace' | 'placement'>,
): string | undefined {
  if (statement.pace.kind === 'paced') return 'PACED domains are not supported by this release';
  if (statement.placement === 'NEUTRAL') return undefined;
  return `domain PLACEMENT ${statement.placement} is not supported by this release`;
}
