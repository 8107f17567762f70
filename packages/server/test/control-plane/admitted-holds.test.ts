import { expect, test } from 'vitest';
import { type ControlNode, openWithRelay } from '../support/control-node.ts';

/** A node whose domain runs: `once` reads `r` and writes `p`, which `last` reads. */
async function opened(): Promise<ControlNode> {
  const node = await openWithRelay();
  for (const name of ['p', 'q']) {
    await node.run(`CREATE RELAY ${name} SCHEMA s UNBRANCHED CAPACITY 8;`);
  }
  await node.run('CREATE SCHEMA spare (id I64);');
  await node.run(`CREATE DEDUPLICATOR once FROM r DEDUPLICATE ON input.id MAX TIME 10m UNBRANCHED
    TO p INHERIT ALL FLUSH IMMEDIATE ON MESSAGE ERROR LOG;`);
  await node.run(`CREATE JUNCTION last FROM p UNBRANCHED
    TO q INHERIT ALL FLUSH IMMEDIATE ON MESSAGE ERROR LOG;`);
  await node.run('START;');
  return node;
}

const NOTHING = { level: 'DYNAMIC', nodes: [], gates: [] };
const CHANGES = [
  ['ALTER SCHEMA spare ADD FIELD more I64;', { ...NOTHING, level: 'DOMAIN_PAUSE' }],
  [
    'ALTER DEDUPLICATOR once SET DEDUPLICATE ON input.id, input.tenant;',
    { level: 'ENTITY_PAUSE', nodes: ['DEDUPLICATOR once'], gates: ['r'] },
  ],
  ['ALTER RELAY r SET CAPACITY 16;', NOTHING],
] as const;

test.each(CHANGES)(
  'CP-80, CP-105, CP-106: what %s is recorded to have held was asked of the engine',
  async (statement, admitted) => {
    const alone = await opened();
    await alone.run(statement);
    expect(alone.dataPlane.admissions.at(-1)).toEqual(admitted);
    const node = await opened();
    const transaction = await node.begin();
    await node.run(statement, { transaction });
    expect(await node.text('COMMIT;', { transaction })).toBe(`quiesce level: ${admitted.level}`);
    expect(node.dataPlane.admissions.at(-1)).toEqual(admitted);
  },
);

test('CP-83: nothing is asked for besides of a domain that starts', async () => {
  const node = await opened();
  await node.run('STOP;');
  await node.run('START;');
  expect(node.dataPlane.admissions.at(-1)).toEqual(NOTHING);
});

test('CP-105, CP-106: the nodes of all statements of a step are held together', async () => {
  const node = await opened();
  const transaction = await node.begin();
  await node.run('ALTER DEDUPLICATOR once SET DETACHED;', { transaction });
  await node.run('ALTER JUNCTION last SET DETACHED;', { transaction });
  await node.run('COMMIT;', { transaction });
  const { nodes = [], ...rest } = node.dataPlane.admissions.at(-1) ?? {};
  expect([...nodes].sort()).toEqual(['DEDUPLICATOR once', 'JUNCTION last']);
  expect(rest).toEqual({ level: 'ENTITY_PAUSE', gates: ['r'] });
});
