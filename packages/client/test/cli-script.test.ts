import type { TransactionStatus } from '@nervix/protocol';
import { expect, test } from 'vitest';
import { startCommandServer } from './support/command-server.js';
import {
  completed,
  FakeServer,
  opened,
  sendError,
  sendJson,
  sendRecords,
} from './support/fake-server.js';
import { runNervix } from './support/run-nervix.js';

const transactionScript = `USE shop;
LIST DOMAINS;
BEGIN;
CREATE RELAY orders SCHEMA order UNBRANCHED;
CREATE RELAY errors SCHEMA order UNBRANCHED;
COMMIT;
`;

test('a script selects a domain and groups a transaction (CL-41, CL-81)', async () => {
  await using server = await startCommandServer();
  const args = ['--server', server.url, '--file', '-'];
  const result = await runNervix(args, { stdin: transactionScript });
  expect(result).toEqual({
    code: 0,
    stdout:
      "using domain 'shop'\nshop Running\ndone: begin\n" +
      'done: create relay\ndone: create relay\ndone: commit\n',
    stderr: '',
  });
  expect(
    server.commands.map((command) => [
      command.query,
      command.domain,
      command.transaction,
      command.expected_transaction_position,
    ]),
  ).toEqual([
    ['BEGIN', 'shop', undefined, undefined],
    ['CREATE RELAY orders SCHEMA order UNBRANCHED;', 'shop', 'tx-1', 0],
    ['CREATE RELAY errors SCHEMA order UNBRANCHED;', 'shop', 'tx-1', 1],
    ['COMMIT', 'shop', 'tx-1', undefined],
  ]);
});

test('the first failure reverts the open transaction and ends the script (CL-81)', async () => {
  await using server = await startCommandServer();
  const stdin = `// grün\nBEGIN;\n  CREATE RELAY orders\n    SCHEMA bad UNBRANCHED;\nCOMMIT;\n`;
  const result = await runNervix(['--server', server.url, '--file', '-'], { stdin });
  expect(result.code).toBe(1);
  expect(result.stderr).toBe(
    "stdin:4:12: schema 'bad' does not exist\n" +
      '  4 |     SCHEMA bad UNBRANCHED;\n' +
      '    |            ^^^\n' +
      'reverted transaction tx-1\n',
  );
  expect(server.commands.map(({ query }) => query.slice(0, 6))).toEqual([
    'BEGIN',
    'CREATE',
    'REVERT',
  ]);
});

test('a script that ends within a transaction fails and reverts it (CL-81)', async () => {
  await using server = await startCommandServer();
  const result = await runNervix(['--server', server.url, '--command', 'BEGIN; STOP;']);
  expect(result.code).toBe(1);
  expect(result.stderr).toContain('reverted transaction tx-1');
  expect(server.commands.at(-1)).toMatchObject({ query: 'REVERT', transaction: 'tx-1' });
});

test('USE and LIST DOMAINS are refused within a transaction (CL-42)', async () => {
  await using server = await startCommandServer();
  const result = await runNervix(['--server', server.url, '--command', 'BEGIN;\nUSE other;']);
  expect(result.code).toBe(1);
  expect(result.stderr).toContain(
    'command:2:1: USE is not possible while transaction tx-1 is open',
  );
});

test('a subscription in a script is refused before anything is sent', async () => {
  await using server = await startCommandServer();
  const text = 'STOP; CREATE SUBSCRIPTION s TO orders;';
  const result = await runNervix(['--server', server.url, '--command', text]);
  expect(result).toMatchObject({ code: 1, stderr: expect.stringContaining('command:1:7: ') });
  expect(server.requests).toHaveLength(0);
});

test('a secret in a failing statement is not shown again (CL-83)', async () => {
  await using server = await startCommandServer();
  const text = "CREATE USER bad WITH PASSWORD 'hunter2';";
  const result = await runNervix(['--server', server.url, '--command', text]);
  expect(result.code).toBe(1);
  expect(result.stderr).not.toContain('hunter2');
});

test('JSON results are one document per statement (CL-85)', async () => {
  await using server = await startCommandServer();
  const text = 'USE shop; LIST DOMAINS; STOP; CREATE RELAY a SCHEMA bad UNBRANCHED;';
  const result = await runNervix(['--server', server.url, '--format=json', '--command', text]);
  const documents = result.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
  expect(documents).toMatchObject([
    { domain: 'shop' },
    { domains: [{ domain: 'shop', status: 'Running' }] },
    { message: 'done: stop', execution_reference: server.references[0] },
    { error: { code: 'INVALID_MODEL', message: "schema 'bad' does not exist" } },
  ]);
  expect(result.stderr).toContain('command:1:53: ');
});

test('domains lists the domains (CL-81)', async () => {
  await using server = await startCommandServer();
  const result = await runNervix(['domains'], { env: { NERVIX_SERVER: server.url } });
  expect(result).toEqual({ code: 0, stdout: 'shop Running\n', stderr: '' });
});

test('subscribe prints rows up to a limit, exactly (CL-60, CL-82)', async () => {
  await using server = await FakeServer.start((_request, response) =>
    sendRecords(response, [
      opened,
      '{"row":{"id":18446744073709551615,"total":0.5},"key":{"tenant":"a"}}',
      '{"lost":2}',
      '{"row":{"id":2,"total":null}}',
      '{"row":{"id":3,"total":null}}',
    ]),
  );
  const args = ['--server', server.url, '--domain', 'shop', 'subscribe', 'mine', 'orders'];
  const flags = [
    '--dropping',
    '--batch-sample-rate',
    '0.5',
    '--where',
    'input.total > 1',
    '--limit',
    '2',
  ];
  const text = await runNervix([...args, ...flags]);
  expect(text).toEqual({
    code: 0,
    stdout:
      'key={"tenant":"a"} payload={"id":18446744073709551615,"total":0.5}\n{"id":2,"total":null}\n',
    stderr: '[events] subscription [mine]: lost 2 rows\n',
  });
  expect(Object.fromEntries(server.requests[0]!.parameters)).toEqual({
    where: 'input.total > 1',
    sample: '0.5',
    delivery: 'dropping',
  });
  const json = await runNervix([...args, '--format', 'json', '--limit', '1']);
  expect(json.stdout.trim().split('\n')).toEqual([
    JSON.stringify(opened),
    '{"row":{"id":18446744073709551615,"total":0.5},"key":{"tenant":"a"}}',
  ]);
});

/** Accepts every statement of a transaction, and fails its COMMIT over the second. */
function startFailingCommit(): Promise<FakeServer> {
  let accepted = -1;
  return FakeServer.start((request, response) => {
    const transaction = (state: TransactionStatus['state']): TransactionStatus => ({
      id: 'tx-1',
      domain: 'default',
      state,
      accepted_operations: accepted,
      applied_operations: 0,
    });
    const { query } = request.command;
    if (query !== 'COMMIT') {
      accepted += 1;
      sendJson(response, 200, completed(request, '', { transaction: transaction('Open') }));
      return;
    }
    const message = "model 'errors' requires missing schema 'nope'";
    const start = 'CREATE RELAY errors\n  SCHEMA '.length;
    sendError(response, 'NOT_FOUND', `transaction operation 2 failed: ${message}`, {
      diagnostics: [{ message, operation: 2, operation_span: { start, end: start + 4 } }],
      transaction: transaction('Failed'),
    });
  });
}

test('a failing COMMIT is reported at the statement that it blames (CL-81)', async () => {
  await using server = await startFailingCommit();
  const stdin =
    '// grün\nBEGIN;\nSTOP;\n  CREATE RELAY errors\n  SCHEMA nope UNBRANCHED;\nCOMMIT;\n';
  const args = ['--server', server.url, '--format', 'json', '--file', '-'];
  const result = await runNervix(args, { stdin });
  expect(result.code).toBe(1);
  expect(result.stderr).toBe(
    "stdin:5:10: model 'errors' requires missing schema 'nope'\n" +
      '  5 |   SCHEMA nope UNBRANCHED;\n' +
      '    |          ^^^^\n',
  );
  const { error } = JSON.parse(result.stdout.trim().split('\n').at(-1) ?? '');
  expect(error).toMatchObject({ code: 'NOT_FOUND', file: 'stdin', line: 5, column: 10 });
  expect(server.commands.at(-1)?.query).toBe('COMMIT');
});

test('JSON errors name file, line and column (CL-81, CL-85)', async () => {
  await using server = await startCommandServer();
  const errorOf = async (stdin: string): Promise<unknown> => {
    const args = ['--server', server.url, '--format', 'json', '--file', '-'];
    const { stdout } = await runNervix(args, { stdin });
    return JSON.parse(stdout.trim().split('\n').at(-1) ?? '').error;
  };
  const at = (line: number, column: number) => ({ file: 'stdin', line, column });
  expect(await errorOf('STOP;\nDROP;')).toMatchObject({ code: 'PARSE_FAILED', ...at(2, 5) });
  expect(await errorOf('STOP;\nCREATE RELAY a\n SCHEMA bad UNBRANCHED;')).toMatchObject({
    code: 'INVALID_MODEL',
    ...at(3, 9),
  });
  expect(await errorOf('BEGIN;\n USE other;')).toMatchObject({
    code: 'TRANSACTION_STATE',
    ...at(2, 2),
  });
});
