import type { CreateSubscriptionStatement, SubscriptionStatement } from '@nervix/model';
import { printExpression } from '../expression.js';
import { floatLiteral } from '../lexical.js';

export function printSubscriptionStatement(statement: SubscriptionStatement): string {
  if (statement.kind === 'create_subscription') return printCreateSubscription(statement);
  return `DELETE SUBSCRIPTION ${statement.name};`;
}

function printCreateSubscription(statement: CreateSubscriptionStatement): string {
  const { name, relay, delivery, batchSampleRate, where } = statement;
  return [
    `CREATE SUBSCRIPTION ${name} TO ${relay}`,
    ...(delivery === 'DROPPING' ? [' DROPPING'] : []),
    ...(batchSampleRate === null ? [] : [` BATCH SAMPLE RATE ${floatLiteral(batchSampleRate)}`]),
    ...(where === null ? [] : [` WHERE ${printExpression(where)}`]),
    ';',
  ].join('');
}
