import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const bin = fileURLToPath(new URL('../../bin/nervix.js', import.meta.url));

/** Runs the built command to its end. */
export async function runBuilt(
  args: readonly string[],
  stdin = '',
): Promise<{ readonly code: unknown; readonly stdout: string }> {
  const child = spawn(process.execPath, [bin, ...args], {
    env: { NERVIX_PASSWORD: 'secret' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(stdin);
  let stdout = '';
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString('utf8');
  });
  const code = await new Promise((resolve) => child.on('close', resolve));
  return { code, stdout };
}
