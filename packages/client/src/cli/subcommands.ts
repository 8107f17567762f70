import { Argument, type Command, Option } from 'commander';
import { readCount, readRate, readReference } from './argument-values.js';
import { usageError } from './command-line-error.js';
import type { ChooseMode, GlobalOptions } from './invocation.js';
import { COMPLETION_SHELLS, shellCompletion } from './shell-completion.js';

interface ExportFlags {
  readonly withSecrets?: boolean;
  readonly snapshot?: boolean;
  readonly output?: string;
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

/** Adds the subcommands to the command line. */
export function addSubcommands(program: Command, choose: ChooseMode): void {
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
  program
    .command('export')
    .description('print the texts that make the domain as it is')
    .option('--with-secrets', 'write secrets out, which takes the right to read them')
    .option('--snapshot', 'write the state for plan --against instead, as one JSON document')
    .option('--output <path>', 'file that takes the texts, or - for standard output')
    .action(({ withSecrets = false, snapshot: isSnapshot = false, output }: ExportFlags) => {
      const path = output === undefined || output === '-' ? {} : { path: output };
      choose({ kind: 'export', export: { withSecrets, isSnapshot, ...path } });
    });
  addSecret(program, choose);
  program
    .command('completions')
    .description('print a script that completes this command in a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(COMPLETION_SHELLS))
    .action((shell: string) => {
      choose({ kind: 'completions', script: shellCompletion(shell, program) });
    });
  addFormat(program, choose);
  addPlacement(program, choose);
  addPlan(program, choose);
  addDiff(program, choose);
}

interface SecretFlags {
  readonly key?: string;
  readonly from: string;
}

function addSecret(program: Command, choose: ChooseMode): void {
  const secret = program
    .command('secret')
    .description('write, list and remove secrets of a domain');
  const keyed = ({ key }: Pick<SecretFlags, 'key'>) => (key === undefined ? {} : { key });
  secret
    .command('set')
    .description('make a value the next version of a secret')
    .argument('<name>', 'secret of the domain')
    .option('--key <key>', 'key of the secret that the value is for')
    .requiredOption('--from <path>', 'file of the value as it stands, or - for standard input')
    .action((name: string, flags: SecretFlags) => {
      choose({ kind: 'secret', secret: { kind: 'set', name, from: flags.from, ...keyed(flags) } });
    });
  secret
    .command('list')
    .description('list secrets with their versions and users; values are never shown')
    .action(() => choose({ kind: 'secret', secret: { kind: 'list' } }));
  secret
    .command('remove')
    .description('remove a secret that nothing uses')
    .argument('<name>', 'secret of the domain')
    .option('--key <key>', 'remove this key alone')
    .action((name: string, flags: Pick<SecretFlags, 'key'>) => {
      choose({ kind: 'secret', secret: { kind: 'remove', name, ...keyed(flags) } });
    });
}

const PLAN_EXIT_CODES = `
Exit codes: 0 planned, 1 refused, 3 not readable as NSPL, 5 a file cannot be read or used.`;

function addPlan(program: Command, choose: ChooseMode): void {
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

function addDiff(program: Command, choose: ChooseMode): void {
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

function addPlacement(program: Command, choose: ChooseMode): void {
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

function addFormat(program: Command, choose: ChooseMode): void {
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
