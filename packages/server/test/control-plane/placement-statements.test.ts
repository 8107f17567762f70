import { describe, expect, test } from 'vitest';
import { type ControlNode, openControlNode } from '../support/control-node.ts';
import { SHOP_PIPELINE } from '../support/shop-pipeline.ts';

/** A node with the shop's models in the stopped domain `d`, and rules over them. */
async function openShop(...rules: string[]): Promise<ControlNode> {
  const node = await openControlNode();
  await node.run('CREATE DOMAIN d;');
  for (const statement of [...SHOP_PIPELINE, ...rules]) await node.run(statement);
  return node;
}

const NEAR = 'CREATE PLACEMENT near FROM once TO big REQUIRE COLOCATION;';
const FAR = 'CREATE PLACEMENT far FROM big TO alerts SUGGEST SEPARATION RANK 3;';

/** What a refusal says, with the words of the query that it points at. */
async function refusal(
  node: ControlNode,
  query: string,
): Promise<readonly [code: string, message: string, place: string]> {
  const { code, message, diagnostics } = await node.refuse(query);
  const { start = 0, end = 0 } = diagnostics[0]?.span ?? {};
  return [code, message, query.slice(start, end)];
}

describe('placement rules as models', () => {
  test('PS-1, CP-141: they are created, shown, altered and dropped, and survive a restart', async () => {
    const node = await openShop();
    expect(await node.text('SHOW PLACEMENTS;')).toBe('no placements');
    const created = 'quiesce level: DYNAMIC; planned relocations: 0';
    expect(await node.text(NEAR)).toBe(created);
    expect(await node.text(NEAR.replace('CREATE', 'CREATE IF NOT EXISTS'))).toBe(
      "model 'near' already exists in domain 'd'",
    );
    const again = await node.restart();
    expect(await again.text('SHOW CREATE PLACEMENT near;')).toBe(NEAR);
    expect(await again.text('ALTER PLACEMENT near SET POLICY PREFER COLOCATION, SET RANK 2;')).toBe(
      `altered placement 'near' in domain 'd'; ${created}`,
    );
    await again.run('ALTER PLACEMENT near SET FROM sales TO big, RENAME TO closer;');
    expect(await again.text('SHOW CREATE PLACEMENT closer;')).toBe(
      'CREATE PLACEMENT closer FROM sales TO big PREFER COLOCATION RANK 2;',
    );
    expect(await again.text('DROP PLACEMENT closer;')).toBe(
      `dropped model 'closer' from domain 'd'; ${created}`,
    );
    expect(await again.text('SHOW PLACEMENTS;')).toBe('no placements');
  });

  test('PS-55: SHOW PLACEMENTS has one line a rule, by name', async () => {
    const node = await openShop(
      NEAR,
      FAR,
      'CREATE PLACEMENT all FROM sales TO alerts NEUTRAL RANK 9;',
    );
    expect(await node.text('SHOW PLACEMENTS;')).toBe(
      [
        'all policy=NEUTRAL rank=9 coverage=partial',
        'far policy=SUGGEST SEPARATION rank=3 coverage=effective',
        'near policy=REQUIRE COLOCATION rank=unranked coverage=overridden',
      ].join('\n'),
    );
  });

  test.each([
    [
      'PS-2 a listener',
      'CREATE PLACEMENT p FROM sales_in TO big NEUTRAL;',
      'INVALID_MODEL',
      "model 'p' in domain 'd' is invalid: placement member 'sales_in' is not " +
        'placement-eligible: endpoint-source ingestors execute on every cluster node',
      'p',
    ],
    [
      'TX-47 an unknown member',
      'CREATE PLACEMENT p FROM big TO missing_runtime_node NEUTRAL;',
      'INVALID_MODEL',
      "model 'p' in domain 'd' is invalid: " +
        "placement member 'missing_runtime_node' does not exist",
      'p',
    ],
    [
      'PS-14 a conflict',
      'CREATE PLACEMENT p FROM sales TO big SUGGEST SEPARATION;',
      'INVALID_MODEL',
      "placement rules 'near' and 'p' in domain 'd' conflict at equal rank for runtime nodes " +
        "deduplicator 'once' and junction 'big'",
      'p',
    ],
    [
      'PS-3 a pinned member',
      'DROP WINDOW PROCESSOR totals; ',
      'IN_USE',
      "cannot delete model 'totals' in domain 'd' because it is used by pin, pin_too",
      'totals',
    ],
    [
      'CP-36 an absent rule',
      'ALTER PLACEMENT gone DROP RANK;',
      'NOT_FOUND',
      "model 'gone' does not exist in domain 'd'",
      'gone',
    ],
    [
      'TX-47 an absent rule',
      'DESCRIBE PLACEMENT gone;',
      'NOT_FOUND',
      "placement 'gone' not found",
      'gone',
    ],
  ])('%s is refused at its place and changes nothing', async (_, query, code, message, place) => {
    const pins = ['pin', 'pin_too'].map(
      (name) => `CREATE PLACEMENT ${name} FROM totals TO totals NEUTRAL;`,
    );
    const node = await openShop(NEAR, ...pins);
    const before = await node.text('SHOW PLACEMENTS;');
    expect(await refusal(node, query)).toEqual([code, message, place]);
    expect(await node.text('SHOW PLACEMENTS;')).toBe(before);
  });

  test('a rule in a running domain pauses nothing and is not lost with the process', async () => {
    const node = await openShop();
    await node.run('START;');
    const { dataPlane } = node;
    const before = dataPlane.offered.length;
    dataPlane.onPrepare = () => new Error('the graph was held');
    expect(await node.text(NEAR)).toBe('quiesce level: DYNAMIC; planned relocations: 0');
    expect(await node.text('DROP PLACEMENT near;')).toContain('quiesce level: DYNAMIC');
    await node.run(`BEGIN; ${NEAR} COMMIT;`);
    expect(dataPlane.offered.length).toBe(before);
    const again = await node.restart();
    expect([...again.dataPlane.plans.keys()]).toEqual(['d']);
    expect(await again.text('SHOW PLACEMENTS;')).toContain('near ');
  });
});

describe('descriptions', () => {
  test('PS-56, PS-57: DESCRIBE PLACEMENT', async () => {
    const node = await openShop(NEAR, FAR);
    expect(await node.text('DESCRIBE PLACEMENT near;')).toBe(
      [
        'placement: near',
        'form: CREATE PLACEMENT near FROM once TO big REQUIRE COLOCATION;',
        'policy: REQUIRE COLOCATION',
        'rank: unranked',
        'from: once',
        'to: big',
        'pair: once -> big',
        'connected: true',
        'covered: once, unique_sales, big',
        'witness: once -> unique_sales -> big',
        ...['once <-> big', 'once <-> unique_sales', 'big <-> unique_sales'].flatMap((pair) => [
          `effective pair: ${pair}`,
          'effective policy: REQUIRE COLOCATION',
          'winning claim: near',
        ]),
        'group members: once, big, unique_sales',
        'group host: n1',
        'bond: once <-> big (near)',
        'bond: once <-> unique_sales (near)',
        'bond: big <-> unique_sales (near)',
      ].join('\n'),
    );
  });

  test('PS-58, TX-8: DESCRIBE DOMAIN', async () => {
    const node = await openShop(NEAR);
    expect(await node.text('DESCRIBE DOMAIN;')).toBe(
      [
        'domain: d',
        'status: stopped',
        'placement:',
        '  default policy: NEUTRAL',
        '  rule count: 1',
        '  group 1:',
        '    members: once, big, unique_sales',
        '    host: n1',
        '    bond: once <-> big (near)',
        '    bond: once <-> unique_sales (near)',
        '    bond: big <-> unique_sales (near)',
      ].join('\n'),
    );
  });

  test('OP-36: EXPLAIN PLACEMENT of one unit, of a listener and of all', async () => {
    const node = await openShop(NEAR);
    const revision = node.state.revisionOf('domain/d');
    const basis = node.state.scheduleBasis('d');
    const inputs = `inputs: domain=${revision} schedule=${basis?.revision} leader=n1 term=2`;
    const group = [
      "placement of group [deduplicator once, junction big, relay unique_sales] in domain 'd'",
      'policy: score/1',
      'node: n1 (kept)',
      'candidates:',
      '- n1 soft=0 stickiness=0 locality=1 load=-5 round_robin=0',
      'rejected:',
      '- none',
    ];
    const text = await node.text('EXPLAIN PLACEMENT RELAY unique_sales;');
    expect(text.split('\n')).toEqual([inputs, ...group]);
    const listener = await node.text('EXPLAIN PLACEMENT INGESTOR sales_in;');
    expect(listener.split('\n')).toEqual([
      inputs,
      "placement of ingestor 'sales_in' in domain 'd'",
      'nodes: n1 (it listens on every live node)',
    ]);
    const all = await node.text('EXPLAIN PLACEMENT;');
    expect(all.match(/^placement of /gm)).toHaveLength(7);
    expect(all).toContain(group.join('\n'));
    await node.run('CORDON NODE n1;');
    expect(await node.text('EXPLAIN PLACEMENT JUNCTION big;')).toContain(
      'candidates:\n- none\nrejected:\n- n1 not_cordoned=fail (cordoned)',
    );
    expect(await refusal(node, 'EXPLAIN PLACEMENT JUNCTION once;')).toEqual([
      'NOT_FOUND',
      "junction 'once' does not exist in domain 'd'",
      'once',
    ]);
    await node.run('CREATE DOMAIN empty;');
    expect(await node.text('EXPLAIN PLACEMENT;', { domain: 'empty' })).toBe('no graph nodes');
  });

  test('OP-36: EXPLAIN PLACEMENT FORMAT JSON is a document with its inputs', async () => {
    const node = await openShop(NEAR);
    const report = JSON.parse(await node.text('EXPLAIN PLACEMENT FORMAT JSON;'));
    expect(report).toMatchObject({
      version: 2,
      domain: 'd',
      policy: 'score/1',
      inputs: { domain: String(node.state.revisionOf('domain/d')), leader: 'n1' },
      clusterNodes: [{ name: 'n1', unfit: null, owned: 8 }],
      rules: [{ name: 'near', coverage: 'effective' }],
    });
    expect([report.units.length, report.graphNodes.length]).toEqual([6, 9]);
  });

  test('OP-36: of very many candidates the JSON form lists the best, and the text form one unit', async () => {
    const node = await openShop(NEAR);
    node.members = Array.from({ length: 12_000 }, (_, index) => ({
      name: `n${index + 1}`,
      isLive: true,
      isTerminating: false,
    }));
    const report = JSON.parse(await node.text('EXPLAIN PLACEMENT FORMAT JSON;'));
    const counts = report.units.map((unit: { candidates: unknown[]; omitted: number }) => [
      unit.candidates.length,
      unit.omitted,
    ]);
    // The owner is listed beside the best where it is not among them.
    expect(new Set(counts.map(String))).toEqual(new Set(['11111,889', '11112,888']));
    expect(await node.refuse('EXPLAIN PLACEMENT;')).toMatchObject({
      code: 'LIMIT_REACHED',
      message:
        "domain 'd' has 9 graph nodes on 12000 cluster nodes, more than can be explained as " +
        'text: name one of them, or ask with FORMAT JSON',
    });
    const block = await node.text('EXPLAIN PLACEMENT JUNCTION big;');
    expect(block.split('\n').filter((line) => /^- n\d/.test(line))).toHaveLength(12_000);
  });

  test('PS-24, PS-61: descriptions print the owners of the schedule', async () => {
    const node = await openShop();
    expect(await node.text('DESCRIBE JUNCTION big;')).toContain('\nowner: n1\nreplicas: -\n');
    expect(await node.text('SHOW INGESTORS;')).toContain(' owner=n1 ');
    await node.run('CORDON NODE n1;');
    await node.run('CREATE RELAY spare SCHEMA sale BRANCHED BY by_tenant CAPACITY 8;');
    expect(await node.text('DESCRIBE RELAY spare;')).toContain('\nowner: -\nreplicas: -\n');
  });
});

describe('the default policy of a domain', () => {
  test('CP-22, CP-26: it is declared and altered, and an equal one writes nothing', async () => {
    const node = await openControlNode();
    await node.run('CREATE DOMAIN d PLACEMENT PREFER COLOCATION;');
    for (const statement of SHOP_PIPELINE) await node.run(statement);
    expect(await node.text('DESCRIBE DOMAIN;')).toContain('default policy: PREFER COLOCATION\n');
    expect(await node.text('ALTER DOMAIN SET PLACEMENT REQUIRE COLOCATION;')).toBe(
      "set domain 'd' placement to REQUIRE COLOCATION; quiesce level: DYNAMIC\n" +
        'planned relocations: 0',
    );
    expect(await node.text('DESCRIBE DOMAIN;')).toContain('(domain default)');
    const revision = node.state.revisionOf('domain/d');
    expect(await node.text('ALTER DOMAIN SET PLACEMENT REQUIRE COLOCATION;')).toBe(
      "domain 'd' placement is already REQUIRE COLOCATION; quiesce level: DYNAMIC\n" +
        'planned relocations: 0',
    );
    expect(node.state.revisionOf('domain/d')).toBe(revision);
    expect(await refusal(node, 'ALTER DOMAIN SET CLASS fast;')).toEqual([
      'UNSUPPORTED_CAPABILITY',
      'ALTER DOMAIN SET CLASS is not supported by this release',
      'ALTER DOMAIN SET CLASS fast;',
    ]);
  });
});

describe('transactions', () => {
  test('CP-51, PS-4: rules, their alterations and the default policy are queued', async () => {
    const node = await openShop();
    const reply = await node.run(
      `BEGIN; ${NEAR} ALTER PLACEMENT near SET RANK 7; ` +
        'ALTER DOMAIN SET PLACEMENT PREFER COLOCATION; START; ' +
        'DROP PLACEMENT near; COMMIT;',
    );
    expect(reply.statements?.slice(1, 4).map(({ message }) => message)).toEqual(
      Array.from({ length: 3 }, () => 'quiesce level: DYNAMIC'),
    );
    expect(await node.text('DESCRIBE DOMAIN;')).toContain(
      'placement:\n  default policy: PREFER COLOCATION\n  rule count: 0',
    );
    expect(node.state.domain('d')?.status).toBe('running');
  });

  test('CP-53: an operation that no rule set permits fails the append', async () => {
    const node = await openShop(NEAR);
    const error = await node.refuse(
      'BEGIN; CREATE PLACEMENT p FROM once TO big SUGGEST SEPARATION; START; COMMIT;',
    );
    expect(error.message).toContain("placement rules 'near' and 'p' in domain 'd' conflict");
    expect(node.state.domain('d')?.status).toBe('stopped');
  });

  test.each([
    ['RELOCATE JUNCTION big ONTO NODE n1 FOLLOW PREFERENCES;', 'RELOCATE'],
    ['DESCRIBE RELOCATION JUNCTION big ONTO NODE n1 FOLLOW PREFERENCES;', 'DESCRIBE'],
    ['CORDON NODE n1;', 'CORDON'],
    ['UNCORDON NODE n1;', 'UNCORDON'],
    ['DRAIN NODE n1;', 'DRAIN'],
    ['DROP NODE n1;', 'DROP NODE'],
    ['REBALANCE;', 'statement'],
    ['SHOW PLACEMENTS;', 'SHOW'],
    ['EXPLAIN PLACEMENT;', 'statement'],
  ])('CP-52, PS-40: %s is no transaction content', async (text, label) => {
    const node = await openShop();
    const transaction = await node.begin();
    const { code, message } = await node.refuse(text, { transaction });
    expect(code).toBe('NOT_QUEUEABLE');
    expect(message).toContain(`${label} cannot be queued in a transaction; a transaction applies`);
  });
});
