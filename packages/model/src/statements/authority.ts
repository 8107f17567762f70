import type { LiteralBinding } from './literal.js';
import type { OutputFormat } from './output-format.js';
import type { RuntimeMember } from './runtime-member.js';
import type { Settings } from './settings.js';

/** Rights that can be granted. */
export const CAPABILITIES = [
  'READ',
  'DESIGN',
  'ADMIT',
  'EXECUTE',
  'CANCEL',
  'PROMOTE',
  'DRAIN',
  'POLICY',
  'DESTROY',
  'TAKEOVER',
  'GRANT',
  'SECRETS',
] as const;
/** A right that can be granted. */
export type Capability = (typeof CAPABILITIES)[number];

/** What authority reaches. */
export type AuthorityScope =
  | { readonly kind: 'cluster' }
  | { readonly kind: 'project'; readonly project: string }
  | { readonly kind: 'domain'; readonly domain: string }
  | { readonly kind: 'pool'; readonly pool: string }
  | { readonly kind: 'node'; readonly node: string }
  | { readonly kind: 'operation'; readonly operation: string }
  | { readonly kind: 'member'; readonly member: RuntimeMember; readonly domain: string }
  | { readonly kind: 'resource'; readonly resource: string; readonly domain: string };

/** What is granted: a role or rights. */
export type Granted =
  | { readonly kind: 'role'; readonly role: string }
  | { readonly kind: 'capabilities'; readonly capabilities: readonly Capability[] };
/** Who is granted something. */
export interface Grantee {
  readonly kind: 'user' | 'role';
  readonly name: string;
}

/** `CREATE POLICY`. */
export interface CreatePolicyStatement {
  readonly kind: 'create_policy';
  readonly ifNotExists: boolean;
  readonly name: string;
  readonly scope: AuthorityScope;
  readonly rules: Settings;
}
/** `ALTER POLICY`. */
export interface AlterPolicyStatement {
  readonly kind: 'alter_policy';
  readonly name: string;
  readonly rules: Settings;
}
/** `CREATE PROJECT`. */
export interface CreateProjectStatement {
  readonly kind: 'create_project';
  readonly ifNotExists: boolean;
  readonly name: string;
  readonly domains: readonly string[];
}
/** What `ALTER PROJECT` does. */
export type ProjectOperation =
  | { readonly op: 'add_domain' | 'drop_domain'; readonly domain: string }
  | { readonly op: 'rename'; readonly name: string };
/** `ALTER PROJECT`. */
export interface AlterProjectStatement {
  readonly kind: 'alter_project';
  readonly name: string;
  readonly operations: readonly ProjectOperation[];
}
/** `CREATE ROLE`. */
export interface CreateRoleStatement {
  readonly kind: 'create_role';
  readonly ifNotExists: boolean;
  readonly name: string;
  readonly capabilities: readonly Capability[];
}
/** `ALTER ROLE`. */
export interface AlterRoleStatement {
  readonly kind: 'alter_role';
  readonly name: string;
  readonly capabilities: readonly Capability[];
}

/** An instant as written, or a time from the statement's admission in the author's spelling. */
export type Expiry =
  | { readonly kind: 'at'; readonly instant: string }
  | { readonly kind: 'after'; readonly duration: string };
/** What becomes of work under way when its authority is withdrawn. */
export type Containment = 'FINISH STEP' | 'CANCEL' | 'FREEZE';
/** `CREATE DELEGATION`. */
export interface CreateDelegationStatement {
  readonly kind: 'create_delegation';
  readonly ifNotExists: boolean;
  readonly name: string;
  readonly forUser: string;
  readonly toUser: string;
  readonly capabilities: readonly Capability[];
  readonly scopes: readonly AuthorityScope[];
  readonly expires: Expiry;
  readonly budget: Settings | null;
  readonly runScope: string | null;
  readonly onRevoke: Containment;
}
/** What `ALTER DELEGATION` does. */
export type DelegationOperation =
  | { readonly op: 'set_expires'; readonly expires: Expiry }
  | { readonly op: 'set_budget'; readonly budget: Settings };
/** `ALTER DELEGATION`. */
export interface AlterDelegationStatement {
  readonly kind: 'alter_delegation';
  readonly name: string;
  readonly operations: readonly DelegationOperation[];
}

/** `GRANT`. */
export interface GrantStatement {
  readonly kind: 'grant';
  readonly granted: Granted;
  readonly scope: AuthorityScope;
  readonly grantee: Grantee;
  /** An instant as written, or null. */
  readonly expires: string | null;
}
/** `REVOKE`. */
export interface RevokeStatement {
  readonly kind: 'revoke';
  readonly granted: Granted;
  readonly scope: AuthorityScope;
  readonly grantee: Grantee;
}
/** `SHOW GRANTS`. */
export interface ShowGrantsStatement {
  readonly kind: 'show_grants';
  /** null for all. */
  readonly grantee: Grantee | null;
  readonly format: OutputFormat;
}

/** What `SHOW` lists of the cluster. */
export const INVENTORY_SUBJECTS = [
  'CAPABILITIES',
  'AUTHORITY',
  'RESERVATIONS',
  'POOLS',
  'POLICIES',
  'ROLES',
  'DELEGATIONS',
  'PROJECTS',
  'SECRETS',
] as const;
/** `SHOW` of one list of the cluster. */
export interface ShowInventoryStatement {
  readonly kind: 'show_inventory';
  readonly subject: (typeof INVENTORY_SUBJECTS)[number];
  readonly format: OutputFormat;
}
/** `SHOW AUDIT`. */
export interface ShowAuditStatement {
  readonly kind: 'show_audit';
  /** null without a WHERE clause. */
  readonly filters: readonly LiteralBinding[] | null;
  /** Decimal text above zero, or null. */
  readonly limit: string | null;
  readonly format: OutputFormat;
}
/** `DROP` of what governs the cluster. */
export interface DropAuthorityStatement {
  readonly kind:
    | 'drop_pool'
    | 'drop_policy'
    | 'drop_project'
    | 'drop_role'
    | 'drop_delegation'
    | 'drop_secret';
  readonly name: string;
}

/** Statements about rights, rules and projects. */
export type AuthorityStatement =
  | CreatePolicyStatement
  | AlterPolicyStatement
  | CreateProjectStatement
  | AlterProjectStatement
  | CreateRoleStatement
  | AlterRoleStatement
  | CreateDelegationStatement
  | AlterDelegationStatement
  | GrantStatement
  | RevokeStatement
  | ShowGrantsStatement
  | ShowInventoryStatement
  | ShowAuditStatement
  | DropAuthorityStatement;
