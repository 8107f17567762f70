import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const script = fileURLToPath(new URL('../support/thread-log-scenarios.ts', import.meta.url));

/** What a process that ran a scenario has to complain of, and how it ended. */
async function run(scenario: string): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'nervix-thread-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const child = spawn(process.execPath, ['--no-warnings', script, scenario, folder], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    errors += chunk;
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  return `${errors}ended with ${String(code)}`;
}

test('CS-1: a log in a thread answers like one without, and each opens the store of the other', async () => {
  expect(await run('answers')).toBe('ended with 0');
});

test('CS-1: a busy main thread delays the log that it runs, and not one in a thread', async () => {
  expect(await run('busy')).toBe('ended with 0');
});
