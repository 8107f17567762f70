import {
  type AuthorityStatement,
  type BackupStatement,
  type DescribeBackupStatement,
  type MovementStatement,
  type NodeAdministrationStatement,
  type OperationStatement,
  type PoolStatement,
  type RestoreStatement,
  type SessionStatement,
  type Statement,
  type UserStatement,
  unreachable,
} from '@nervix/model';
import { printBackup, printDescribeBackup, printRestore } from './statements/archive.js';
import { printAuthorityStatement } from './statements/authority.js';
import { printMovement } from './statements/movement.js';
import { printNodeStatement } from './statements/node.js';
import { printOperationStatement } from './statements/operation.js';
import { printPoolStatement } from './statements/pool.js';
import { printSessionStatement } from './statements/session.js';
import { printUserStatement } from './statements/user.js';

/** Statements about everything but the models of a domain. */
export type AdministrationStatement =
  | SessionStatement
  | BackupStatement
  | RestoreStatement
  | DescribeBackupStatement
  | UserStatement
  | NodeAdministrationStatement
  | MovementStatement
  | GovernanceStatement;

/**
 * Canonical text of a statement of administration, `;` included.
 *
 * @param print prints the statement that another one holds
 */
export function printAdministration(
  statement: AdministrationStatement,
  print: (statement: Statement) => string,
): string {
  switch (statement.kind) {
    case 'use':
    case 'list_domains':
    case 'attach_domain_clock':
    case 'detach_domain_clock':
    case 'begin':
    case 'commit':
    case 'revert':
    case 'attach_transaction':
    case 'upload_resource':
      return printSessionStatement(statement);
    case 'backup':
      return printBackup(statement);
    case 'restore':
      return printRestore(statement);
    case 'describe_backup':
      return printDescribeBackup(statement);
    case 'create_user':
    case 'alter_user':
    case 'drop_user':
      return printUserStatement(statement);
    case 'cordon_node':
    case 'uncordon_node':
    case 'drain_node':
    case 'drop_node':
    case 'alter_node':
    case 'quarantine_node':
    case 'release_node':
    case 'alter_cluster':
      return printNodeStatement(statement);
    case 'relocate':
    case 'describe_relocation':
    case 'rebalance':
    case 'describe_rebalance':
      return printMovement(statement);
    default:
      return printGovernance(statement, print);
  }
}

/** Statements about what may be done, by whom, and what became of it. */
type GovernanceStatement = OperationStatement | PoolStatement | AuthorityStatement;

function printGovernance(
  statement: GovernanceStatement,
  print: (statement: Statement) => string,
): string {
  switch (statement.kind) {
    case 'plan':
    case 'explain':
    case 'apply_plan':
    case 'approve_plan':
    case 'explain_placement':
    case 'show_operations':
    case 'describe_operation':
    case 'cancel_operation':
    case 'compensate_operation':
    case 'resolve_operation':
    case 'describe_revisions':
    case 'with_suffixes':
      return printOperationStatement(statement, print);
    case 'create_pool':
    case 'alter_pool':
      return printPoolStatement(statement);
    case 'create_policy':
    case 'alter_policy':
    case 'create_project':
    case 'alter_project':
    case 'create_role':
    case 'alter_role':
    case 'create_delegation':
    case 'alter_delegation':
    case 'grant':
    case 'revoke':
    case 'show_grants':
    case 'show_inventory':
    case 'show_audit':
    case 'drop_pool':
    case 'drop_policy':
    case 'drop_project':
    case 'drop_role':
    case 'drop_delegation':
    case 'drop_secret':
      return printAuthorityStatement(statement);
    default:
      return unreachable(statement);
  }
}
