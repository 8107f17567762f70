import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { delivery } from './support/pipelines.ts';
import { openTerminal, runTerminal } from './support/run-terminal.ts';
import { type ScratchNode, scratchFolder, scratchNode } from './support/scratch-node.ts';

const SHOP = ['--domain', 'shop'];

async function shopNode(settings: Parameters<typeof scratchNode>[0] = {}): Promise<ScratchNode> {
  const started = await scratchNode(settings);
  await started.client.run('CREATE DOMAIN shop;');
  return started;
}

async function transactionsOf({ client }: ScratchNode): Promise<string> {
  return client.run('SHOW TRANSACTIONS;');
}

/** Id of the transaction that is open. */
async function openId(started: ScratchNode): Promise<string> {
  return /id=(\S+) .* state=OPEN/.exec(await transactionsOf(started))?.[1] ?? '';
}

test('CL-83, CP-46: two shells hand one transaction to each other', async () => {
  const started = await shopNode();
  const left = openTerminal(started.node, SHOP);
  left.type('BEGIN;');
  await left.see('transaction started');
  left.type('CREATE SCHEMA a (id I64);');
  await left.see('quiesce level: DYNAMIC');
  const id = await openId(started);
  // The other one takes the transaction's domain.
  const right = openTerminal(started.node);
  right.type(`ATTACH TRANSACTION '${id}';`);
  await right.see(`attached transaction '${id}'`);
  left.type('CREATE SCHEMA b (id I64);');
  await left.see(`transaction '${id}' was taken over by another session`);
  right.type('CREATE SCHEMA c (id I64);');
  await right.see('quiesce level: DYNAMIC');
  // What follows belongs to a transaction that is lost, and must not run outside of it.
  left.type('CREATE SCHEMA d (id I64);');
  await left.see('was taken over by another session');
  left.type('REVERT;');
  await left.see(`left transaction '${id}', which another session holds`);
  left.type('CREATE SCHEMA e (id I64);');
  await left.see('quiesce level');
  expect(await left.leave()).toBe(1);
  right.type('DESCRIBE TRANSACTION;');
  await right.see('planning basis');
  right.type('COMMIT;');
  await right.see('quiesce level');
  expect(await right.leave()).toBe(0);
  const entities = await started.client.run('SHOW CREATE SCHEMA e;', { domain: 'shop' });
  expect(entities).toContain('CREATE SCHEMA e');
  const missing = await started.client.command('SHOW CREATE SCHEMA d;', { domain: 'shop' });
  expect(missing.body.error?.code).toBe('NOT_FOUND');
  const { stdout } = await runTerminal(started.node, [...SHOP, 'transactions']);
  expect(stdout).toContain(`id=${id} owner=default domain=shop state=COMMITTED`);
});

test('CL-83, CP-47: leaving a shell reverts, and killing one leaves the transaction open', async () => {
  const started = await shopNode();
  const leaving = openTerminal(started.node, SHOP);
  leaving.type('BEGIN;');
  await leaving.see('transaction started');
  expect(await leaving.leave()).toBe(0);
  expect(await transactionsOf(started)).toContain('state=REVERTED');
  const killed = openTerminal(started.node, SHOP);
  killed.type('BEGIN;');
  await killed.see('transaction started');
  process.kill(killed.pid ?? 0, 'SIGKILL');
  await killed.leave();
  const id = await openId(started);
  expect(id).not.toBe('');
  const script = `ATTACH TRANSACTION '${id}'; CREATE SCHEMA a (id I64); COMMIT;`;
  const { code } = await runTerminal(started.node, ['--file', '-'], script);
  expect([code, await openId(started)]).toEqual([0, '']);
});

test('CL-48, CL-84: a shell goes on when its node is killed and started again', async () => {
  const dbPath = scratchFolder();
  const started = await shopNode({ dbPath });
  const shell = openTerminal(started.node, SHOP);
  shell.type('BEGIN;');
  await shell.see('transaction started');
  await started.node.kill9();
  shell.type('CREATE SCHEMA a (id I64);');
  const { host } = new URL(started.node.addresses.session);
  await scratchNode({ dbPath, args: ['--addr', host] });
  await shell.see('quiesce level: DYNAMIC');
  shell.type('REVERT;');
  await shell.see('transaction reverted: dropped 1 command(s)');
  expect(await shell.leave()).toBe(0);
});

test('CL-80, CL-110: --suggest, explain and the commands of nodes answer and leave', async () => {
  const { node, client } = await shopNode();
  await client.run('CREATE SCHEMA sale (id I64);', { domain: 'shop' });
  const suggested = await runTerminal(node, [...SHOP, '--suggest', 'CREATE RELAY r SCHEMA sa']);
  expect(suggested).toEqual({ code: 0, stdout: 'sale\n' });
  const explained = await runTerminal(node, [
    ...SHOP,
    'explain',
    'CREATE RELAY r SCHEMA sale UNBRANCHED',
  ]);
  expect(explained.code).toBe(0);
  expect(explained.stdout).toContain('operation 1: CREATE_CONFIGURATION kind=relay name=r');
  const cordoned = await runTerminal(node, ['cordon-node', 'node-1']);
  expect(cordoned.code).toBe(0);
  expect(await client.run('SHOW CLUSTER STATUS;')).toContain('cordoned');
  expect((await runTerminal(node, ['uncordon-node', 'node-1'])).code).toBe(0);
});

test('CL-82: what is exported of a domain makes the same one again', async () => {
  const { node, client } = await shopNode();
  const parts = [...delivery('http://127.0.0.1:9'), 'CREATE RESOURCE certs;'].join('\n');
  const made = await runTerminal(node, [...SHOP, '--file', '-'], `BEGIN;\n${parts}\nCOMMIT;`);
  expect(made.code).toBe(0);
  const exported = await runTerminal(node, [...SHOP, 'export']);
  expect(exported.code).toBe(0);
  expect(exported.stdout).toMatch(/^CREATE RESOURCE certs;\n\n/);
  // Addresses of listeners belong to one domain.
  await client.run('DROP DOMAIN shop CASCADE;');
  await client.run('CREATE DOMAIN copy;');
  const copy = ['--domain', 'copy'];
  const script = `BEGIN;\n${exported.stdout}\nCOMMIT;`;
  expect((await runTerminal(node, [...copy, '--file', '-'], script)).code).toBe(0);
  const file = path.join(scratchFolder(), 'copy.nspl');
  const again = await runTerminal(node, [...copy, 'export', '--output', file]);
  expect(again).toEqual({ code: 0, stdout: '' });
  expect(readFileSync(file, 'utf8')).toBe(exported.stdout);
  expect(statSync(file).mode & 0o077).toBe(0);
  const nowhere = await runTerminal(node, [...copy, 'export', '--output', '/no/where']);
  expect(nowhere.code).toBe(5);
});
