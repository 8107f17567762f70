import type {
  AuthorityStatement,
  CreateProjectStatement,
  Granted,
  Grantee,
  GrantStatement,
  ProjectOperation,
  RevokeStatement,
} from '@nervix/model';
import { printScope } from '../authority-scope.js';
import { createWords } from '../create-words.js';
import { stringLiteral } from '../lexical.js';
import { printSettings } from '../settings.js';
import { printAlterDelegation, printCreateDelegation } from './delegation.js';
import { printRecordSelection } from './operation.js';
import { printFormat } from './read.js';

/** A statement about who may do what. */
export function printAuthorityStatement(statement: AuthorityStatement): string {
  switch (statement.kind) {
    case 'create_policy': {
      const { ifNotExists, name, scope, rules } = statement;
      const head = `${createWords(ifNotExists)} POLICY ${name} FOR ${printScope(scope)}`;
      return `${head} RULES ${printSettings(rules)};`;
    }
    case 'alter_policy':
      return `ALTER POLICY ${statement.name} SET RULES ${printSettings(statement.rules)};`;
    case 'create_project':
      return printCreateProject(statement);
    case 'alter_project': {
      const operations = statement.operations.map(printProjectOperation);
      return `ALTER PROJECT ${statement.name} ${operations.join(', ')};`;
    }
    case 'create_role': {
      const head = `${createWords(statement.ifNotExists)} ROLE ${statement.name}`;
      return `${head} CAPABILITIES ${statement.capabilities.join(', ')};`;
    }
    case 'alter_role': {
      const { name, capabilities } = statement;
      return `ALTER ROLE ${name} SET CAPABILITIES ${capabilities.join(', ')};`;
    }
    case 'create_delegation':
      return printCreateDelegation(statement);
    case 'alter_delegation':
      return printAlterDelegation(statement);
    case 'grant':
      return printGrant(statement);
    case 'revoke':
      return printRevoke(statement);
    case 'show_grants': {
      const { grantee, format } = statement;
      const holder = grantee === null ? '' : ` FOR ${printGrantee(grantee)}`;
      return `SHOW GRANTS${holder}${printFormat(format)};`;
    }
    case 'show_inventory':
      return `SHOW ${statement.subject}${printFormat(statement.format)};`;
    case 'show_audit':
      return `SHOW AUDIT${printRecordSelection(statement)}${printFormat(statement.format)};`;
    default:
      return `${statement.kind.toUpperCase().replace('_', ' ')} ${statement.name};`;
  }
}

function printCreateProject({ ifNotExists, name, domains }: CreateProjectStatement): string {
  const members = domains.length === 0 ? '' : ` DOMAIN ${domains.join(', ')}`;
  return `${createWords(ifNotExists)} PROJECT ${name}${members};`;
}

function printProjectOperation(operation: ProjectOperation): string {
  switch (operation.op) {
    case 'add_domain':
      return `ADD DOMAIN ${operation.domain}`;
    case 'drop_domain':
      return `DROP DOMAIN ${operation.domain}`;
    case 'rename':
      return `RENAME TO ${operation.name}`;
  }
}

function printGrant({ granted, scope, grantee, expires }: GrantStatement): string {
  const end = expires === null ? '' : ` EXPIRES ${stringLiteral(expires)}`;
  const right = `GRANT ${printGranted(granted)} ON ${printScope(scope)}`;
  return `${right} TO ${printGrantee(grantee)}${end};`;
}

function printRevoke({ granted, scope, grantee }: RevokeStatement): string {
  const right = `REVOKE ${printGranted(granted)} ON ${printScope(scope)}`;
  return `${right} FROM ${printGrantee(grantee)};`;
}

function printGranted(granted: Granted): string {
  if (granted.kind === 'role') return `ROLE ${granted.role}`;
  return `CAPABILITIES ${granted.capabilities.join(', ')}`;
}

function printGrantee({ kind, name }: Grantee): string {
  return `${kind.toUpperCase()} ${name}`;
}
