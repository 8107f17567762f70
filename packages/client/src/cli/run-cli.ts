import { readFile } from 'node:fs/promises';
import tls from 'node:tls';
import { ReadStream } from 'node:tty';
import { CommanderError } from 'commander';
import { Client, connect } from '../client.js';
import type { ConnectOptions } from '../connect-options.js';
import { exitOnBrokenOutput } from './broken-output.js';
import {
  CommandLineError,
  EXIT,
  type ExitCode,
  FORMAT_EXIT,
  localFileError,
} from './command-line-error.js';
import { runExport } from './export-command.js';
import { runFormat } from './format/format-command.js';
import type { CliMode, GlobalOptions, Invocation } from './invocation.js';
import { readInvocation } from './options.js';
import { Output, type OutputFormat, type WriteText } from './output.js';
import { promptPassword } from './password-prompt.js';
import { runRepl } from './repl.js';
import { runScript } from './script-run.js';
import { runSecret } from './secret-command.js';
import { printDomains } from './session.js';
import type { SourceText } from './source-report.js';
import { runSubscribe } from './subscribe-command.js';
import { runSuggest } from './suggest-command.js';
import { runUpload } from './upload-command.js';
import { decodeUtf8 } from './utf8-text.js';

/** Writes to a stream and waits while its reader is behind. */
function writerTo(stream: NodeJS.WriteStream): WriteText {
  return (text) => {
    if (stream.write(text)) return;
    return new Promise((resolve) => {
      stream.once('drain', resolve);
    });
  };
}

function hasColor(isWanted: boolean): boolean {
  const { NO_COLOR } = process.env;
  return isWanted && process.stderr.isTTY === true && (NO_COLOR === undefined || NO_COLOR === '');
}

function makeOutput(format: OutputFormat, isColorWanted: boolean): Output {
  return new Output(format, {
    out: writerTo(process.stdout),
    err: writerTo(process.stderr),
    hasColor: hasColor(isColorWanted),
  });
}

/** The format that arguments ask for which could not be read as a whole. */
function formatHint(argv: readonly string[]): OutputFormat {
  const index = argv.indexOf('--format');
  const wanted = index < 0 ? process.env['NERVIX_FORMAT'] : argv[index + 1];
  return wanted === 'json' || argv.includes('--format=json') ? 'json' : 'text';
}

async function readPassword(options: GlobalOptions): Promise<string> {
  if (options.password !== undefined) return options.password;
  if (process.stdin instanceof ReadStream && process.stdin.isTTY) {
    const write = (text: string): void => void process.stderr.write(text);
    return promptPassword(process.stdin, write, options.username);
  }
  throw new CommandLineError(
    'CLIENT_CONFIGURATION',
    'no password: set NERVIX_PASSWORD or give --password',
    { exitCode: EXIT.usage },
  );
}

async function readBytes(path: string): Promise<Buffer> {
  if (path !== '-') {
    try {
      return await readFile(path);
    } catch (cause) {
      throw localFileError('read', path, cause);
    }
  }
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

async function readSource(path: string): Promise<SourceText> {
  const label = path === '-' ? 'stdin' : path;
  const decoded = decodeUtf8(await readBytes(path));
  if (decoded.kind === 'text') return { label, text: decoded.text };
  throw localFileError('read', label, `byte ${decoded.offset} is not valid UTF-8`);
}

async function runDialogue(
  options: GlobalOptions,
  connectOptions: ConnectOptions,
  signal: AbortSignal,
): Promise<ExitCode> {
  const client = await connect({ ...connectOptions, signal });
  const isInteractive = process.stdin.isTTY === true && process.stdout.isTTY === true;
  if (isInteractive) {
    process.stderr.write(`connected to ${client.server} as '${options.username}'\n`);
  }
  const run = runRepl({
    client,
    domain: options.domain,
    format: options.format,
    input: process.stdin,
    output: process.stdout,
    errorOutput: process.stderr,
    isInteractive,
    hasColor: hasColor(options.color),
    historyFile: options.historyFile,
    signal,
  });
  return run.finally(() => client.close());
}

/** Loaded when it is asked for: nothing else needs the engine that it brings along. */
function placementCommand(): Promise<typeof import('./placement/placement-command.js')> {
  return import('./placement/placement-command.js');
}

async function runInvocation(
  { options, mode }: Invocation,
  output: Output,
  signal: AbortSignal,
): Promise<ExitCode> {
  if (mode.kind === 'completions') {
    await output.verbatim(mode.script);
    return EXIT.success;
  }
  if (mode.kind === 'format') {
    exitOnBrokenOutput(FORMAT_EXIT.io);
    return runFormat(mode.format, { output, input: process.stdin, signal });
  }
  if (mode.kind === 'placement' && mode.placement.inputs.length > 0) {
    const { showFilePlacement } = await placementCommand();
    return showFilePlacement(mode.placement, { output, readInput: readSource });
  }
  if (mode.kind === 'plan') {
    const { runPlan } = await import('./plan/plan-command.js');
    return runPlan(mode.plan, { output, readInput: readSource });
  }
  if (mode.kind === 'diff') {
    const { runDiff } = await import('./plan/diff-command.js');
    return runDiff(mode.diff, { output, readInput: readSource });
  }
  // A script that cannot be read needs no password.
  const source = await scriptOf(mode);
  await trustAuthorities(options.tlsCaCert);
  const connectOptions: ConnectOptions = {
    server: options.server,
    seeds: options.seed,
    user: options.username,
    password: await readPassword(options),
    requestTimeoutMs: options.timeout,
    transport: SESSION_MODES.has(mode.kind) ? 'session' : 'http',
  };
  if (mode.kind === 'repl') return runDialogue(options, connectOptions, signal);
  const client = new Client(connectOptions);
  try {
    return await runOnServer({ options, mode }, source, { client, output, signal });
  } finally {
    await client.close();
  }
}

/** Modes that keep one session; the others ask once, and hold nothing open for it. */
const SESSION_MODES: ReadonlySet<CliMode['kind']> = new Set(['repl', 'file', 'suggest']);

async function scriptOf(mode: CliMode): Promise<SourceText | undefined> {
  if (mode.kind === 'file') return readSource(mode.path);
  return mode.kind === 'command' ? { label: mode.label, text: mode.text } : undefined;
}

/** Trusts the authorities of a file besides those that are known, for all that follows. */
async function trustAuthorities(path: string | undefined): Promise<void> {
  if (path === undefined) return;
  const certificates = (await readSource(path)).text;
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), certificates]);
}

async function runOnServer(
  { options, mode }: Invocation,
  source: SourceText | undefined,
  run: { readonly client: Client; readonly output: Output; readonly signal: AbortSignal },
): Promise<ExitCode> {
  const { client, output, signal } = run;
  const context = { ...run, domain: options.domain };
  if (mode.kind === 'subscribe') return runSubscribe(mode.subscribe, context);
  if (mode.kind === 'placement') {
    const { showNodePlacement } = await placementCommand();
    return showNodePlacement(mode.placement, { output, readInput: readSource }, context);
  }
  if (mode.kind === 'upload') return runUpload(mode.upload, context);
  if (mode.kind === 'secret') {
    const { executionReference: reference } = options;
    const known = reference === undefined ? {} : { executionReference: reference };
    return runSecret(mode.secret, { ...context, ...known });
  }
  if (mode.kind === 'export') return runExport(mode.export, context);
  if (mode.kind === 'suggest') return runSuggest(mode.suggest, context);
  if (mode.kind === 'domains' || source === undefined) {
    await printDomains(output, await client.domains({ signal }));
    return EXIT.success;
  }
  const { executionReference } = options;
  return runScript(source, {
    ...context,
    ...(executionReference === undefined ? {} : { executionReference }),
  });
}

/**
 * Runs the command line.
 *
 * @param argv arguments after the program's name
 * @param signal fires when the user interrupts
 */
export async function runCli(
  argv: readonly string[],
  version: string,
  signal: AbortSignal,
): Promise<ExitCode> {
  const isJson = formatHint(argv) === 'json';
  try {
    const invocation = readInvocation(argv, version, {
      out: (text) => void process.stdout.write(text),
      err: (text) => void process.stderr.write(text),
    });
    const output = makeOutput(invocation.options.format, invocation.options.color);
    try {
      return await runInvocation(invocation, output, signal);
    } catch (error) {
      return await output.failure(error);
    }
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return EXIT.success;
      // Commander has printed the message for people already.
      const message = error.message.replace(/^error: /, '');
      const document = { error: { code: 'INVALID_ARGUMENTS', message } };
      if (isJson) process.stdout.write(`${JSON.stringify(document)}\n`);
      return EXIT.usage;
    }
    return makeOutput(isJson ? 'json' : 'text', false).failure(error);
  }
}
