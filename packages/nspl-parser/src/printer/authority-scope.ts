import type { AuthorityScope } from '@nervix/model';
import { stringLiteral } from './lexical.js';
import { printMember } from './member.js';

/** What authority reaches, as GRANT, policies and delegations name it. */
export function printScope(scope: AuthorityScope): string {
  switch (scope.kind) {
    case 'cluster':
      return 'CLUSTER';
    case 'project':
      return `PROJECT ${scope.project}`;
    case 'domain':
      return `DOMAIN ${scope.domain}`;
    case 'pool':
      return `POOL ${scope.pool}`;
    case 'node':
      return `NODE ${scope.node}`;
    case 'operation':
      return `OPERATION ${stringLiteral(scope.operation)}`;
    case 'member':
      return `${printMember(scope.member)} IN DOMAIN ${scope.domain}`;
    case 'resource':
      return `RESOURCE ${scope.resource} IN DOMAIN ${scope.domain}`;
  }
}
