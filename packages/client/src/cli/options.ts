import { readDuration } from '@nervix/model';
import { DEFAULT_SERVER } from '@nervix/protocol';
import { Command, InvalidArgumentError, Option } from 'commander';
import { usageError } from './command-line-error.js';
import type { FormatArguments } from './format/format-command.js';
import type { OutputFormat } from './output.js';
import type { PlacementArguments } from './placement/placement-command.js';
import type { DiffArguments } from './plan/diff-command.js';
import type { PlanArguments } from './plan/plan-command.js';
import type { SubscribeArguments } from './subscribe-command.js';
import type { UploadArguments } from './upload-command.js';

/** The global flags. */
export interface GlobalOptions {
  readonly server: string;
  readonly domain: string;
  readonly username: string;
  readonly password?: string;
  readonly format: OutputFormat;
  readonly command?: string;
  readonly file?: string;
  readonly executionReference?: string;
  /** Milliseconds. */
  readonly timeout: number;
  readonly historyFile: string;
  readonly color: boolean;
}

/** The one thing that an invocation does. */
export type CliMode =
  | { readonly kind: 'subscribe'; readonly subscribe: SubscribeArguments }
  | { readonly kind: 'domains' }
  | { readonly kind: 'upload'; readonly upload: UploadArguments }
  | { readonly kind: 'format'; readonly format: FormatArguments }
  | { readonly kind: 'placement'; readonly placement: PlacementArguments }
  | { readonly kind: 'plan'; readonly plan: PlanArguments }
  | { readonly kind: 'diff'; readonly diff: DiffArguments }
  | { readonly kind: 'command'; readonly text: string }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'repl' };

/** An invocation that was read. */
export interface Invocation {
  readonly options: GlobalOptions;
  readonly mode: CliMode;
}

interface FormatFlags {
  readonly check?: boolean;
  readonly stdout?: boolean;
}

interface SubscribeFlags {
  readonly dropping?: boolean;
  readonly blocking?: boolean;
  readonly batchSampleRate?: number;
  readonly where?: string;
  readonly limit?: number;
}

function readTimeout(text: string): number {
  const duration = readDuration(text);
  if (duration.kind === 'refused') throw new InvalidArgumentError(duration.reason);
  const milliseconds = Number(duration.value) / 1e6;
  if (milliseconds <= 0) throw new InvalidArgumentError('it must be longer than nothing');
  return milliseconds;
}

function readRate(text: string): number {
  const rate = Number(text);
  if (text.trim() === '' || !(rate >= 0 && rate <= 1)) {
    throw new InvalidArgumentError('batch sample rate must be between 0.0 and 1.0');
  }
  return rate;
}

function readCount(text: string): number {
  if (!/^[0-9]{1,15}$/.test(text)) throw new InvalidArgumentError('it must be a whole number');
  return Number(text);
}

function readReference(text: string): string {
  if (/^[A-Za-z0-9._-]{1,128}$/.test(text)) return text;
  throw new InvalidArgumentError(
    'it must be 1 to 128 letters, digits, dots, dashes or underscores',
  );
}

function addGlobalOptions(program: Command): void {
  const option = (flags: string, description: string): Option => new Option(flags, description);
  program
    .addOption(
      option('--server <url>', 'origin of a node').env('NERVIX_SERVER').default(DEFAULT_SERVER),
    )
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

function defaultMode({ command, file }: GlobalOptions): CliMode {
  if (command !== undefined) return { kind: 'command', text: command };
  if (file !== undefined) return { kind: 'file', path: file };
  return { kind: 'repl' };
}

function checkCombination(options: GlobalOptions, mode: CliMode): void {
  if (options.command !== undefined && options.file !== undefined) {
    throw usageError('--command and --file exclude each other');
  }
  const isScript = mode.kind === 'command' || mode.kind === 'file';
  if (options.executionReference !== undefined && !isScript) {
    throw usageError('--execution-reference goes with --command or --file');
  }
}

function addSubcommands(program: Command, choose: (mode: CliMode) => void): void {
  program
    .command('subscribe')
    .description('print the rows of a relay as they pass')
    .argument('<name>', 'name of the subscription')
    .argument('<relay>', 'relay to read')
    .addOption(new Option('--dropping', 'lose rows while this reader is slow'))
    .addOption(
      new Option('--blocking', 'hold the relay while this reader is slow (default)').conflicts(
        'dropping',
      ),
    )
    .option('--batch-sample-rate <rate>', 'share of the rows, 0.0 to 1.0', readRate)
    .option('--where <expression>', 'predicate of the rows')
    .option('--limit <rows>', 'leave after so many rows', readCount)
    .action((name: string, relay: string, flags: SubscribeFlags) => {
      choose({
        kind: 'subscribe',
        subscribe: {
          name,
          relay,
          delivery: flags.dropping === true ? 'dropping' : 'blocking',
          ...(flags.batchSampleRate === undefined ? {} : { sampleRate: flags.batchSampleRate }),
          ...(flags.where === undefined ? {} : { where: flags.where }),
          ...(flags.limit === undefined ? {} : { limit: flags.limit }),
        },
      });
    });
  program
    .command('domains')
    .description('list the domains')
    .action(() => choose({ kind: 'domains' }));
  program
    .command('upload')
    .description('send a folder as the next version of a resource')
    .argument('<resource>', 'resource of the domain')
    .argument('<folder>', 'folder whose files are sent')
    .addOption(
      new Option('--identity <id>', 'send an upload again whose outcome is unknown').argParser(
        readReference,
      ),
    )
    .action((resource: string, folder: string, { identity }: { readonly identity?: string }) => {
      const kept = identity === undefined ? {} : { identity };
      choose({ kind: 'upload', upload: { resource, folder, ...kept } });
    });
  addFormat(program, choose);
  addPlacement(program, choose);
  addPlan(program, choose);
  addDiff(program, choose);
}

const PLAN_EXIT_CODES = `
Exit codes: 0 planned, 1 refused, 3 not readable as NSPL, 5 a file cannot be read or used.`;

function addPlan(program: Command, choose: (mode: CliMode) => void): void {
  program
    .command('plan')
    .usage('--file <path> --against <path> [--json]')
    .description('print what the statements of --file would do to a domain, without a server')
    .requiredOption('--against <path>', 'the domain: a snapshot in JSON, or a script that makes it')
    .option('--json', 'print the report as JSON')
    .addHelpText('after', PLAN_EXIT_CODES)
    .action(({ against, json }: { readonly against: string; readonly json?: boolean }) => {
      const { file, domain, format } = program.opts<GlobalOptions>();
      if (file === undefined) throw usageError('give the statements to plan with --file');
      const isJson = json === true || format === 'json';
      choose({ kind: 'plan', plan: { file, against, domain, isJson } });
    });
}

const DIFF_EXIT_CODES = `
Exit codes: 0 the same models, 1 other models, 3 not readable as NSPL, 5 a file cannot be read or used.`;

function addDiff(program: Command, choose: (mode: CliMode) => void): void {
  program
    .command('diff')
    .description('compare two scripts, or snapshots, by the models that they come to')
    .argument('<before>')
    .argument('<after>')
    .option('--json', 'print the differences as JSON')
    .addHelpText('after', DIFF_EXIT_CODES)
    .action((before: string, after: string, { json }: { readonly json?: boolean }) => {
      const { domain, format } = program.opts<GlobalOptions>();
      const isJson = json === true || format === 'json';
      choose({ kind: 'diff', diff: { before, after, domain, isJson } });
    });
}

interface PlacementFlags {
  readonly html?: string;
  readonly json?: boolean;
  readonly input?: readonly string[];
  readonly candidates: number;
}

function addPlacement(program: Command, choose: (mode: CliMode) => void): void {
  program
    .command('placement')
    .description('show where the parts of a domain run and why, of a node or computed from files')
    .option('--html <path>', 'write a page that needs nothing else, or - for standard output')
    .option('--json', 'print the report as JSON')
    .option('--input <path...>', 'JSON files with graph, rules and nodes, in place of a node')
    .addOption(
      new Option('--candidates <count>', 'nodes listed for each unit besides its owner, of files')
        .argParser(readCount)
        .default(5),
    )
    .action(({ html, json = false, input: inputs = [], candidates }: PlacementFlags) => {
      if (html === undefined && !json) throw usageError('give --html, --json or both');
      if (html === '-' && json) throw usageError('--html - and --json both take standard output');
      const bound = { candidatesMax: candidates };
      const placement = { inputs, json, ...bound, ...(html === undefined ? {} : { html }) };
      choose({ kind: 'placement', placement });
    });
}

const FORMAT_EXIT_CODES = `
Exit codes, the highest of all files: 0 done, 1 --check found unformatted files,
3 not readable as NSPL, 4 not readable or writable or not UTF-8, 5 defect of the formatter.
Arguments that cannot be used lead to 2, before anything is written.`;

function addFormat(program: Command, choose: (mode: CliMode) => void): void {
  program
    .command('format')
    .description('put scripts into their canonical form, without a server')
    .argument('<path...>', 'files, folders with .nspl files, or - for standard input')
    .addOption(
      new Option('--check', 'only print the paths of files that are not formatted').conflicts(
        'stdout',
      ),
    )
    .option('--stdout', 'print the formatted text and leave the files as they are')
    .addHelpText('after', FORMAT_EXIT_CODES)
    .action((paths: string[], { check, stdout }: FormatFlags) => {
      const mode = check === true ? 'check' : stdout === true ? 'stdout' : 'write';
      choose({ kind: 'format', format: { paths, mode } });
    });
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
  addSubcommands(program, (mode) => {
    chosen = mode;
  });
  program.parse([...argv], { from: 'user' });
  const options = program.opts<GlobalOptions>();
  const mode = chosen ?? defaultMode(options);
  checkCombination(options, mode);
  return { options, mode };
}
