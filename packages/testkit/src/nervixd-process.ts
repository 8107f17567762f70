import { type ChildProcessByStdio, spawn } from 'node:child_process';
import path from 'node:path';
import type { Readable } from 'node:stream';

/** What to start. */
export interface NervixdSettings {
  /** Folder of the node's databases; keep it to start the same node again. */
  readonly dbPath: string;
  /** Added to a small environment without any `NERVIX_` variable. */
  readonly env?: Readonly<Record<string, string>>;
  /** Flags behind the ones for the folder and for free ports; the last of a flag counts. */
  readonly args?: readonly string[];
}

/** How a process ended. */
export interface NervixdExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A `nervixd` process that has announced itself ready. */
export interface NervixdProcess {
  readonly pid: number;
  /** Origins such as `http://127.0.0.1:40001`. */
  readonly addresses: {
    readonly session: string;
    readonly http: string;
    readonly observability: string;
  };
  /** The default user's password: the chosen one, else the printed one of a first start. */
  readonly password: string | undefined;
  /** Milliseconds from the spawn to the ready line. */
  readonly startMs: number;
  /** Lines of standard output and error so far. */
  readonly stdoutLines: readonly string[];
  readonly stderrLines: readonly string[];
  /** Resolves when the process has ended. */
  readonly exit: Promise<NervixdExit>;
  signal(signal: NodeJS.Signals): void;
  /** Asks for a graceful stop and waits for the end. */
  stop(): Promise<NervixdExit>;
  /** Kills without warning and waits for the end. */
  kill9(): Promise<NervixdExit>;
}

/** What a process printed before it ended by itself. */
export interface NervixdRun extends NervixdExit {
  readonly stdout: string;
  readonly stderr: string;
}

type Child = ChildProcessByStdio<null, Readable, Readable>;

const READY_TIMEOUT_MS = 30_000;
const STOP_TIMEOUT_MS = 30_000;
const program = path.resolve(import.meta.dirname, '../../../apps/nervixd/bin/nervixd.js');
const readyPattern = /^nervixd ready: session (\S+) data (\S+) observability (\S+) pid \d+$/;
const passwordPattern = /^created user '[^']+' with password '([^']+)' /;

/** Starts a node on free loopback ports and waits until it is ready. */
export async function startNervixd(settings: NervixdSettings): Promise<NervixdProcess> {
  const startedAt = performance.now();
  const child = spawnNervixd(freePortArguments(settings), settings.env);
  const stdoutLines = collectLines(child.stdout);
  const stderrLines = collectLines(child.stderr);
  const exit = exitOf(child);
  const ready = await readyLine(child, stdoutLines, exit).catch((error: unknown) => {
    child.kill('SIGKILL');
    const log = stderrLines.slice(-20).join('\n');
    throw new Error(`${String(error)}\n${log}`, { cause: error });
  });
  const [, session = '', http = '', observability = ''] = ready;
  const printed = stdoutLines.map((line) => passwordPattern.exec(line)?.[1]).find(Boolean);
  return {
    pid: child.pid ?? 0,
    addresses: { session, http, observability },
    password: settings.env?.['NERVIX_INIT_DEFAULT_USER_PASSWORD'] ?? printed,
    startMs: performance.now() - startedAt,
    stdoutLines,
    stderrLines,
    exit,
    signal: (signal) => {
      child.kill(signal);
    },
    stop: async () => {
      child.kill('SIGTERM');
      return within(exit, STOP_TIMEOUT_MS, 'nervixd did not stop', () => child.kill('SIGKILL'));
    },
    kill9: async () => {
      child.kill('SIGKILL');
      return exit;
    },
  };
}

/** Runs `nervixd` with exactly these arguments until it ends by itself. */
export async function runNervixd(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<NervixdRun> {
  const child = spawnNervixd(args, env);
  const stdout = collectLines(child.stdout);
  const stderr = collectLines(child.stderr);
  const kill = (): boolean => child.kill('SIGKILL');
  const ended = await within(exitOf(child), READY_TIMEOUT_MS, 'nervixd did not end', kill);
  return { ...ended, stdout: stdout.join('\n'), stderr: stderr.join('\n') };
}

function freePortArguments({ dbPath, args = [] }: NervixdSettings): string[] {
  const any = '127.0.0.1:0';
  return [
    ...['--db-path', dbPath, '--addr', any],
    ...['--http-listen-addr', any, '--observability-listen-addr', any],
    ...args,
  ];
}

function spawnNervixd(args: readonly string[], env: Readonly<Record<string, string>> = {}): Child {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('NERVIX_') && !name.startsWith('VITEST'),
  );
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...Object.fromEntries(inherited), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // A test run that ends early leaves no node behind.
  const kill = (): boolean => child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  return child;
}

/** An array that grows by the complete lines of a stream. */
function collectLines(stream: Readable): string[] {
  const lines: string[] = [];
  let rest = '';
  stream.setEncoding('utf8');
  stream.on('data', (chunk: string) => {
    const parts = (rest + chunk).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
  });
  stream.on('end', () => {
    if (rest !== '') lines.push(rest);
  });
  return lines;
}

/** Ends when the process is gone and all that it printed has been read. */
function exitOf(child: Child): Promise<NervixdExit> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
}

async function readyLine(
  child: Child,
  lines: readonly string[],
  exit: Promise<NervixdExit>,
): Promise<RegExpExecArray> {
  const ready = new Promise<RegExpExecArray>((resolve) => {
    child.stdout.on('data', () => {
      for (const line of lines) {
        const match = readyPattern.exec(line);
        if (match !== null) resolve(match);
      }
    });
  });
  const ended = exit.then(({ code, signal }): never => {
    throw new Error(`nervixd ended before it was ready: ${code ?? signal}`);
  });
  return within(Promise.race([ready, ended]), READY_TIMEOUT_MS, 'nervixd did not become ready');
}

async function within<T>(
  promise: Promise<T>,
  ms: number,
  message: string,
  giveUp: () => void = () => undefined,
): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    giveUp();
    late.reject(new Error(`${message} within ${ms} ms`));
  }, ms);
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
