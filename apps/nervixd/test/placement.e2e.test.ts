import { expect, test } from 'vitest';
import { INTAKE } from './support/pipelines.ts';
import { scratchFolder, scratchNode } from './support/scratch-node.ts';

const JUNCTION =
  'CREATE RELAY copies SCHEMA event UNBRANCHED CAPACITY 64; ' +
  'CREATE JUNCTION copy FROM events UNBRANCHED ' +
  'TO copies INHERIT ALL FLUSH IMMEDIATE ON MESSAGE ERROR LOG;';
const NEAR = 'CREATE PLACEMENT near FROM events TO copies REQUIRE COLOCATION;';
const EVENT = '{"id":1,"tenant":"t"}';

test('PS-1, PS-26, PS-35: rules, owners and cordons of a running domain survive kill -9', async () => {
  const dbPath = scratchFolder();
  const { node, client } = await scratchNode({ dbPath });
  await client.deploy('d', [...INTAKE, JUNCTION]);
  const run = (query: string): Promise<string> => client.run(query, { domain: 'd' });
  expect(await run(NEAR)).toBe('quiesce level: DYNAMIC; planned relocations: 0');
  expect((await client.post('/events', EVENT)).status).toBe(202);
  expect(await run('CORDON NODE node-1;')).toBe("cordoned node 'node-1'");
  const reads = [
    'SHOW PLACEMENTS;',
    'SHOW CREATE PLACEMENT near;',
    'DESCRIBE PLACEMENT near;',
    'DESCRIBE RELOCATION JUNCTION copy ONTO NODE node-1 FOLLOW PREFERENCES;',
    'DESCRIBE REBALANCE;',
    'EXPLAIN PLACEMENT JUNCTION copy;',
  ] as const;
  const answers = async (ask: typeof client): Promise<readonly unknown[]> => {
    const found: unknown[] = [];
    for (const read of reads) {
      const { status, body } = await ask.command(read, { domain: 'd' });
      found.push([status, body.message ?? body.error?.message]);
    }
    return found;
  };
  const before = await answers(client);
  expect(before.slice(0, 4)).toEqual([
    [200, 'near policy=REQUIRE COLOCATION rank=unranked coverage=effective'],
    [200, NEAR],
    [200, expect.stringContaining('\ngroup host: node-1\n')],
    [400, "node 'node-1' is cordoned"],
  ]);
  expect(before[5]).toEqual([
    200,
    expect.stringContaining('- node-1 not_cordoned=fail (cordoned)'),
  ]);

  await node.kill9();
  const again = await scratchNode({ dbPath });
  const explained = (answer: unknown): unknown =>
    JSON.parse(JSON.stringify(answer).replace(/inputs: [^\\]*/, 'inputs'));
  expect((await answers(again.client)).map(explained)).toEqual(before.map(explained));
  // What the cordoned node has goes on; new work is refused while the domain runs.
  expect((await again.client.post('/events', EVENT)).status).toBe(202);
  const more = 'CREATE RELAY more SCHEMA event UNBRANCHED CAPACITY 8;';
  const refused = await again.client.command(more, { domain: 'd' });
  expect(refused.body.error?.message).toContain("relay 'more' has no owner");
  const drained = await again.client.command('DRAIN NODE node-1;');
  expect(drained.body.error?.message).toBe(
    "cannot drain node 'node-1': no live schedulable raft voters remain",
  );
  expect(await again.client.run('UNCORDON NODE node-1;')).toBe("uncordoned node 'node-1'");
  await again.client.run(more, { domain: 'd' });
  expect(await again.client.run('DESCRIBE RELAY more;', { domain: 'd' })).toContain(
    '\nowner: node-1\n',
  );
});
