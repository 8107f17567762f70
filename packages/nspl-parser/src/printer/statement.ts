import {
  type CreateDomainStatement,
  type CreateSubscriptionStatement,
  type DescribeRelayStatement,
  printClockDuration,
  type StartStatement,
  type Statement,
  statementWords,
} from '@nervix/model';
import { printExpression } from './expression.js';
import { floatLiteral, stringLiteral } from './lexical.js';
import { printCreate } from './model.js';

/** Canonical text of a statement, `;` included. */
export function printStatement(statement: Statement): string {
  switch (statement.kind) {
    case 'create_model':
      return printCreate(statement.model, createWords(statement.ifNotExists));
    case 'create_domain':
      return printDomain(statement);
    case 'create_user': {
      const head = `${createWords(statement.ifNotExists)} USER ${statement.name}`;
      return `${head} WITH PASSWORD ${stringLiteral(statement.password)};`;
    }
    case 'start':
      return printStart(statement);
    case 'describe_relay':
      return printDescribeRelay(statement);
    case 'create_subscription':
      return printSubscription(statement);
    default:
      return printSimple(statement);
  }
}

type SimpleStatement = Exclude<
  Statement,
  {
    kind:
      | 'create_model'
      | 'create_domain'
      | 'create_user'
      | 'start'
      | 'describe_relay'
      | 'create_subscription';
  }
>;

function printSimple(statement: SimpleStatement): string {
  switch (statement.kind) {
    case 'use':
      return `USE ${statement.domain};`;
    case 'list_domains':
      return 'LIST DOMAINS;';
    case 'begin':
    case 'commit':
    case 'revert':
    case 'stop':
      return `${statement.kind.toUpperCase()};`;
    case 'drop_model':
      return `DROP ${statementWords(statement.modelKind)} ${statement.name};`;
    case 'show_create':
      return `SHOW CREATE ${statementWords(statement.modelKind)} ${statement.name};`;
    case 'show_ingestors':
      return 'SHOW INGESTORS;';
    case 'show_transactions':
      return 'SHOW TRANSACTIONS;';
    case 'describe_domain':
      return 'DESCRIBE DOMAIN;';
    case 'describe_model':
      return `DESCRIBE ${statementWords(statement.modelKind)} ${statement.name};`;
    case 'delete_subscription':
      return `DELETE SUBSCRIPTION ${statement.name};`;
    default:
      throw new RangeError(`no text for ${statement.kind}`);
  }
}

function createWords(ifNotExists: boolean): string {
  return ifNotExists ? 'CREATE IF NOT EXISTS' : 'CREATE';
}

function printDomain({ ifNotExists, name, pace, placement }: CreateDomainStatement): string {
  const policy = placement === 'NEUTRAL' ? '' : ` PLACEMENT ${placement}`;
  const create = createWords(ifNotExists);
  if (pace.kind === 'unpaced') return `${create} UNPACED DOMAIN ${name}${policy};`;
  const period = printClockDuration(BigInt(pace.periodNanos));
  const skew = printClockDuration(BigInt(pace.skewNanos));
  return `${create} PACED DOMAIN ${name} WITH PERIOD ${period} SKEW ${skew}${policy};`;
}

function printStart({ at }: StartStatement): string {
  if (at === null) return 'START;';
  const instant = at.instant === null ? 'NOW' : stringLiteral(at.instant);
  return `START AT ${instant} TIME RATE ${floatLiteral(at.timeRate)};`;
}

function printDescribeRelay({ relay, bindings }: DescribeRelayStatement): string {
  if (bindings === null) return `DESCRIBE RELAY ${relay};`;
  const list = bindings.map(({ field, value }) => {
    switch (value.kind) {
      case 'string':
        return `${field} = ${stringLiteral(value.value)}`;
      case 'number':
        return `${field} = ${value.text}`;
      default:
        return `${field} = ${value.value ? 'TRUE' : 'FALSE'}`;
    }
  });
  return `DESCRIBE RELAY ${relay} WHERE (${list.join(', ')});`;
}

function printSubscription(statement: CreateSubscriptionStatement): string {
  const { name, relay, delivery, batchSampleRate, where } = statement;
  return [
    `CREATE SUBSCRIPTION ${name} TO ${relay}`,
    ...(delivery === 'DROPPING' ? [' DROPPING'] : []),
    ...(batchSampleRate === null ? [] : [` BATCH SAMPLE RATE ${floatLiteral(batchSampleRate)}`]),
    ...(where === null ? [] : [` WHERE ${printExpression(where)}`]),
    ';',
  ].join('');
}
