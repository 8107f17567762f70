import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { TEST_CERTIFICATES } from '@nervix/testkit';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { CliMode } from '../src/cli/invocation.js';
import { readInvocation } from '../src/cli/options.js';
import { startCommandServer } from './support/command-server.js';
import { unusedPort } from './support/fake-server.js';
import { runNervix } from './support/run-nervix.js';
import { completedOutcome, FakeSessionServer } from './support/session/fake-session-server.js';

/** What arguments are read as. */
function modeOf(args: readonly string[]): CliMode {
  const ignored = { out: () => undefined, err: () => undefined };
  return readInvocation(args, '1.0.0', ignored).mode;
}

describe('subcommands that stand for a statement (CL-82)', () => {
  test.each([
    [
      ['explain', 'CREATE RELAY a SCHEMA b UNBRANCHED'],
      'EXPLAIN CREATE RELAY a SCHEMA b UNBRANCHED',
    ],
    [['transactions'], 'SHOW TRANSACTIONS'],
    [['cordon-node', 'node-1'], 'CORDON NODE node-1'],
    [['uncordon-node', 'node-1'], 'UNCORDON NODE node-1'],
    [['drain-node', 'node-1.rack-2'], 'DRAIN NODE node-1.rack-2'],
    [['remove-node', 'node-1'], 'DROP NODE node-1'],
    [['rebalance'], 'REBALANCE'],
    [
      ['rebalance', '--describe', '--domain-only', 'shop', '--max-moves', '3'],
      'DESCRIBE REBALANCE DOMAIN shop MAX MOVES 3',
    ],
  ])('%j sends %j', (args, query) => {
    expect(modeOf(args)).toEqual({ kind: 'command', text: query, label: args[0] });
  });

  test.each([
    ['another statement behind it', ['cordon-node', 'node-1; DROP DOMAIN shop']],
    ['another kind of statement', ['explain', 'PLACEMENT near']],
    ['no statement', ['drain-node', '-']],
  ])('%s is a usage error', (_name, args) => {
    expect(() => modeOf(args)).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENTS' }));
  });

  test('what it sends is run, and reported under its name', async () => {
    await using server = await startCommandServer();
    const result = await runNervix([
      '--server',
      server.url,
      'explain',
      'CREATE RELAY a SCHEMA bad UNBRANCHED',
    ]);
    expect(result.code).toBe(1);
    expect(result.stderr).toContain("explain:1:31: schema 'bad' does not exist");
  });
});

describe('--suggest (CL-80, CL-81)', () => {
  test('prints what a text may become, and leaves', async () => {
    await using server = await FakeSessionServer.start({
      request: (session, id, request) => {
        if (request.t !== 'SuggestRequest') return;
        const edit = { start: 0, end: request.cursor, replacement: 'START' };
        session.reply(id, {
          t: 'SuggestOutcome',
          status: 'Ready',
          suggestions: [{ value: 'START', kind: 'Text', edit }],
        });
      },
    });
    const args = ['--server', server.url, '--suggest', 'ST and more', '--cursor', '2'];
    expect(await runNervix(args)).toEqual({ code: 0, stdout: 'START\n', stderr: '' });
    expect(server.of('SuggestRequest')).toEqual([
      { t: 'SuggestRequest', input: 'ST and more', cursor: 2, domain: 'default', page_size: 100 },
    ]);
    const json = await runNervix([...args, '--format', 'json']);
    expect(JSON.parse(json.stdout)).toEqual({
      suggestions: [
        { value: 'START', kind: 'Text', edit: { start: 0, end: 2, replacement: 'START' } },
      ],
    });
  });

  test('a cursor without a text is a usage error', async () => {
    expect((await runNervix(['--cursor', '2', '--command', 'STOP'])).code).toBe(2);
  });
});

describe('addresses (CL-8, CL-46, CL-80)', () => {
  test('--tls required refuses addresses without TLS', async () => {
    const result = await runNervix(['--tls', 'required', '--command', 'STOP']);
    expect(result).toMatchObject({ code: 2, stderr: expect.stringContaining('https') });
    const seed = ['--server', 'https://a.example', '--seed', 'http://b.example'];
    expect((await runNervix(['--tls', 'required', ...seed, '--command', 'STOP'])).code).toBe(2);
  });

  test('--seed names nodes for a server that is gone', async () => {
    await using server = await startCommandServer();
    const gone = `http://127.0.0.1:${await unusedPort()}`;
    const args = ['--server', gone, '--seed', server.url, '--file', '-'];
    expect(await runNervix(args, { stdin: 'STOP;' })).toEqual({
      code: 0,
      stdout: 'done: stop\n',
      stderr: '',
    });
  });

  test('--tls-ca-cert trusts an authority besides the known ones, for requests and sessions', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'nervix-tls-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const { authority, serverCertificate: cert, serverKey: key } = TEST_CERTIFICATES;
    const file = path.join(folder, 'ca.pem');
    writeFileSync(file, authority);
    await using server = await FakeSessionServer.start(
      {
        http: (_message, response) => {
          response.writeHead(200, { 'content-type': 'application/json' }).end('{"domains":[]}');
        },
        request: (session, id, request) => {
          if (request.t === 'CommandRequest') session.reply(id, completedOutcome(request));
        },
      },
      { cert, key },
    );
    const args = ['--server', server.url, '--timeout', '5s'];
    const trusting = ['--tls', 'required', '--tls-ca-cert', file, ...args];
    expect((await runNervix([...args, 'domains'])).code).toBe(3);
    expect((await runNervix([...args, '--file', '-'], { stdin: 'STOP;' })).code).toBe(3);
    expect((await runNervix([...trusting, 'domains'])).code).toBe(0);
    expect(await runNervix([...trusting, '--file', '-'], { stdin: 'STOP;' })).toEqual({
      code: 0,
      stdout: 'done: STOP;\n',
      stderr: '',
    });
  });
});

describe('completions (CL-82)', () => {
  const scriptOf = (shell: string): string => {
    const mode = modeOf(['completions', shell]);
    return mode.kind === 'completions' ? mode.script : '';
  };

  test.each(['bash', 'elvish', 'fish', 'powershell', 'zsh'])('%s gets a script', (shell) => {
    for (const word of ['subscribe', 'explain', '--server', '--batch-sample-rate']) {
      expect(scriptOf(shell)).toContain(word);
    }
  });

  test('a script is printed without a server or a password', async () => {
    const { code, stdout } = await runNervix(['completions', 'bash'], {
      env: { NERVIX_PASSWORD: '' },
    });
    expect([code, stdout]).toEqual([0, scriptOf('bash')]);
  });

  test('bash completes subcommands, and then their flags', () => {
    const offers = (words: string): string[] => {
      const run = `${scriptOf('bash')}\nCOMP_WORDS=(${words}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
_nervix; printf '%s\\n' "\${COMPREPLY[@]}"`;
      return spawnSync('bash', ['-c', run], { encoding: 'utf8' }).stdout.trim().split('\n');
    };
    expect(offers('nervix subs')).toEqual(['subscribe']);
    expect(offers('nervix --domain shop subscribe --bl')).toEqual(['--blocking']);
    expect(offers('nervix rebalance --max')).toEqual(['--max-moves']);
  });

  test('a shell that is not known is refused', () => {
    expect(() => modeOf(['completions', 'tcsh'])).toThrow('tcsh');
  });
});
