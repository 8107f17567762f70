import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';

const program = path.join(import.meta.dirname, '..', 'run.mjs');
const SUM = /^ {2}(\d+) \+ (\d+) \+ (\d+) = (\d+): it adds up$/m;

/** Runs the example to its end and gives what it printed. */
function runExample(
  args: readonly string[] = [],
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const collect = (chunk: unknown): void => {
      output += String(chunk);
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.once('error', reject);
    // Not `close`: a node that is kept may outlive the example.
    child.once('exit', (code) => resolve({ code, output }));
  });
}

function expectSuccess({ code, output }: { code: number | null; output: string }): void {
  expect(code, output).toBe(0);
  const [, delivered, filtered, errored, received] = SUM.exec(output) ?? [];
  expect(Number(delivered) + Number(filtered) + Number(errored), output).toBe(Number(received));
  expect(Number(delivered)).toBeGreaterThan(10_000);
  expect(Number(filtered)).toBeGreaterThan(0);
  expect(Number(errored)).toBeGreaterThan(0);
  const alerts = /Alerts at the desk: +(\d+) of (\d+) flights/.exec(output);
  expect(alerts?.[1]).toBe(alerts?.[2]);
  expect(Number(alerts?.[1])).toBeGreaterThan(0);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test('the flights example accounts for every record, also while another node has its ports', async () => {
  const kept = await runExample(['--keep']);
  const pid = Number(/end it with: kill (\d+)/.exec(kept.output)?.[1]);
  onTestFinished(() => {
    if (isAlive(pid)) process.kill(pid, 'SIGKILL');
  });
  expectSuccess(kept);
  expect(isAlive(pid), '--keep leaves the node running').toBe(true);

  expectSuccess(await runExample());

  const [, endpoint = ''] = /curl -i (http:\S+)/.exec(kept.output) ?? [];
  const post = await fetch(endpoint, { method: 'POST', body: '{"departed_at":1}' });
  expect(post.status, 'the kept node still serves').toBe(422);
  process.kill(pid, 'SIGTERM');
  for (let tries = 0; tries < 500 && isAlive(pid); tries += 1) await delay(20);
  expect(isAlive(pid), 'the printed command ends it').toBe(false);
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('%s ends the example and its node', async (signal, status) => {
  const child = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  let output = '';
  child.stderr.on('data', (chunk) => {
    output += String(chunk);
  });
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      output += String(chunk);
      if (output.includes('Replaying')) resolve();
    });
    child.once('exit', () => reject(new Error(output)));
  });
  const folder = path.join(
    import.meta.dirname,
    '..',
    '..',
    '..',
    '.nervix',
    `flights-${child.pid}`,
  );
  const pid = Number(readFileSync(path.join(folder, 'nervixd.pid'), 'utf8'));
  expect(isAlive(pid)).toBe(true);
  child.kill(signal);
  expect(await exited, output).toBe(status);
  expect(isAlive(pid), 'the node has ended').toBe(false);
  expect(output).not.toContain('flights:');
});
