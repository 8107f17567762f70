import { redactStatement, type Statement, statementWords } from '@nervix/model';
import { printAdministration } from './administration.js';
import { createWords } from './create-words.js';
import { type PrintOptions, printCreate } from './model.js';
import { printAlter } from './statements/alter.js';
import { printDomainStatement } from './statements/domain.js';
import { printRead } from './statements/read.js';
import { printReset } from './statements/reset.js';
import { printResourceStatement } from './statements/resource.js';
import { printSubscriptionStatement } from './statements/subscription.js';

/**
 * Canonical text of a statement, `;` included.
 *
 * @throws UnprintableError for a statement that cannot be written
 */
export function printStatement(statement: Statement, options: PrintOptions = {}): string {
  return printInClear(options.withSecrets === true ? statement : redactStatement(statement));
}

/** Canonical text of a statement with all it holds. */
function printInClear(statement: Statement): string {
  switch (statement.kind) {
    case 'create_model':
      return printCreate(statement.model, createWords(statement.ifNotExists));
    case 'drop_model':
      return `DROP ${statementWords(statement.modelKind)} ${statement.name};`;
    case 'alter_model':
      return printAlter(statement);
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
      return printAdministration(statement, printInClear);
  }
}
