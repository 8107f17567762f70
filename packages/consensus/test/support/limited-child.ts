import { execFileSync, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A process whose files cannot grow beyond a limit, until that is lifted. */
export interface LimitedChild {
  /** Lets its files grow, as when a full disk has space again, and tells it so. */
  lift(): void;
}

/**
 * Runs a script whose files may have at most so many KiB: further appends fail as on a full disk.
 * Gives every line of its output to `onLine`; resolves with its exit code.
 */
export async function runLimited(
  script: URL,
  args: readonly string[],
  limitKib: number,
  onLine: (line: string, child: LimitedChild) => void,
): Promise<number | null> {
  const shell = 'trap "" XFSZ; ulimit -S -f "$0"; exec "$@"';
  const node = [process.execPath, '--no-warnings', fileURLToPath(script), ...args];
  const child = spawn('bash', ['-c', shell, String(limitKib), ...node], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const limited: LimitedChild = {
    lift: () => {
      execFileSync('prlimit', ['--pid', String(child.pid), '--fsize=unlimited']);
      child.stdin.write('lifted\n');
    },
  };
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => onLine(line, limited));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
}
