import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { NervixdProcess } from '@nervix/testkit';
import { PASSWORD } from './scratch-node.ts';

const bin = fileURLToPath(new URL('../../../../packages/client/bin/nervix.js', import.meta.url));

/** Runs the built terminal client against a node, to its end. */
export async function runTerminal(
  { addresses }: NervixdProcess,
  args: readonly string[],
  stdin = '',
): Promise<{ readonly code: unknown; readonly stdout: string }> {
  const child = spawn(process.execPath, [bin, '--server', addresses.session, ...args], {
    env: { NERVIX_PASSWORD: PASSWORD },
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
