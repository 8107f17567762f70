import type { UserStatement } from '@nervix/model';
import { createWords } from '../create-words.js';
import { stringLiteral } from '../lexical.js';

/** A statement about a user, with its password. */
export function printUserStatement(statement: UserStatement): string {
  switch (statement.kind) {
    case 'create_user': {
      const head = `${createWords(statement.ifNotExists)} USER ${statement.name}`;
      return `${head} WITH PASSWORD ${stringLiteral(statement.password)};`;
    }
    case 'alter_user':
      return `ALTER USER ${statement.name} SET PASSWORD ${stringLiteral(statement.password)};`;
    case 'drop_user':
      return `DROP USER ${statement.name};`;
  }
}
