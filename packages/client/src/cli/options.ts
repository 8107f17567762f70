import { DEFAULT_SERVER } from '@nervix/protocol';
import { Command, Option } from 'commander';
import { readCount, readReference, readTimeout } from './argument-values.js';
import { usageError } from './command-line-error.js';
import type { CliMode, GlobalOptions, Invocation } from './invocation.js';
import { addStatementSubcommands } from './statement-subcommands.js';
import { addSubcommands } from './subcommands.js';

function addGlobalOptions(program: Command): void {
  const option = (flags: string, description: string): Option => new Option(flags, description);
  program
    .addOption(
      option('--server <url>', 'origin of a node').env('NERVIX_SERVER').default(DEFAULT_SERVER),
    )
    .addOption(
      option('--seed <url>', 'origin of another node, for sessions; may be given again')
        .argParser((url: string, before: readonly string[]) => [...before, url])
        .default([], 'none'),
    )
    .addOption(
      option('--tls <use>', 'whether a server without TLS is refused')
        .choices(['preferred', 'required'])
        .default('preferred'),
    )
    .addOption(option('--tls-ca-cert <path>', 'PEM file of authorities to trust besides the known'))
    .addOption(option('--domain <name>', 'domain selected at the start').default('default'))
    .addOption(option('--username <name>', 'user').env('NERVIX_USERNAME').default('default'))
    .addOption(option('--password <text>', 'asked for on a terminal').env('NERVIX_PASSWORD'))
    .addOption(
      option('--format <format>', 'form of the results')
        .env('NERVIX_FORMAT')
        .choices(['text', 'json'])
        .default('text'),
    )
    .addOption(option('--command <nspl>', 'run these statements and leave'))
    .addOption(option('--file <path>', 'run the statements of a file, or of - for standard input'))
    .addOption(option('--suggest <nspl>', 'print how a text may go on, and leave'))
    .addOption(
      option('--cursor <byte>', 'place in the text of --suggest, in UTF-8 bytes').argParser(
        readCount,
      ),
    )
    .addOption(
      option(
        '--execution-reference <id>',
        'ask for the outcome of a statement sent before',
      ).argParser(readReference),
    )
    .addOption(
      option('--timeout <duration>', 'time of one request with its retries')
        .argParser(readTimeout)
        .default(120_000, '120s'),
    )
    .addOption(
      option('--history-file <path>', 'history of the dialogue')
        .env('NERVIX_HISTORY_FILE')
        .default('.nervix_client_history'),
    )
    .option('--no-color', 'no colours in error reports');
}

function defaultMode({ command, file, suggest, cursor }: GlobalOptions): CliMode {
  if (suggest !== undefined) {
    return {
      kind: 'suggest',
      suggest: { input: suggest, ...(cursor === undefined ? {} : { cursor }) },
    };
  }
  if (command !== undefined) return { kind: 'command', text: command, label: 'command' };
  if (file !== undefined) return { kind: 'file', path: file };
  return { kind: 'repl' };
}

function checkCombination(options: GlobalOptions, mode: CliMode): void {
  if (options.command !== undefined && options.file !== undefined) {
    throw usageError('--command and --file exclude each other');
  }
  if (options.cursor !== undefined && mode.kind !== 'suggest') {
    throw usageError('--cursor goes with --suggest');
  }
  const origins = [options.server, ...options.seed];
  if (options.tls === 'required' && !origins.every((origin) => origin.startsWith('https:'))) {
    throw usageError('--tls required goes with https servers only');
  }
  const isScript = mode.kind === 'command' || mode.kind === 'file';
  if (options.executionReference !== undefined && !isScript) {
    throw usageError('--execution-reference goes with --command or --file');
  }
}

/**
 * Reads the arguments.
 *
 * @param write takes help and version texts
 * @throws CommanderError for help, version and arguments that cannot be used
 */
export function readInvocation(
  argv: readonly string[],
  version: string,
  write: { readonly out: (text: string) => void; readonly err: (text: string) => void },
): Invocation {
  let chosen: CliMode | undefined;
  const program = new Command('nervix')
    .description('Runs NSPL statements on a Nervix server; without a mode, as a dialogue.')
    .version(version, '--version')
    .configureOutput({ writeOut: write.out, writeErr: write.err })
    .exitOverride();
  addGlobalOptions(program);
  program.action(() => undefined);
  const choose = (mode: CliMode): void => {
    chosen = mode;
  };
  addSubcommands(program, choose);
  addStatementSubcommands(program, choose);
  program.parse([...argv], { from: 'user' });
  const options = program.opts<GlobalOptions>();
  const mode = chosen ?? defaultMode(options);
  checkCombination(options, mode);
  return { options, mode };
}
