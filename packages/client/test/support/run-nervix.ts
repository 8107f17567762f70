import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

const hooks = new URL('source-hooks.mjs', import.meta.url).href;
const entry = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

export interface NervixOptions {
  readonly env?: Record<string, string>;
  readonly stdin?: string;
  readonly cwd?: string;
  /** Modules that the process loads first, by their URLs. */
  readonly imports?: readonly string[];
  /** Descriptor that takes the standard output; by default it is read. */
  readonly stdout?: number;
}

export interface NervixResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A running `nervix` process, from the sources. */
export class NervixProcess {
  readonly child: ChildProcessWithoutNullStreams;
  stdout = '';
  stderr = '';
  readonly ended: Promise<NervixResult>;
  readonly #printed = new EventEmitter();

  constructor(args: readonly string[], options: NervixOptions = {}) {
    const { PATH = '' } = process.env;
    const imports = [hooks, ...(options.imports ?? [])].flatMap((url) => ['--import', url]);
    this.child = spawn(process.execPath, [...imports, entry, ...args], {
      cwd: options.cwd,
      env: { PATH, NERVIX_PASSWORD: 'secret', ...options.env },
      stdio: ['pipe', options.stdout ?? 'pipe', 'pipe'],
    }) as ChildProcessWithoutNullStreams;
    (this.child.stdout as Readable | null)?.on('data', (chunk: Buffer) => {
      this.stdout += chunk.toString('utf8');
      this.#printed.emit('text');
    });
    this.child.stderr.on('data', (chunk: Buffer) => {
      this.stderr += chunk.toString('utf8');
    });
    // A process that ends without reading its input is no failure of the test.
    this.child.stdin.on('error', () => undefined);
    this.child.stdin.end(options.stdin ?? '');
    this.ended = new Promise((resolve, reject) => {
      this.child.on('error', reject);
      this.child.on('close', (code) => {
        resolve({ code, stdout: this.stdout, stderr: this.stderr });
      });
    });
  }

  /** Waits until standard output holds the text. */
  async printed(text: string): Promise<void> {
    const waiting = async (): Promise<void> => {
      while (!this.stdout.includes(text)) await once(this.#printed, 'text');
    };
    await whileRunning(this, waiting());
  }
}

/** Waits for an event, and fails with what the process said if it ends before that. */
export async function whileRunning(nervix: NervixProcess, event: Promise<unknown>): Promise<void> {
  const end = nervix.ended.then((result) => {
    throw new Error(`nervix ended early: ${JSON.stringify(result)}`);
  });
  // The process is to end later; then nobody waits for it here any more.
  end.catch(() => undefined);
  await Promise.race([event, end]);
}

/** Runs `nervix` to its end. */
export function runNervix(
  args: readonly string[],
  options: NervixOptions = {},
): Promise<NervixResult> {
  return new NervixProcess(args, options).ended;
}
