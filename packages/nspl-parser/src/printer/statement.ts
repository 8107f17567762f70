import { type Statement, statementWords } from '@nervix/model';
import { createWords } from './create-words.js';
import { stringLiteral } from './lexical.js';
import { printCreate } from './model.js';
import { printDomainStatement } from './statements/domain.js';
import { printRead } from './statements/read.js';
import { printReset } from './statements/reset.js';
import { printResourceStatement } from './statements/resource.js';
import { printSubscriptionStatement } from './statements/subscription.js';

/** Canonical text of a statement, `;` included. */
export function printStatement(statement: Statement): string {
  switch (statement.kind) {
    case 'create_model':
      return printCreate(statement.model, createWords(statement.ifNotExists));
    case 'drop_model':
      return `DROP ${statementWords(statement.modelKind)} ${statement.name};`;
    case 'create_user': {
      const head = `${createWords(statement.ifNotExists)} USER ${statement.name}`;
      return `${head} WITH PASSWORD ${stringLiteral(statement.password)};`;
    }
    case 'use':
      return `USE ${statement.domain};`;
    case 'list_domains':
      return 'LIST DOMAINS;';
    case 'begin':
    case 'commit':
    case 'revert':
      return `${statement.kind.toUpperCase()};`;
    case 'create_subscription':
    case 'delete_subscription':
      return printSubscriptionStatement(statement);
    case 'create_domain':
    case 'drop_domain':
    case 'promote_domain':
    case 'alter_domain':
    case 'describe_domain':
    case 'start':
    case 'stop':
      return printDomainStatement(statement);
    case 'create_resource':
    case 'describe_resource':
    case 'rebind_resource':
      return printResourceStatement(statement);
    case 'reset_wasm_processor':
      return printReset(statement);
    case 'show_create':
    case 'show_udfs':
    case 'show_ingestors':
    case 'show_placements':
    case 'show_transactions':
    case 'show_cluster_status':
    case 'show_materialized_state':
    case 'describe_model':
    case 'describe_wasm_processor':
    case 'describe_relay':
    case 'describe_transaction':
    case 'lookup':
      return printRead(statement);
    default:
      throw new RangeError(`no text for ${statement.kind}`);
  }
}
