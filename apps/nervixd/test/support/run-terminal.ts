import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { NervixdProcess } from '@nervix/testkit';
import { expect, onTestFinished } from 'vitest';
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

/** A terminal client that stays, and is typed to. */
export interface Terminal {
  /** Waits until the text is printed behind what was waited for before, on either stream. */
  see(text: string): Promise<void>;
  type(line: string): void;
  /** Ends the input, and gives the exit code. */
  leave(): Promise<unknown>;
  readonly pid: number | undefined;
}

/** Starts the built terminal client as a dialogue over pipes. */
export function openTerminal(
  { addresses }: NervixdProcess,
  args: readonly string[] = [],
): Terminal {
  const child = spawn(process.execPath, [bin, '--server', addresses.session, ...args], {
    env: { NERVIX_PASSWORD: PASSWORD },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = new Promise((resolve) => child.on('close', resolve));
  let printed = '';
  let from = 0;
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      printed += chunk.toString('utf8');
    });
  }
  return {
    pid: child.pid,
    see: async (text) => {
      await expect.poll(() => printed.slice(from), { timeout: 20_000 }).toContain(text);
      from = printed.indexOf(text, from) + text.length;
    },
    type: (line) => void child.stdin.write(`${line}\n`),
    leave: () => {
      child.stdin.end();
      return ended;
    },
  };
}
