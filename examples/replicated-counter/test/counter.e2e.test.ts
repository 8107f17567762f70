import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';

vi.setConfig({ testTimeout: 120_000 });

const SCRIPT = fileURLToPath(new URL('../counter.mjs', import.meta.url));

/** One process, and what it said last. */
class Counter {
  readonly child: ChildProcess;
  role = '';
  count = 0;
  errors = '';

  constructor(number: number, folder: string, ...rest: readonly string[]) {
    mkdirSync(join(folder, `node-${number}`), { recursive: true });
    this.child = spawn(process.execPath, [SCRIPT, String(number), folder, ...rest]);
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      const [role = '', count = '0'] = text.trim().split('\n').at(-1)?.split(' ') ?? [];
      this.role = role;
      this.count = Number(count);
    });
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.errors += text;
    });
  }

  async end(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const exited = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await exited;
  }
}

async function until(isMet: () => boolean, what: string): Promise<void> {
  const deadline = performance.now() + 40_000;
  while (!isMet()) {
    if (performance.now() > deadline) throw new Error(`${what} did not come about in time`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

test('CS-128 CS-125 three processes count together and go on without the one that led', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'nervix-counter-'));
  const counters = [
    new Counter(1, folder, 'found'),
    new Counter(2, folder),
    new Counter(3, folder),
  ];
  onTestFinished(async () => {
    await Promise.all(counters.map((it) => it.end()));
    rmSync(folder, { recursive: true, force: true });
  });
  const [first, ...others] = counters;
  await until(() => counters.every(({ count }) => count >= 40), 'the count of all three');
  expect(first?.role).toBe('leader');
  await first?.end();
  await until(() => others.some(({ role }) => role === 'leader'), 'another leader');
  const before = Math.max(...others.map(({ count }) => count));
  await until(() => others.every(({ count }) => count >= before + 10), 'the count of the others');
  rmSync(join(folder, 'node-1'), { recursive: true });
  const again = new Counter(1, folder);
  counters.push(again);
  const missed = Math.max(...others.map(({ count }) => count));
  await until(() => again.count >= missed + 10, 'the count of the one that lost its disk');
  expect([again, ...others].filter(({ role }) => role === 'leader')).toHaveLength(1);
  expect([again, ...others].map(({ errors }) => errors).join('')).toBe('');
});
