import type { PoolOperation, PoolReserve, PoolStatement, Settings } from '@nervix/model';
import { createWords } from '../create-words.js';
import { stringLiteral } from '../lexical.js';
import { printSettings } from '../settings.js';

/** CREATE and ALTER of a pool. */
export function printPoolStatement(statement: PoolStatement): string {
  if (statement.kind === 'alter_pool') {
    return `ALTER POOL ${statement.name} ${statement.operations.map(printOperation).join(', ')};`;
  }
  const { ifNotExists, name, reserve, failureDomain, trust, budget } = statement;
  const clauses = [
    reserve === null ? '' : ` ${printReserve(reserve)}`,
    failureDomain === null ? '' : ` ${printFailureDomain(failureDomain)}`,
    trust === null ? '' : ` ${printTrust(trust)}`,
    budget === null ? '' : ` ${printBudget(budget)}`,
  ];
  return `${createWords(ifNotExists)} POOL ${name}${clauses.join('')};`;
}

function printOperation(operation: PoolOperation): string {
  switch (operation.op) {
    case 'set_reserve':
      return `SET ${printReserve(operation.reserve)}`;
    case 'set_failure_domain':
      return `SET ${printFailureDomain(operation.failureDomain)}`;
    case 'set_trust':
      return `SET ${printTrust(operation.trust)}`;
    case 'set_budget':
      return `SET ${printBudget(operation.budget)}`;
    default:
      return operation.op.toUpperCase().replaceAll('_', ' ');
  }
}

function printReserve({ amount, unit }: PoolReserve): string {
  return `RESERVE ${amount}${unit === 'percent' ? '%' : ''}`;
}

function printFailureDomain(failureDomain: string): string {
  return `FAILURE DOMAIN ${stringLiteral(failureDomain)}`;
}

function printTrust(trust: string): string {
  return `TRUST ${stringLiteral(trust)}`;
}

/** `BUDGET {…}`. */
export function printBudget(budget: Settings): string {
  return `BUDGET ${printSettings(budget)}`;
}
