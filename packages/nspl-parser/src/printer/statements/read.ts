import {
  type DescribeTransactionStatement,
  type OutputFormat,
  type ReadStatement,
  statementWords,
} from '@nervix/model';
import { stringLiteral } from '../lexical.js';
import { printLiteral, printLiteralBindings } from '../literal-value.js';

/** A statement that reads what a domain holds or does. */
export function printRead(statement: ReadStatement): string {
  switch (statement.kind) {
    case 'show_create': {
      const secrets = statement.withSecrets ? ' WITH SECRETS' : '';
      return `SHOW CREATE ${statementWords(statement.modelKind)} ${statement.name}${secrets};`;
    }
    case 'show_udfs':
    case 'show_ingestors':
    case 'show_placements':
    case 'show_transactions':
    case 'show_cluster_status':
      return `${statement.kind.toUpperCase().replaceAll('_', ' ')};`;
    case 'show_materialized_state':
      return `SHOW RELAY ${statement.relay} MATERIALIZED STATE;`;
    case 'describe_model':
      return `DESCRIBE ${statementWords(statement.modelKind)} ${statement.name};`;
    case 'describe_wasm_processor':
      return `DESCRIBE WASM PROCESSOR ${statement.name}${printFormat(statement.format)};`;
    case 'describe_relay': {
      const { relay, bindings } = statement;
      const where = bindings === null ? '' : ` WHERE (${printLiteralBindings(bindings)})`;
      return `DESCRIBE RELAY ${relay}${where};`;
    }
    case 'describe_transaction':
      return printDescribeTransaction(statement);
    case 'lookup':
      return `LOOKUP ${statement.hashMap} KEY ${printLiteral(statement.key)};`;
  }
}

/** ` FORMAT JSON`; the default is not printed. */
export function printFormat(format: OutputFormat): string {
  return format === 'TEXT' ? '' : ` FORMAT ${format}`;
}

function printDescribeTransaction(statement: DescribeTransactionStatement): string {
  const { transaction, operation, format } = statement;
  const id = transaction === null ? '' : ` ${stringLiteral(transaction)}`;
  const number = operation === null ? '' : ` OPERATION ${operation}`;
  return `DESCRIBE TRANSACTION${id}${number}${printFormat(format)};`;
}
