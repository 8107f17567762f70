import type { CreateDomainStatement } from '@nervix/model';

/** Why this release cannot run a domain declared so, or undefined. */
export function unsupportedDomain({
  pace,
}: Pick<CreateDomainStatement, 'pace'>): string | undefined {
  return pace.kind === 'paced' ? 'PACED domains are not supported by this release' : undefined;
}
