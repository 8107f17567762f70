import type { Statement } from '@nervix/model';
import { type Command, Option } from 'commander';
import { readCount } from './argument-values.js';
import { usageError } from './command-line-error.js';
import type { ChooseMode } from './invocation.js';
import { readScript } from './parsed-script.js';
import { sourceReport } from './source-report.js';

interface RebalanceFlags {
  readonly domainOnly?: string;
  readonly maxMoves?: number;
  readonly describe?: boolean;
}

/**
 * The text of a subcommand that stands for one statement.
 *
 * @throws CommandLineError when its arguments make another statement of it, or none
 */
function oneStatement(label: string, text: string, kind: Statement['kind']): string {
  const { statements, errors } = readScript({ label, text });
  const [error] = errors;
  if (error !== undefined) {
    throw usageError(sourceReport({ label, text }, error.span, error.message));
  }
  const [only, ...more] = statements;
  if (only?.statement.kind !== kind || more.length > 0) {
    throw usageError(`${label} stands for one statement; this is another: ${text}`);
  }
  return text;
}

const NODE_COMMANDS = [
  ['cordon-node', 'CORDON NODE', 'cordon_node', 'keep new work away from a node'],
  ['uncordon-node', 'UNCORDON NODE', 'uncordon_node', 'let a node get work again'],
  ['drain-node', 'DRAIN NODE', 'drain_node', 'cordon a node and move its work to others'],
  ['remove-node', 'DROP NODE', 'drop_node', 'remove a node from the cluster for good'],
] as const;

/** Adds the subcommands that stand for a statement each. */
export function addStatementSubcommands(program: Command, choose: ChooseMode): void {
  const run = (label: string, text: string, kind: Statement['kind']): void =>
    choose({ kind: 'command', text: oneStatement(label, text, kind), label });
  program
    .command('explain')
    .description('print what one changing statement would do, and store nothing')
    .argument('<nspl>', 'the statement')
    .action((nspl: string) => run('explain', `EXPLAIN ${nspl}`, 'explain'));
  program
    .command('transactions')
    .description('list the transactions, and those that finished a short time ago')
    .action(() => run('transactions', 'SHOW TRANSACTIONS', 'show_transactions'));
  for (const [name, words, kind, description] of NODE_COMMANDS) {
    program
      .command(name)
      .description(description)
      .argument('<node>', 'id of the node')
      .action((node: string) => run(name, `${words} ${node}`, kind));
  }
  program
    .command('rebalance')
    .description('move work between nodes until its load is even')
    .option('--domain-only <domain>', 'move work of one domain only')
    .addOption(new Option('--max-moves <count>', 'most units to move').argParser(readCount))
    .option('--describe', 'print what would move, and move nothing')
    .action(({ domainOnly, maxMoves, describe = false }: RebalanceFlags) => {
      const text = [
        describe ? 'DESCRIBE REBALANCE' : 'REBALANCE',
        ...(domainOnly === undefined ? [] : [`DOMAIN ${domainOnly}`]),
        ...(maxMoves === undefined ? [] : [`MAX MOVES ${maxMoves}`]),
      ].join(' ');
      run('rebalance', text, describe ? 'describe_rebalance' : 'rebalance');
    });
}
