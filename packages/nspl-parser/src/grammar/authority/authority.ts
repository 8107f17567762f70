import type { ClosedSettings } from '../closed-settings.js';
import type { GrammarHost } from '../grammar-host.js';
import type { LiteralRules } from '../literals.js';
import { defineCapabilities } from './capability.js';
import { type DelegationRules, defineDelegations } from './delegation.js';
import { defineGrants, type GrantRules } from './grant.js';
import { definePolicies, type PolicyRules } from './policy.js';
import { definePools, type PoolRules } from './pool.js';
import { defineProjects, type ProjectRules } from './project.js';
import { defineRoles, type RoleRules } from './role.js';
import { defineScope } from './scope.js';

/** Statements about who may do what, and with how much. */
export interface AuthorityRules {
  readonly pools: PoolRules;
  readonly policies: PolicyRules;
  readonly projects: ProjectRules;
  readonly roles: RoleRules;
  readonly delegations: DelegationRules;
  readonly grants: GrantRules;
}

/** POOL, POLICY, PROJECT, ROLE and DELEGATION of CREATE and ALTER, and the grants. */
export function defineAuthority(
  g: GrammarHost,
  literals: LiteralRules,
  closed: ClosedSettings,
): AuthorityRules {
  const capabilities = defineCapabilities(g);
  const scope = defineScope(g, literals);
  return {
    pools: definePools(g, closed.budget),
    policies: definePolicies(g, scope, closed.rules),
    projects: defineProjects(g),
    roles: defineRoles(g, capabilities),
    delegations: defineDelegations(g, { literals, capabilities, scope, budget: closed.budget }),
    grants: defineGrants(g, capabilities, scope),
  };
}
