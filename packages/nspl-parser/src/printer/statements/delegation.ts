import type {
  AlterDelegationStatement,
  CreateDelegationStatement,
  DelegationOperation,
  Expiry,
} from '@nervix/model';
import { printScope } from '../authority-scope.js';
import { createWords } from '../create-words.js';
import { stringLiteral } from '../lexical.js';
import { printBudget } from './pool.js';

export function printCreateDelegation(statement: CreateDelegationStatement): string {
  const { name, forUser, toUser, capabilities, scopes, budget, runScope, onRevoke } = statement;
  return [
    `${createWords(statement.ifNotExists)} DELEGATION ${name}`,
    ` FOR USER ${forUser} TO USER ${toUser} CAPABILITIES ${capabilities.join(', ')}`,
    ` ON ${scopes.map(printScope).join(', ')} ${printExpiry(statement.expires)}`,
    budget === null ? '' : ` ${printBudget(budget)}`,
    runScope === null ? '' : ` RUN SCOPE ${stringLiteral(runScope)}`,
    onRevoke === 'FINISH STEP' ? '' : ` ON REVOKE ${onRevoke}`,
    ';',
  ].join('');
}

export function printAlterDelegation({ name, operations }: AlterDelegationStatement): string {
  return `ALTER DELEGATION ${name} ${operations.map(printOperation).join(', ')};`;
}

function printOperation(operation: DelegationOperation): string {
  if (operation.op === 'set_expires') return `SET ${printExpiry(operation.expires)}`;
  return `SET ${printBudget(operation.budget)}`;
}

function printExpiry(expiry: Expiry): string {
  if (expiry.kind === 'after') return `EXPIRES AFTER ${expiry.duration}`;
  return `EXPIRES ${stringLiteral(expiry.instant)}`;
}
