import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { startCommandServer } from './support/command-server.js';

const bin = fileURLToPath(new URL('../bin/nervix.js', import.meta.url));

test('the built command runs a statement (CL-81, CL-87)', async () => {
  await using server = await startCommandServer();
  const child = spawn(process.execPath, [bin, '--server', server.url, '--command', 'STOP'], {
    env: { NERVIX_PASSWORD: 'secret' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let stdout = '';
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString('utf8');
  });
  const code = await new Promise((resolve) => child.on('close', resolve));
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'done: stop\n' });
});
