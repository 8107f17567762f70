import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { runTerminal } from './support/run-terminal.ts';
import { scratchFolder, scratchNode } from './support/scratch-node.ts';

test('the state of a running domain is exported, and a file is planned against it as the node would', async () => {
  const { node, client } = await scratchNode();
  const shop = { domain: 'shop' };
  await client.run('CREATE DOMAIN shop PLACEMENT PREFER COLOCATION;');
  await client.run('CREATE RESOURCE certs;', shop);
  await client.run('CREATE SCHEMA s (id I64);', shop);
  await client.run('CREATE RELAY r SCHEMA s UNBRANCHED CAPACITY 8;', shop);
  await client.run('START;', shop);

  const folder = scratchFolder();
  const state = path.join(folder, 'state.json');
  const exported = ['--domain', 'shop', 'export', '--snapshot', '--output', state];
  expect((await runTerminal(node, exported)).code).toBe(0);

  const plan = async (text: string) => {
    const file = path.join(folder, 'new.nspl');
    writeFileSync(file, text);
    return runTerminal(node, ['plan', '--file', file, '--against', state]);
  };
  const change = 'ALTER RELAY r SET CAPACITY 16;';
  const { code, stdout } = await plan(change);
  expect(code).toBe(0);
  // But for the basis, which names the processes too, it is what the node itself says.
  const own = await client.run(`EXPLAIN ${change}`, shop);
  const withoutBasis = (text: string) =>
    text
      .split('\n')
      .filter((line) => !/^(?:planning basis|statement): /.test(line))
      .join('\n')
      .trim();
  expect(withoutBasis(stdout)).toBe(withoutBasis(own));
  expect((await plan('START;')).code, 'the domain runs').toBe(1);
  expect((await plan('CREATE RESOURCE certs;')).code, 'the resource is declared').toBe(1);
});
