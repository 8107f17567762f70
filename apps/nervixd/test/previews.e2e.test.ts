import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { eventually } from '@nervix/testkit';
import { describe, expect, test } from 'vitest';
import { runTerminal } from './support/run-terminal.ts';
import { PASSWORD, type ScratchNode, scratchFolder, scratchNode } from './support/scratch-node.ts';

const run = promisify(execFile);
const SHOP = { domain: 'shop' };
const X = 'CREATE SCHEMA x (id I64);';
const UNRELATED = 'CREATE SCHEMA unrelated (id I64);';

/** A node with a stopped domain that holds a schema and a relay. */
async function shopNode(settings: Parameters<typeof scratchNode>[0] = {}): Promise<ScratchNode> {
  const started = await scratchNode(settings);
  await started.client.run('CREATE DOMAIN shop;');
  await started.client.run('CREATE SCHEMA s (id I64);', SHOP);
  await started.client.run('CREATE RELAY r SCHEMA s UNBRANCHED CAPACITY 8;', SHOP);
  return started;
}

async function begin({ client }: ScratchNode): Promise<string> {
  const { body } = await client.command('BEGIN;', SHOP);
  return body.transaction?.id ?? '';
}

/** Status, code and state of an answer. */
async function refusal({ client }: ScratchNode, query: string, rest: object): Promise<unknown> {
  const { status, body } = await client.command(query, { ...rest });
  return [status, body.error?.code];
}

describe('acceptance of previews', () => {
  test('acceptance 3, CP-64, CP-65: an unrelated change, the same expectation again, inspect and commit', async () => {
    const node = await shopNode();
    const transaction = await begin(node);
    const { body } = await node.client.command(X, { transaction });
    const { preview } = (body as { transaction_admission: { preview: object } })
      .transaction_admission;
    await node.client.run(UNRELATED, SHOP);
    for (let count = 0; count < 2; count += 1) {
      const asked = { transaction, expected_preview: preview };
      expect(await refusal(node, 'COMMIT;', asked)).toEqual([412, 'PREVIEW_STALE']);
    }
    const text = await node.client.run('DESCRIBE TRANSACTION;', { transaction });
    const basis = /planning basis: ([0-9a-f]{64})/.exec(text)?.[1];
    const commit = `COMMIT EXPECT '${transaction}' POSITION 1 BASIS '${basis}';`;
    expect(await node.client.run(commit, { transaction })).toBe('quiesce level: DYNAMIC');
  });

  test('acceptance 4, CP-66, CP-41: an open transaction survives kill -9; its first COMMIT is stale', async () => {
    const dbPath = scratchFolder();
    const first = await shopNode({ dbPath });
    const transaction = await begin(first);
    await first.client.run(X, { transaction });
    await first.node.kill9();
    const again = await scratchNode({ dbPath });
    expect(await refusal(again, 'COMMIT;', { transaction })).toEqual([412, 'PREVIEW_STALE']);
    expect(await again.client.run('COMMIT;', { transaction })).toBe('quiesce level: DYNAMIC');
    expect(await again.client.run('SHOW CREATE SCHEMA x;', SHOP)).toContain('id I64');
  });

  test('CP-42: limits are those of the flags', async () => {
    const limits = ['--transaction-max-open', '1', '--transaction-max-statements', '1'];
    const node = await shopNode({ args: limits });
    const transaction = await begin(node);
    expect(await refusal(node, 'BEGIN;', SHOP)).toEqual([422, 'LIMIT_REACHED']);
    await node.client.run(X, { transaction });
    const { body } = await node.client.command(UNRELATED, { transaction });
    expect(body.error?.message).toMatch(/queued statement limit 1 reached$/);
  });

  test('CP-43: a transaction that nobody uses expires, and stays to be asked about', async () => {
    const node = await shopNode({ args: ['--transaction-idle-timeout', '3s'] });
    const transaction = await begin(node);
    await node.client.run(X, { transaction });
    const show = () => node.client.run(`DESCRIBE TRANSACTION '${transaction}';`);
    await eventually('the transaction expires', show, (text) => text.includes('state: EXPIRED'));
    expect(await refusal(node, UNRELATED, { transaction })).toEqual([422, 'TRANSACTION_STATE']);
  });

  test.each([
    [['ALTER RELAY r SET CAPACITY 16;'], ['DYNAMIC']],
    [
      ['ALTER RELAY r SET CAPACITY 16;', 'ALTER SCHEMA s ADD FIELD n I64 OPTIONAL;'],
      ['DYNAMIC', 'DOMAIN_PAUSE'],
    ],
    [
      ['ALTER SCHEMA s ADD FIELD n I64 OPTIONAL;', 'ALTER SCHEMA s DROP FIELD n;'],
      ['DOMAIN_PAUSE', 'DYNAMIC'],
    ],
    [
      ['STOP;', 'ALTER SCHEMA s ADD FIELD n I64 OPTIONAL;'],
      ['DYNAMIC', 'DYNAMIC'],
    ],
  ])('CP-94, CP-97: levels of %j', async (statements, levels) => {
    const node = await shopNode();
    await node.client.run('START;', SHOP);
    const transaction = await begin(node);
    const told: string[] = [];
    for (const statement of statements)
      told.push(await node.client.run(statement, { transaction }));
    expect(told).toEqual(levels.map((level) => `quiesce level: ${level}`));
    expect(await node.client.run('COMMIT;', { transaction })).toMatch(/^quiesce level: /);
  });
});

describe('terminal client', () => {
  test('CP-60, CP-114: inspects the transaction of its session and commits what it saw', async () => {
    const { node } = await shopNode();
    const script = `BEGIN; ${X} DESCRIBE TRANSACTION OPERATION 1; COMMIT; SHOW TRANSACTIONS;`;
    const { code, stdout } = await runTerminal(node, ['--domain', 'shop', '--file', '-'], script);
    expect([code, stdout]).toEqual([0, expect.stringContaining('inspected operation: 1\n')]);
    expect(stdout).toContain('effect: configuration CREATED kind=schema name=x operations=1\n');
    expect(stdout).toContain('state=COMMITTED pending=0 progress=1/1');
  });

  test('CP-116: a refused inspection has the code of the client and ends with a failure', async () => {
    const { node } = await shopNode();
    const command = "DESCRIBE TRANSACTION 'nothing';";
    const args = ['--domain', 'shop', '--format', 'json', '--command', command];
    const { code, stdout } = await runTerminal(node, args);
    expect(code).not.toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      error: { code: 'INSPECTION_REFUSED', message: "transaction 'nothing' is unknown" },
    });
  });
});

test('CP-65: the commands of the README of the server lead to the refusal that it shows', async () => {
  const file = path.join(import.meta.dirname, '../../../packages/server/README.md');
  const readme = readFileSync(file, 'utf8');
  const [, commands = '', shown = ''] =
    /## Previews\n[\s\S]*?```sh\n([\s\S]*?)```[\s\S]*?```text\n([\s\S]*?)```/.exec(readme) ?? [];
  const { node } = await scratchNode();
  const script = commands
    .replace('PW=...', `PW=${PASSWORD}`)
    .replace('http://127.0.0.1:47391', node.addresses.session);
  expect(script).toContain(node.addresses.session);
  const { stdout } = await run('bash', ['-euc', script]);
  const printed = stdout
    .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID')
    .replace(/[0-9a-f]{64}/g, 'BASIS')
    .replace(/ +$/gm, '');
  expect(printed).toBe(shown);
});
