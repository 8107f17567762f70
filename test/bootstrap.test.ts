import { spawn } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';
import { root } from './support/tree.js';

interface Outcome {
  readonly code: number | null;
  readonly output: string;
}

function runScript(name: string, ...args: string[]): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [path.join(root, 'scripts', name), ...args]);
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output }));
  });
}

test('a bootstrap of a tree that is already up does nothing and says nothing', async () => {
  await expect(runScript('bootstrap.mjs', 'toolchain')).resolves.toEqual({ code: 0, output: '' });
});

test('a bootstrap refuses a stage that it does not know, without a stack trace', async () => {
  const outcome = await runScript('bootstrap.mjs', 'everything');
  expect(outcome.code).toBe(1);
  expect(outcome.output).toMatch(/^\[nervix\] error: usage: [^\n]*\n$/);
});

test('installed commands run under the pinned Node, whichever Node starts them', async () => {
  const pinned = await runScript('run-pnpm.mjs', 'exec', 'node', '--version');
  expect(pinned).toEqual({ code: 0, output: `${process.version}\n` });
});
