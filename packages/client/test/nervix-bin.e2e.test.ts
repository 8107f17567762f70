import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { startCommandServer } from './support/command-server.js';

const bin = fileURLToPath(new URL('../bin/nervix.js', import.meta.url));

/** Runs the built command to its end. */
async function runBuilt(
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

test('the built command runs a statement (CL-81, CL-87)', async () => {
  await using server = await startCommandServer();
  const result = await runBuilt(['--server', server.url, '--command', 'STOP']);
  expect(result).toEqual({ code: 0, stdout: 'done: stop\n' });
});

test('the built command formats a script (CL-89)', async () => {
  const result = await runBuilt(['format', '-'], 'begin;// x\n use  D');
  expect(result).toEqual({ code: 0, stdout: 'BEGIN; // x\nUSE d;\n' });
});
