import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** How a child process ended. */
export interface ChildEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** What it wrote to standard error. */
  readonly errors: string;
}

/**
 * Runs a script in a Node process of its own and gives every line of its output to
 * `onLine`. Resolves when the process has ended and everything it wrote was read.
 */
export async function runChild(
  script: URL,
  args: readonly string[],
  onLine: (line: string, child: ChildProcess) => void,
): Promise<ChildEnd> {
  const file = fileURLToPath(script);
  const child = spawn(process.execPath, ['--no-warnings', file, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    errors += chunk;
  });
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => onLine(line, child));
  const linesEnd = new Promise<void>((resolve) => lines.once('close', resolve));
  const end = new Promise<Omit<ChildEnd, 'errors'>>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
  const [ended] = await Promise.all([end, linesEnd]);
  return { ...ended, errors };
}
