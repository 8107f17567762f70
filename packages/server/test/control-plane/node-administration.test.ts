import { RaftError } from '@nervix/consensus';
import { describe, expect, test, vi } from 'vitest';
import { publishSchedules } from '../../src/control-plane/scheduling/publish-schedules.ts';
import { type ControlNode, openControlNode, openWithRelay } from '../support/control-node.ts';
import { SHOP_PIPELINE } from '../support/shop-pipeline.ts';

const SPARE = 'CREATE RELAY spare SCHEMA s UNBRANCHED CAPACITY 8;';

const ownerOf = (node: ControlNode, name: string): string | undefined =>
  node.state.schedule('d').find((entry) => entry.name === name)?.nodes[0];

/** What a refusal says, with the words of the query that it points at. */
async function refusal(
  node: ControlNode,
  query: string,
): Promise<readonly [code: string, message: string, place: string]> {
  const { code, message, diagnostics } = await node.refuse(query);
  const { start = 0, end = 0 } = diagnostics[0]?.span ?? {};
  return [code, message, query.slice(start, end)];
}

describe('cordons', () => {
  test('PS-35, CS-171, CS-173: a cordon keeps what runs, takes nothing new and survives a restart', async () => {
    const node = await openWithRelay();
    expect(await node.text('CORDON NODE n1;', { domain: null })).toBe("cordoned node 'n1'");
    expect(await node.text('CORDON NODE n1;')).toBe("cordoned node 'n1'");
    await node.run(SPARE);
    expect([ownerOf(node, 'r'), ownerOf(node, 'spare')]).toEqual(['n1', undefined]);
    const again = await node.restart();
    expect([ownerOf(again, 'r'), ownerOf(again, 'spare')]).toEqual(['n1', undefined]);
    expect(await again.text('EXPLAIN PLACEMENT RELAY spare;')).toContain(
      'node: - (waiting)\ncandidates:\n- none\nrejected:\n- n1 not_cordoned=fail (cordoned)',
    );
  });

  test('PS-25: what waited gets an owner as soon as a node may take it', async () => {
    const node = await openWithRelay();
    await node.run('CORDON NODE n1;');
    await node.run(SPARE);
    expect(await node.text('UNCORDON NODE n1;')).toBe("uncordoned node 'n1'");
    expect(ownerOf(node, 'spare')).toBe('n1');
    expect(await node.text('UNCORDON NODE n1;')).toBe("uncordoned node 'n1'");
  });

  test('PS-25: a graph with a node that waits for its owner does not run', async () => {
    const node = await openWithRelay();
    await node.run('START;');
    await node.run('CORDON NODE n1;');
    const reason =
      "relay 'spare' has no owner: no cluster node may take new work; see EXPLAIN PLACEMENT";
    const refused = await node.refuse(SPARE);
    expect([refused.code, refused.message]).toEqual(['ACTIVATION_FAILED', reason]);
    expect((await node.refuse('SHOW CREATE RELAY spare;')).code).toBe('NOT_FOUND');
    await node.run('STOP;');
    await node.run(SPARE);
    const start = await node.refuse('START;');
    expect(start.message).toBe(`failed to start domain 'd': ${reason}`);
    await node.run('UNCORDON NODE n1;');
    await node.run('START;');
    expect(node.state.domain('d')?.status).toBe('running');
  });

  test('CP-98: a transaction that would run what waits is refused before anything is applied', async () => {
    const node = await openWithRelay();
    await node.run('CORDON NODE n1;');
    const error = await node.refuse(`BEGIN; ${SPARE} START; COMMIT;`);
    expect(error.message).toContain("relay 'spare' has no owner");
    expect((await node.refuse('SHOW CREATE RELAY spare;')).code).toBe('NOT_FOUND');
  });
});

describe('drains and drops', () => {
  test('PS-36, SB-61: without another node a drain fails, and its cordon stays', async () => {
    for (const node of [await openWithRelay(), await openControlNode()]) {
      expect(await refusal(node, 'DRAIN NODE n1;')).toEqual([
        'INVALID_REQUEST',
        "cannot drain node 'n1': no live schedulable raft voters remain",
        'n1',
      ]);
      expect(node.state.isCordoned('n1')).toBe(true);
      expect(node.state.schedule('d').every(({ nodes }) => nodes[0] === 'n1')).toBe(true);
    }
  });

  test.each([
    ['CORDON NODE n9;', "failed to cordon node 'n9': node 'n9' is not a raft member"],
    ['UNCORDON NODE n9;', "failed to uncordon node 'n9': node 'n9' is not a raft member"],
    ['DRAIN NODE n9;', "node 'n9' is not a raft member"],
    ['DROP NODE n9;', "failed to drop node 'n9': node 'n9' is not a raft member"],
  ])('CP-130: %s names an unknown node', async (query, message) => {
    const node = await openControlNode();
    expect(await refusal(node, query)).toEqual(['NOT_FOUND', message, 'n9']);
    expect(node.state.isCordoned('n9')).toBe(false);
  });

  test('TX-39: a member is not dropped', async () => {
    expect(await refusal(await openControlNode(), 'DROP NODE n1;')).toEqual([
      'UNSUPPORTED_CAPABILITY',
      "failed to drop node 'n1': removing members is not supported by this release",
      'n1',
    ]);
  });
});

describe('moves on one node', () => {
  async function openShop(): Promise<ControlNode> {
    const node = await openControlNode();
    await node.run('CREATE DOMAIN d;');
    for (const statement of SHOP_PIPELINE) await node.run(statement);
    await node.run('CREATE PLACEMENT near FROM once TO big REQUIRE COLOCATION;');
    await node.run('CREATE PLACEMENT far FROM big TO alerts SUGGEST SEPARATION RANK 3;');
    return node;
  }

  test('PS-59: RELOCATE prints what DESCRIBE RELOCATION said, and nothing is written', async () => {
    const node = await openShop();
    const tail = 'FROM JUNCTION big TO EMITTER alerts ONTO NODE n1 IGNORE PREFERENCES;';
    const block = [
      "relocation onto node 'n1'",
      'quiesce level: DYNAMIC',
      'gated relays: -',
      'coverage:',
      '- junction big -> emitter alerts connected=yes covered=3',
      'unit:',
      ...[
        'kind=deduplicator name=once group=1 strategy=ignore reason=required',
        'kind=junction name=big group=1 strategy=ignore reason=selected',
        'kind=relay name=unique_sales group=1 strategy=ignore reason=required',
        'kind=emitter name=alerts group=2 strategy=ignore reason=selected',
        'kind=relay name=big_sales group=3 strategy=ignore reason=selected',
      ].map((line) => `- ${line} owner=n1 moves=no replicas=-`),
      'unsatisfied preferences: 3',
      '- suggest separation alerts <-> big (far)',
      '- suggest separation alerts <-> big_sales (far)',
      '- suggest separation big <-> big_sales (far)',
    ].join('\n');
    const revision = node.state.revisionOf('domain/d');
    expect(await node.text(`DESCRIBE RELOCATION ${tail}`)).toBe(block);
    expect(await node.text(`RELOCATE ${tail}`)).toBe(
      `relocated 0 of 5 runtime node(s) onto node 'n1'\n${block}`,
    );
    expect(node.state.revisionOf('domain/d')).toBe(revision);
  });

  test.each([
    ['JUNCTION gone ONTO NODE n1', "junction 'gone' does not exist in domain 'd'", 'gone'],
    [
      'INGESTOR sales_in ONTO NODE n1',
      "ingestor 'sales_in' cannot be relocated: " +
        'server-listener ingestors execute on every cluster node',
      'sales_in',
    ],
    ['JUNCTION big ONTO NODE n9', "node 'n9' is not a raft member", 'n9'],
  ])('PS-40, CS-166: RELOCATE %s is refused at its place', async (tail, message, place) => {
    const node = await openShop();
    for (const verb of ['RELOCATE', 'DESCRIBE RELOCATION']) {
      const [, ...rest] = await refusal(node, `${verb} ${tail} FOLLOW PREFERENCES;`);
      expect(rest).toEqual([message, place]);
    }
  });

  test.each([
    'INGESTOR',
    'REINGESTOR',
    'GENERATOR',
    'JUNCTION',
    'DEDUPLICATOR',
    'CORRELATOR',
    'REORDERER',
    'WINDOW PROCESSOR',
    'INFERENCER',
    'WASM PROCESSOR',
    'EMITTER',
    'HASH MAP',
    'RELAY',
  ])('PS-39: %s is a kind of both forms', async (kind) => {
    const node = await openShop();
    for (const verb of ['RELOCATE', 'DESCRIBE RELOCATION']) {
      const members = `${kind} gone, RELAY sales`;
      for (const form of [members, `FROM ${members} TO RELAY sales, ${kind} gone`]) {
        const [code, message, place] = await refusal(
          node,
          `${verb} ${form} ONTO NODE n1 FOLLOW PREFERENCES FOR RELAY sales IGNORE PREFERENCES;`,
        );
        expect([code, place]).toEqual(['NOT_FOUND', 'gone']);
        expect(message).toContain("'gone' does not exist in domain 'd'");
      }
    }
  });

  test.each([
    ['SCHEMA sale ONTO NODE n1 FOLLOW PREFERENCES', 'SCHEMA'],
    ['JUNCTION big ONTO NODE n1', ''],
    ['JUNCTION big ONTO NODE n1 FOR JUNCTION big FOLLOW PREFERENCES', 'FOR'],
    ['FROM JUNCTION big ONTO NODE n1 FOLLOW PREFERENCES', 'ONTO'],
  ])('PS-39: %s does not parse', async (tail, place) => {
    const node = await openShop();
    for (const verb of ['RELOCATE', 'DESCRIBE RELOCATION']) {
      const [code, , at] = await refusal(node, `${verb} ${tail}`);
      expect([code, at]).toEqual(['PARSE_FAILED', place]);
    }
  });

  test('PS-39: members that are named twice move once', async () => {
    const node = await openShop();
    const text = (members: string) =>
      node.text(`DESCRIBE RELOCATION ${members} ONTO NODE n1 IGNORE PREFERENCES;`);
    expect(await text('EMITTER alerts, RELAY sales, EMITTER alerts')).toBe(
      await text('RELAY sales, EMITTER alerts'),
    );
  });

  test('PS-40, PS-43: what covers nothing, contradicts itself or leads to a cordon is refused', async () => {
    const node = await openShop();
    const messageOf = async (tail: string): Promise<string> =>
      (await node.refuse(`RELOCATE ${tail};`)).message;
    expect(
      await messageOf('FROM EMITTER alerts TO JUNCTION big ONTO NODE n1 FOLLOW PREFERENCES'),
    ).toBe('relocation covers no runtime node: no FROM/TO pair is connected');
    expect(
      await messageOf(
        'JUNCTION big ONTO NODE n1 FOLLOW PREFERENCES FOR EMITTER alerts IGNORE PREFERENCES',
      ),
    ).toBe("emitter 'alerts' is not part of the relocation");
    await node.run('CORDON NODE n1;');
    expect(await messageOf('JUNCTION big ONTO NODE n1 FOLLOW PREFERENCES')).toBe(
      "node 'n1' is cordoned",
    );
  });

  test('PS-48: a relocation waits for nobody', async () => {
    const node = await openShop();
    node.context.locks.acquire('d', "command 'x'");
    const { code } = await node.refuse('RELOCATE JUNCTION big ONTO NODE n1 FOLLOW PREFERENCES;');
    expect(code).toBe('DOMAIN_BUSY');
    const text = await node.text(
      'DESCRIBE RELOCATION JUNCTION big ONTO NODE n1 FOLLOW PREFERENCES;',
    );
    expect(text).toContain("relocation onto node 'n1'");
  });

  test('PS-74, PS-77: REBALANCE prints its plan, and one node is balanced', async () => {
    const node = await openShop();
    const block = (scope: string) =>
      `rebalance of ${scope}\nquiesce level: DYNAMIC\nload: n1=8\ntarget: n1=8\n` +
      'no moves\nstopped: BALANCED';
    expect(await node.text('DESCRIBE REBALANCE;', { domain: null })).toBe(block('the cluster'));
    expect(await node.text('REBALANCE DOMAIN d MAX MOVES 3;')).toBe(
      `rebalanced 0 of 0 planned move(s)\n${block("domain 'd'")}`,
    );
    expect((await node.refuse('REBALANCE DOMAIN gone;')).code).toBe('NOT_FOUND');
  });
});

describe('automatic scheduling', () => {
  test('PS-30: a schedule records who decided it, in which term and from which revision', async () => {
    const node = await openWithRelay();
    const before = node.state.revisionOf('domain/d');
    await node.run(SPARE);
    expect(node.state.scheduleBasis('d')).toEqual({
      leader: 'n1',
      term: String(node.context.log.status().term),
      revision: before,
    });
  });

  test('PS-18, PS-26: planning again with unchanged inputs writes nothing', async () => {
    const node = await openWithRelay();
    const revision = node.state.revisionOf('schedule/d');
    const again = await node.restart();
    await again.run('CORDON NODE n1;');
    await again.run('UNCORDON NODE n1;');
    expect(again.state.revisionOf('schedule/d')).toBe(revision);
  });

  test('a domain that was stored without a schedule gets one when its node starts', async () => {
    const node = await openWithRelay();
    await node.context.log.write({ remove: ['schedule/d', 'assignment/d/relay/r'] });
    expect(await node.text('DESCRIBE RELAY r;')).toContain('owner: -');
    const again = await node.restart();
    expect(ownerOf(again, 'r')).toBe('n1');
  });

  test('PS-33: owners that left the membership are replaced when the node starts', async () => {
    const node = await openWithRelay();
    const schedule = node.state.schedule('d');
    const lost = schedule.map((entry) => ({ ...entry, nodes: ['gone'] }));
    await node.context.log.write({
      put: lost.map((entry) => ({ kind: 'assignment', domain: 'd', entry })),
    });
    expect(await node.text('DESCRIBE RELAY r;')).toContain('owner: gone');
    expect((await node.restart()).state.schedule('d')).toEqual(schedule);
  });

  test('a round plans only domains of which something changed since the last one', async () => {
    const node = await openWithRelay();
    await publishSchedules(node.context);
    let planned = 0;
    const state = new Proxy(node.state, {
      get(target, key) {
        if (key === 'scheduleBasis') planned += 1;
        const value: unknown = Reflect.get(target, key);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    const context = { ...node.context, state };
    await publishSchedules(context);
    expect(planned).toBe(0);
    await node.run('CORDON NODE n1;');
    await publishSchedules(context);
    expect(planned).toBe(1);
  });

  test('a change writes the assignments that it changes and no others', async () => {
    const node = await openWithRelay();
    const revision = () => node.state.revisionOf('assignment/d/relay/r');
    const before = revision();
    await node.run(SPARE);
    expect(node.state.revisionOf('assignment/d/relay/spare')).toBeGreaterThan(before);
    const decided = node.state.revisionOf('schedule/d');
    await node.run('CREATE SCHEMA more (id I64);');
    expect([revision(), node.state.revisionOf('schedule/d')]).toEqual([before, decided]);
    await node.run('DROP RELAY spare;');
    expect(node.state.revisionOf('assignment/d/relay/spare')).toBe(0);
    expect(node.state.schedule('d').map(({ name }) => name)).toEqual(['r']);
  });
});

describe('a cluster of several members, as the control plane plans for it', () => {
  const member = (name: string, isLive = true) => ({ name, isLive, isTerminating: false });
  const UNSUPPORTED = 'moving work between cluster nodes is not supported by this release';
  const RELOCATE = 'RELOCATE RELAY r ONTO NODE n2 FOLLOW PREFERENCES;';

  /** A node whose relay `r` is its own and which then sees two more. */
  async function openTrio(): Promise<ControlNode> {
    const node = await openWithRelay();
    node.members = ['n1', 'n2', 'n3'].map((name) => member(name));
    return node;
  }

  test('PS-47: RELOCATE of a stopped domain writes the schedule, whose block was described', async () => {
    const node = await openTrio();
    const block = await node.text(RELOCATE.replace('RELOCATE', 'DESCRIBE RELOCATION'));
    expect(block).toContain(
      '- kind=relay name=r group=1 strategy=follow reason=selected owner=n1 moves=yes ' +
        'replicas=- promoted_replica=no',
    );
    expect(await node.text(RELOCATE)).toBe(
      `relocated 1 of 1 runtime node(s) onto node 'n2'\n${block}`,
    );
    expect(ownerOf(node, 'r')).toBe('n2');
    expect(await node.text('DESCRIBE RELAY r;')).toContain('owner: n2');
  });

  test('what would move running work, drain or rebalance is refused at its place', async () => {
    const node = await openTrio();
    await node.run(SPARE);
    await node.run(RELOCATE.replace('n2', 'n3'));
    await node.run(RELOCATE.replace('RELAY r', 'RELAY spare').replace('n2', 'n3'));
    await node.run('START;');
    for (const query of [RELOCATE, 'REBALANCE;', 'DRAIN NODE n3;']) {
      expect(await refusal(node, query)).toEqual(['UNSUPPORTED_CAPABILITY', UNSUPPORTED, query]);
    }
    expect([ownerOf(node, 'r'), ownerOf(node, 'spare')]).toEqual(['n3', 'n3']);
  });

  test('SB-61: a node that holds nothing is drained', async () => {
    const node = await openTrio();
    expect(await node.text('DRAIN NODE n3;')).toBe(
      "drained node 'n3' (moved 0 of 0 scheduled graph node(s))\nquiesce level: DYNAMIC",
    );
    expect(node.state.isCordoned('n3')).toBe(true);
  });

  test('PS-33: a lost owner is replaced by itself, and a node that returns gets nothing back', async () => {
    const node = await openTrio();
    await node.run(RELOCATE);
    node.members = [member('n1'), member('n2', false), member('n3')];
    await publishSchedules(node.context);
    const owner = ownerOf(node, 'r');
    expect(owner).not.toBe('n2');
    node.members = ['n1', 'n2', 'n3'].map((name) => member(name));
    await publishSchedules(node.context);
    expect(ownerOf(node, 'r')).toBe(owner);
    expect(node.logLines.join('')).toContain('relay r: stateless');
  });

  test('CP-26, PS-28: a default that brings neighbours together moves them and says how many', async () => {
    const node = await openControlNode();
    await node.run('CREATE DOMAIN d;');
    for (const statement of SHOP_PIPELINE) await node.run(statement);
    node.members = [member('n1'), member('n2')];
    await node.run('RELOCATE JUNCTION big ONTO NODE n2 IGNORE PREFERENCES;');
    expect(await node.text('ALTER DOMAIN SET PLACEMENT REQUIRE COLOCATION;')).toBe(
      "set domain 'd' placement to REQUIRE COLOCATION; quiesce level: DYNAMIC\n" +
        'planned relocations: 1',
    );
    expect(ownerOf(node, 'big')).toBe('n1');
  });
});

describe('CS-344: feature levels', () => {
  const statement = (level: number): string => `ALTER CLUSTER SET FEATURE LEVEL ${level};`;

  test('a level that a member does not support is refused where it stands, and nothing changes', async () => {
    const node = await openControlNode();
    expect(await refusal(node, statement(2))).toEqual([
      'UNSUPPORTED_LEVEL',
      "cannot activate feature level 2: node 'n1' supports 1 to 1",
      '2',
    ]);
    expect(await refusal(node, statement(3))).toEqual([
      'UNSUPPORTED_LEVEL',
      'cannot activate feature level 3: the cluster has activated level 1',
      '3',
    ]);
    const [, message] = await refusal(node, 'ALTER CLUSTER SET FEATURE LEVEL 4000000000;');
    expect(message).toContain('level 4000000000: the cluster has activated level 1');
    expect(node.context.log.status().level).toBe(1);
  });

  test('an activation has one outcome, also when its node ended before that was recorded', async () => {
    const node = await openControlNode();
    const status = node.context.log.status();
    const seen = vi.spyOn(node.context.log, 'status');
    const activate = vi
      .spyOn(node.context.log, 'activateLevel')
      .mockImplementation(async (level) => {
        seen.mockReturnValue({ ...status, level });
      });
    const asked = { domain: null, execution_reference: node.reference() };
    expect((await node.run(statement(2), asked)).message).toBe('activated feature level 2');
    expect((await node.run(statement(2), asked)).message).toBe('activated feature level 2');
    // Whoever took it up again finds the level and records what came of it.
    const again = await node.run(statement(2), { domain: null });
    expect(again.message).toBe('activated feature level 2');
    expect(activate).toHaveBeenCalledTimes(1);
  });

  test('a failure of the log is none of the levels', async () => {
    const node = await openControlNode();
    const unknown = new RaftError('RAFT_LEADERSHIP_LOST', {});
    vi.spyOn(node.context.log, 'activateLevel').mockRejectedValue(unknown);
    const { message } = await node.run(statement(2));
    expect(message).toBe('the node does not lead any more; the outcome is unknown');
  });
});
