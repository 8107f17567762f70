import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const hooks = new URL('source-hooks.mjs', import.meta.url).href;
const entry = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

export interface NervixOptions {
  readonly env?: Record<string, string>;
  readonly stdin?: string;
  readonly cwd?: string;
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

  constructor(args: readonly string[], options: NervixOptions = {}) {
    const { PATH = '' } = process.env;
    this.child = spawn(process.execPath, ['--import', hooks, entry, ...args], {
      cwd: options.cwd,
      env: { PATH, NERVIX_PASSWORD: 'secret', ...options.env },
    });
    this.child.stdout.on('data', (chunk: Buffer) => {
      this.stdout += chunk.toString('utf8');
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
}

/** Runs `nervix` to its end. */
export function runNervix(
  args: readonly string[],
  options: NervixOptions = {},
): Promise<NervixResult> {
  return new NervixProcess(args, options).ended;
}
