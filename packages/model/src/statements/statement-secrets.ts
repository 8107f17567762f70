import { REDACTED, redactSecrets } from '../models/secret-key.js';
import type { Statement } from '../statement.js';
import type { AlterUserStatement, CreateUserStatement } from './user.js';

/**
 * A statement as everyone may see it: without the literal secrets of a client and the password of a
 * user, also where another statement holds the one that has them.
 */
export function redactStatement(statement: Statement): Statement {
  switch (statement.kind) {
    case 'create_model':
      return { ...statement, model: redactSecrets(statement.model) };
    case 'create_user':
    case 'alter_user':
      return { ...statement, password: REDACTED };
    case 'plan':
    case 'explain':
    case 'with_suffixes':
      return { ...statement, statement: redactStatement(statement.statement) };
    default:
      return statement;
  }
}

/** The statement with a password that a statement is or holds; undefined without one. */
export function passwordStatement(
  statement: Statement,
): CreateUserStatement | AlterUserStatement | undefined {
  switch (statement.kind) {
    case 'create_user':
    case 'alter_user':
      return statement;
    case 'plan':
    case 'explain':
    case 'with_suffixes':
      return passwordStatement(statement.statement);
    default:
      return undefined;
  }
}
