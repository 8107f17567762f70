import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type NervixdProcess, runNervixd, startNervixd } from '@nervix/testkit';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';

let dbPath: string;
const started: NervixdProcess[] = [];

beforeEach(() => {
  dbPath = mkdtempSync(path.join(tmpdir(), 'nervixd-'));
});

afterEach(async () => {
  await Promise.all(started.splice(0).map((node) => node.kill9()));
  rmSync(dbPath, { recursive: true, force: true });
});

async function start(settings: Partial<Parameters<typeof startNervixd>[0]> = {}) {
  const node = await startNervixd({ dbPath, ...settings });
  started.push(node);
  return node;
}

function signIn(node: NervixdProcess, password = node.password): Promise<Response> {
  const credentials = Buffer.from(`default:${password}`).toString('base64');
  const headers = { authorization: `Basic ${credentials}` };
  return fetch(`${node.addresses.session}/api/v1/domains`, { headers });
}

describe('start', () => {
  test('CL-115, CL-102: a node without options is live, ready and serves its API', async () => {
    const node = await start();
    const places = ['livez', 'healthz', 'readyz', 'readyz?admitted=1&shutdown=1', 'metrics'];
    for (const place of places) {
      const response = await fetch(`${node.addresses.observability}/${place}`);
      expect(response.status, place).toBe(200);
    }
    expect((await signIn(node)).status).toBe(200);
    expect((await signIn(node, 'wrong')).status).toBe(401);
    expect(await node.stop()).toEqual({ code: 0, signal: null });
  });

  test('CL-116: the generated password is shown once, on stdout only', async () => {
    const first = await start();
    expect(first.password).toMatch(/^[A-Za-z0-9]{24}$/);
    expect(first.stdoutLines[0]).toBe(
      `created user 'default' with password '${first.password}' ` +
        '(shown once; set NERVIX_INIT_DEFAULT_USER_PASSWORD to choose it)',
    );
    await first.stop();
    expect(first.stderrLines.join('\n')).not.toContain(first.password);
    const second = await start();
    expect(second.password).toBeUndefined();
    expect(second.stdoutLines).toHaveLength(1);
    expect((await signIn(second, first.password)).status).toBe(200);
  });

  test('CL-116, CL-103: a chosen password is never printed', async () => {
    const canary = 'canary-4711-canary';
    const node = await start({ env: { NERVIX_INIT_DEFAULT_USER_PASSWORD: canary } });
    expect((await signIn(node)).status).toBe(200);
    await node.stop();
    expect([...node.stdoutLines, ...node.stderrLines].join('\n')).not.toContain(canary);
  });

  test.each(['addr', 'http-listen-addr', 'observability-listen-addr'])(
    'CL-104, CL-116: a taken --%s is exit 1 with a logged reason, and makes no user',
    async (flag) => {
      const node = await start();
      const other = mkdtempSync(path.join(tmpdir(), 'nervixd-'));
      onTestFinished(() => rmSync(other, { recursive: true, force: true }));
      const taken = new URL(node.addresses.session).host;
      const addresses = ['addr', 'http-listen-addr', 'observability-listen-addr'].flatMap(
        (name) => [`--${name}`, name === flag ? taken : '127.0.0.1:0'],
      );
      const run = await runNervixd(['--db-path', other, ...addresses]);
      expect([run.code, run.stdout]).toEqual([1, '']);
      const { message } = JSON.parse(run.stderr.trim().split('\n').at(-1) ?? '');
      expect(message).toMatch(/^the node could not start: .*EADDRINUSE/);
      expect(message).toContain(taken);
      const next = await start({ dbPath: other });
      expect((await signIn(next)).status).toBe(200);
    },
  );
});

describe('stop', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)('CL-104: %s is exit 0', async (signal) => {
    const node = await start();
    node.signal(signal);
    expect(await node.exit).toEqual({ code: 0, signal: null });
    expect(node.stderrLines.join('\n')).toContain(
      'termination signal received; requesting graceful shutdown',
    );
    const phases = node.stderrLines
      .map((line) => JSON.parse(line) as { readonly message: string; readonly outcome?: string })
      .filter(({ message }) => message.startsWith('shutdown '));
    expect(phases.map(({ message, outcome }) => `${message} ${outcome}`)).toEqual([
      'shutdown admission phase finished Completed',
      'shutdown drain-support phase finished Completed',
      'shutdown terminal-teardown phase finished Completed',
    ]);
  });

  test('a killed node starts again on its folder', async () => {
    const first = await start();
    const { password } = first;
    expect(await first.kill9()).toEqual({ code: null, signal: 'SIGKILL' });
    const second = await start();
    expect((await signIn(second, password)).status).toBe(200);
  });

  test('CL-103: every line of the log is JSON that names the node', async () => {
    const node = await start({ args: ['--node-id', 'node-7'] });
    await node.stop();
    expect(node.stderrLines.length).toBeGreaterThan(0);
    const { incarnation } = JSON.parse(node.stderrLines[0] ?? '{}') as { incarnation: unknown };
    expect(incarnation).toMatch(/^[0-9a-f-]{36}$/);
    for (const line of node.stderrLines) {
      const level = expect.any(String);
      expect(JSON.parse(line)).toMatchObject({ node: 'node-7', incarnation, level });
    }
  });
});

describe('CL-106: options', () => {
  test.each([
    [['--node-id'], '--node-id'],
    [['--no-such-option'], '--no-such-option'],
    [['--observability-listen-addr', '0.0.0.0:0'], '--observability-listen-addr'],
    [['--interconnect-listen-addr', '127.0.0.1:1'], '--interconnect-listen-addr'],
  ])('%j is exit 2 and names the option', async (args, option) => {
    const run = await runNervixd(args);
    expect(run.code).toBe(2);
    expect(run.stdout).toBe('');
    expect(run.stderr).toMatch(new RegExp(`^nervixd: ${option}: `));
  });

  test('a bad variable is exit 2 and named', async () => {
    const run = await runNervixd([], { NERVIX_DRAIN_TIMEOUT: 'soon' });
    expect([run.code, run.stderr]).toEqual([2, expect.stringContaining('NERVIX_DRAIN_TIMEOUT')]);
  });

  test('--print-config shows the settings in force without secrets', async () => {
    const env = { NERVIX_INIT_DEFAULT_USER_PASSWORD: 'canary', NERVIX_LOG: 'warn' };
    const run = await runNervixd(['--print-config', '--node-id', 'n'], env);
    expect(run.code).toBe(0);
    expect(run.stdout).toContain('--node-id=n  # flag');
    expect(run.stdout).toContain('--log=warn  # env');
    expect(run.stdout).toContain('--init-default-user-password=<redacted>');
    expect(run.stdout).not.toContain('canary');
  });

  test('--version and --help print to stdout', async () => {
    expect((await runNervixd(['--version'])).stdout).toMatch(/^nervixd \d+\.\d+\.\d+$/);
    expect((await runNervixd(['--help'])).stdout).toMatch(/^Usage: nervixd/);
  });
});
