import { spawn } from 'node:child_process';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { scratchFolder } from './support/scratch-node.ts';

const wrapper = path.join(import.meta.dirname, '..', '..', '..', 'scripts', 'nervixd.mjs');
const FREE = ['--addr', '--http-listen-addr', '--observability-listen-addr'];
const CTRL_C = '\u0003';

/** A shell command line of words that hold no quote. */
function commandLine(words: readonly string[]): string {
  return words.map((word) => `'${word}'`).join(' ');
}

test('CL-104, SB-4: one Ctrl-C at a terminal is one request to stop', async () => {
  const flags = ['--db-path', scratchFolder(), ...FREE.flatMap((flag) => [flag, '127.0.0.1:0'])];
  // A shell that stays would get the Ctrl-C too, and some of them end by it whatever the node says.
  const command = `exec ${commandLine([process.execPath, wrapper, ...flags])}`;
  // `script` gives the command a terminal, which sends Ctrl-C to all processes in front of it.
  const terminal = spawn('script', ['-qec', command, '/dev/null'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => {
    terminal.kill('SIGKILL');
  });
  let output = '';
  await new Promise<void>((resolve, reject) => {
    terminal.once('error', reject);
    terminal.once('exit', () => reject(new Error(output)));
    terminal.stdout.on('data', (chunk) => {
      output += String(chunk);
      if (/nervixd ready: .* pid \d+/.test(output)) resolve();
    });
  });
  const exited = new Promise((resolve) => terminal.once('exit', resolve));
  terminal.stdin.write(CTRL_C);
  expect(await exited, output).toBe(0);
  expect(output).toContain('requesting graceful shutdown');
  expect(output).not.toContain('repeated termination signal');
});
