import type {
  CreateDelegationStatement,
  CreatePolicyStatement,
  CreatePoolStatement,
  CreateProjectStatement,
  CreateRoleStatement,
  Statement,
} from '@nervix/model';
import { defineAuthority } from './authority/authority.js';
import { defineDropAuthority, defineDropSecret } from './authority/drop-authority.js';
import type { GrantRules } from './authority/grant.js';
import { defineInventories } from './authority/inventory.js';
import { defineClosedSettings } from './closed-settings.js';
import { defineAlterDomain, defineDropDomain, definePromoteDomain } from './domain.js';
import type { GrammarHost, Rule } from './grammar-host.js';
import type { LiteralRules } from './literals.js';
import { defineAlterCluster } from './node/alter-cluster.js';
import { defineAlterNode } from './node/alter-node.js';
import { defineNodes, type NodeRules } from './node/node.js';
import { defineOperations, type OperationRules } from './operation/operation.js';
import { defineRecordFilters } from './operation/record-filter.js';
import { defineDescribeRevisions } from './operation/revisions.js';
import { defineRebalance } from './rebalance.js';
import { defineRelocation } from './relocation.js';
import { defineAlterUser, defineDropUser } from './user.js';

/** A CREATE of administration without the words before the kind. */
export type AdministrationDraft =
  | Omit<CreatePoolStatement, 'ifNotExists'>
  | Omit<CreatePolicyStatement, 'ifNotExists'>
  | Omit<CreateProjectStatement, 'ifNotExists'>
  | Omit<CreateRoleStatement, 'ifNotExists'>
  | Omit<CreateDelegationStatement, 'ifNotExists'>;

/** Statements about domains, nodes, operations and authority, by where they begin. */
export interface AdministrationRules {
  /** What may follow CREATE; the same for the four below. */
  readonly create: readonly Rule<AdministrationDraft>[];
  readonly alter: readonly Rule<Statement>[];
  readonly drop: readonly Rule<Statement>[];
  readonly show: readonly Rule<Statement>[];
  readonly describe: readonly Rule<Statement>[];
  readonly dropSecret: Rule<Statement>;
  readonly nodes: NodeRules;
  readonly relocate: Rule<Statement>;
  readonly rebalance: Rule<Statement>;
  readonly promote: Rule<Statement>;
  readonly grants: GrantRules;
  readonly operations: OperationRules;
}

/** Statements about domains, nodes, operations and authority. */
export function defineAdministration(g: GrammarHost, literals: LiteralRules): AdministrationRules {
  const closed = defineClosedSettings(g);
  const filters = defineRecordFilters(g);
  const relocation = defineRelocation(g, literals);
  const rebalance = defineRebalance(g);
  const operations = defineOperations(g, filters);
  const authority = defineAuthority(g, literals, closed);
  const { pools, policies, projects, roles, delegations, grants } = authority;
  const authorities = [pools, policies, projects, roles, delegations];
  return {
    create: authorities.map(({ create }) => create),
    alter: [
      defineAlterDomain(g, literals),
      defineAlterUser(g),
      defineAlterNode(g, literals, closed),
      defineAlterCluster(g),
      ...authorities.map(({ alter }) => alter),
    ],
    drop: [defineDropDomain(g), defineDropUser(g), defineDropAuthority(g)],
    show: [operations.show, grants.show, ...defineInventories(g, filters)],
    describe: [
      relocation.describe,
      rebalance.describe,
      operations.describe,
      defineDescribeRevisions(g, literals),
    ],
    dropSecret: defineDropSecret(g),
    nodes: defineNodes(g, literals),
    relocate: relocation.relocate,
    rebalance: rebalance.rebalance,
    promote: definePromoteDomain(g),
    grants,
    operations,
  };
}
