import { closeSync, openSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startCommandServer } from './support/command-server.js';
import {
  completed,
  FakeServer,
  opened,
  sendError,
  sendJson,
  sendRecords,
  unusedPort,
} from './support/fake-server.js';
import { NervixProcess, runNervix, whileRunning } from './support/run-nervix.js';

test('0: a statement that succeeds prints its text (CL-81, CL-87)', async () => {
  await using server = await startCommandServer();
  const result = await runNervix(['--server', server.url, '--command', 'STOP;']);
  expect(result).toEqual({ code: 0, stdout: 'done: stop\n', stderr: '' });
  expect(server.commands).toMatchObject([{ query: 'STOP;', domain: 'default' }]);
});

test('0: version and help contact nobody (CL-80)', async () => {
  const version = await runNervix(['--version']);
  expect(version).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  const help = await runNervix(['--help']);
  expect(help).toMatchObject({ code: 0, stdout: expect.stringContaining('--execution-reference') });
});

test('1: a refused statement is reported at its place (CL-71, CL-81, CL-87)', async () => {
  await using server = await startCommandServer();
  const text = 'START;\nCREATE RELAY orders SCHEMA bad UNBRANCHED;\nSTOP;\n';
  const result = await runNervix(['--server', server.url, '--file', '-'], { stdin: text });
  expect(result).toEqual({
    code: 1,
    stdout: 'done: start\n',
    stderr:
      "stdin:2:28: schema 'bad' does not exist\n" +
      '  2 | CREATE RELAY orders SCHEMA bad UNBRANCHED;\n' +
      '    |                            ^^^\n',
  });
});

test('1: syntax errors are all reported before anything is sent (CL-81)', async () => {
  await using server = await startCommandServer();
  const text = 'STOP;\nCREATE NOTHING here;\nSTART;\nDROP;\n';
  const result = await runNervix(['--server', server.url, '--file', '-'], { stdin: text });
  expect(result.code).toBe(1);
  expect(result.stdout).toBe('');
  expect(result.stderr).toMatch(/^stdin:2:8: /m);
  expect(result.stderr).toMatch(/^stdin:4:5: /m);
  expect(server.requests).toHaveLength(0);
});

test.each([
  ['an unknown flag', ['--nonsense']],
  ['an unknown subcommand', ['nonsense']],
  ['two modes', ['--command', 'STOP', '--file', '-']],
  ['a bad format', ['--format', 'xml', '--command', 'STOP']],
  ['a bad timeout', ['--timeout', 'soon', '--command', 'STOP']],
  ['a bad server', ['--server', 'nonsense', '--command', 'STOP']],
  ['a bad rate', ['subscribe', 's', 'orders', '--batch-sample-rate', '2']],
  ['a bad predicate', ['subscribe', 's', 'orders', '--where', 'total >']],
  ['a predicate that is more than one', ['subscribe', 's', 'orders', '--where', 'a > 1; STOP']],
  ['a reference for two statements', ['--execution-reference', 'r', '--command', 'STOP; START']],
])('2: %s is a usage error (CL-87)', async (_name, args) => {
  const result = await runNervix(args);
  expect(result.code).toBe(2);
  expect(result.stderr).not.toBe('');
});

test('2: without a password and a terminal there is nothing to ask (CL-80)', async () => {
  const result = await runNervix(['--command', 'STOP'], { env: { NERVIX_PASSWORD: undefined! } });
  expect(result).toMatchObject({ code: 2, stderr: expect.stringContaining('NERVIX_PASSWORD') });
});

test('3: a refused connection is tried again, then reported (CL-87)', async () => {
  const server = `http://127.0.0.1:${await unusedPort()}`;
  const args = ['--server', server, '--timeout', '2s', '--format', 'json', '--command', 'STOP'];
  const result = await runNervix(args);
  expect(result.code).toBe(3);
  expect(JSON.parse(result.stdout)).toMatchObject({ error: { code: 'CONNECTION_FAILED' } });
  expect(result.stderr).toContain('ECONNREFUSED');
});

test('3: refused credentials are not tried again (CL-6, CL-87)', async () => {
  await using server = await FakeServer.start((_request, response) =>
    sendError(response, 'UNAUTHENTICATED', 'no'),
  );
  const result = await runNervix(['--server', server.url, '--command', 'STOP']);
  expect(result).toMatchObject({ code: 3, stderr: expect.stringContaining("user 'default'") });
  expect(server.requests).toHaveLength(1);
});

test('4: an unknown outcome names its reference, which finds the outcome (CL-85, CL-87)', async () => {
  let isAnswering = false;
  await using server = await FakeServer.start((request, response) => {
    if (isAnswering) sendJson(response, 200, completed(request, 'stopped'));
    else response.destroy();
  });
  const base = ['--server', server.url, '--format', 'json', '--command', 'STOP'];
  const uncertain = await runNervix([...base, '--timeout', '2s']);
  expect(uncertain.code).toBe(4);
  const { error } = JSON.parse(uncertain.stdout);
  expect(error).toMatchObject({
    code: 'OUTCOME_UNKNOWN',
    execution_reference: server.references[0],
  });
  expect(uncertain.stderr).toContain(`--execution-reference ${error.execution_reference}`);
  isAnswering = true;
  const settled = await runNervix([...base, '--execution-reference', error.execution_reference]);
  expect(settled.code).toBe(0);
  expect(new Set(server.references).size).toBe(1);
});

test('5: a file that cannot be read (CL-87)', async () => {
  const result = await runNervix(['--file', 'missing.nspl'], { cwd: import.meta.dirname });
  expect(result).toMatchObject({ code: 5, stderr: expect.stringContaining('missing.nspl') });
});

test('5: a script that is not UTF-8 is not sent (CL-87)', async () => {
  await using server = await startCommandServer();
  const folder = await mkdtemp(join(tmpdir(), 'nervix-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const start = Buffer.from('STOP; // \ufffd grün\n');
  await writeFile(join(folder, 'a.nspl'), Buffer.concat([start, Buffer.from([0xe2, 0x28, 0x3b])]));
  const args = ['--server', server.url, '--file', 'a.nspl'];
  const result = await runNervix(args, { cwd: folder });
  expect(result).toMatchObject({
    code: 5,
    stderr: `error: cannot read a.nspl: byte ${start.length} is not valid UTF-8\n`,
  });
  expect(server.requests).toHaveLength(0);
});

test('0: a byte order mark is no part of a script (CL-81)', async () => {
  await using server = await startCommandServer();
  const result = await runNervix(['--server', server.url, '--file', '-'], {
    stdin: '\ufeffSTOP;',
  });
  expect(result).toEqual({ code: 0, stdout: 'done: stop\n', stderr: '' });
  expect(server.commands[0]?.query).toBe('STOP;');
});

test('5: output that cannot be written says so (CL-87)', async () => {
  await using server = await startCommandServer();
  // A descriptor for reading refuses every write, on every system.
  const unwritable = openSync(import.meta.filename, 'r');
  onTestFinished(() => closeSync(unwritable));
  const args = ['--server', server.url, '--command', 'STOP'];
  const result = await runNervix(args, { stdout: unwritable });
  expect(result).toMatchObject({ code: 5, stderr: expect.stringContaining('EBADF') });
});

test('6: a denied statement (CL-7, CL-87)', async () => {
  await using server = await FakeServer.start((_request, response) =>
    sendError(response, 'PERMISSION_DENIED', 'user may not stop'),
  );
  const result = await runNervix(['--server', server.url, '--command', 'STOP']);
  expect(result).toMatchObject({ code: 6, stderr: expect.stringContaining('user may not stop') });
});

test('130: an interrupted statement reverts its transaction (CL-81, CL-87)', async () => {
  const status = {
    id: 'tx-1',
    domain: 'shop',
    state: 'Open',
    accepted_operations: 0,
    applied_operations: 0,
  };
  let isStopWaiting: (() => void) | undefined;
  const stopWaiting = new Promise<void>((resolve) => {
    isStopWaiting = resolve;
  });
  await using server = await FakeServer.start((request, response) => {
    const { query } = request.command;
    if (query.startsWith('STOP')) isStopWaiting?.();
    else sendJson(response, 200, completed(request, query, { transaction: status }));
  });
  const nervix = new NervixProcess(['--server', server.url, '--command', 'BEGIN; STOP; COMMIT;']);
  await whileRunning(nervix, stopWaiting);
  nervix.child.kill('SIGINT');
  const result = await nervix.ended;
  expect(result.code).toBe(130);
  expect(result.stderr).toContain(server.references[1]);
  expect(server.commands.map(({ query }) => query)).toEqual(['BEGIN', 'STOP;', 'REVERT']);
});

test('0: Ctrl-C detaches from a subscription (CL-82, CL-87)', async () => {
  await using server = await FakeServer.start((_request, response) =>
    sendRecords(response, [opened, { row: { id: 1, total: 2.5 } }]),
  );
  const args = ['--server', server.url, '--domain', 'shop', 'subscribe', 's', 'orders'];
  const nervix = new NervixProcess(args);
  await nervix.printed('{"id":1,"total":2.5}\n');
  nervix.child.kill('SIGINT');
  expect(await nervix.ended).toEqual({ code: 0, stdout: '{"id":1,"total":2.5}\n', stderr: '' });
});

test('3: a subscription that breaks off (CL-87)', async () => {
  await using server = await FakeServer.start((_request, response) => {
    sendRecords(response, [opened]);
    response.end();
  });
  const result = await runNervix(['--server', server.url, 'subscribe', 's', 'orders']);
  expect(result).toMatchObject({ code: 3, stderr: expect.stringContaining('broke off') });
});
