import { describe, expect, test } from 'vitest';
import type { ClusterMember } from '../../src/cluster/cluster-health.ts';
import type { ControlContext } from '../../src/control-plane/control-context.ts';
import { publishSchedules } from '../../src/control-plane/scheduling/publish-schedules.ts';
import { Reconciliation } from '../../src/control-plane/scheduling/reconciliation.ts';
import {
  type ControlNode,
  openControlNode,
  openWithRelay,
  until,
} from '../support/control-node.ts';
import { SHOP_PIPELINE } from '../support/shop-pipeline.ts';

function member(name: string, isLive = true): ClusterMember {
  return { name, isLive, isTerminating: false };
}

/** A stopped domain whose relay belongs to `n2`, which has just failed. */
async function openWithLoss(): Promise<ControlNode> {
  const node = await openWithRelay();
  const [entry] = node.state.schedule('d');
  if (entry === undefined) throw new Error('the relay has a place');
  const moved = { ...entry, nodes: ['n2'] };
  await node.context.log.write({ put: [{ kind: 'assignment', domain: 'd', entry: moved }] });
  node.members = [member('n1'), member('n2', false)];
  return node;
}

function ownerOf(node: ControlNode): string | undefined {
  return node.state.schedule('d')[0]?.nodes[0];
}

/** The context of a node in which something happens while a schedule is computed. */
function meanwhile(node: ControlNode, happen: () => unknown): ControlContext {
  const { placements } = node.context;
  const committed: typeof placements.committed = async (...given) => {
    const outcome = await placements.committed(...given);
    await happen();
    return outcome;
  };
  const slowed = new Proxy(placements, {
    get: (target, key) => (key === 'committed' ? committed : Reflect.get(target, key).bind(target)),
  });
  return { ...node.context, placements: slowed };
}

describe('CP-127, CS-160, CS-161: a schedule that nobody asked for', () => {
  test('is published where nothing happened since, and nothing else moves with it', async () => {
    const node = await openWithLoss();
    await publishSchedules(node.context);
    expect(ownerOf(node)).toBe('n1');
    expect(node.state.scheduleBasis('d')).toMatchObject({ leader: 'n1' });
  });

  test.each<readonly [string, string, (node: ControlNode) => unknown]>([
    ['a command of whatever kind', 'revision', (node) => node.begin()],
    [
      'another verdict on a member',
      'health',
      (node) => {
        node.members = [...node.members, member('n3')];
      },
    ],
    ['CP-139: another feature level', 'feature level', (node) => node.activateLevel(2)],
    [
      'a later term',
      'tenure',
      (node) => {
        const status = node.context.log.status.bind(node.context.log);
        node.context.log.status = () => ({ ...status(), term: status().term + 1n });
      },
    ],
  ])('is computed anew behind %s', async (_name, reason, happen) => {
    const node = await openWithLoss();
    const { revision } = node.state;
    await publishSchedules(meanwhile(node, () => happen(node)));
    expect(ownerOf(node)).toBe('n2');
    expect(node.logLines.join('')).toContain(`"reason":"${reason}","message":"schedule outrun"`);
    if (reason !== 'revision') expect(node.state.revision, 'nothing was written').toBe(revision);
  });

  test('is not computed anew for an observation that leaves everybody as they were', async () => {
    const node = await openWithLoss();
    const again = (): void => {
      node.members = node.members.map((each) => ({ ...each }));
    };
    await publishSchedules(meanwhile(node, again));
    expect(ownerOf(node)).toBe('n1');
  });

  test('CP-139: is looked for again behind another feature level', async () => {
    const node = await openWithRelay();
    let computed = 0;
    const context = meanwhile(node, () => {
      computed += 1;
    });
    await publishSchedules(context);
    await publishSchedules(context);
    expect(computed, 'nothing changed').toBe(1);
    node.activateLevel(2);
    await publishSchedules(context);
    expect(computed).toBe(2);
  });

  test('is refused by the log behind a command that overtook it on the way', async () => {
    const node = await openWithLoss();
    const write = node.context.log.write.bind(node.context.log);
    node.context.log.write = async (command) => {
      if (command.decision !== undefined) {
        await write({ put: [{ kind: 'latest_begin', domain: 'd', transaction: 't' }] });
      }
      return write(command);
    };
    await publishSchedules(node.context);
    expect(ownerOf(node)).toBe('n2');
    node.context.log.write = write;
    await publishSchedules(node.context);
    expect(ownerOf(node), 'the next round').toBe('n1');
  });
});

describe('CP-128, CS-164: the start of a process', () => {
  test('decides nothing before it has seen the cluster', async () => {
    const node = await openWithLoss();
    await publishSchedules({ ...node.context, maySchedule: () => false });
    expect(ownerOf(node)).toBe('n2');
  });
});

describe('CP-129, CS-163: what a member that comes or goes changes', () => {
  test('listeners follow, everything else stays while its owner lives', async () => {
    const node = await openControlNode();
    await node.run('CREATE DOMAIN d;');
    for (const statement of SHOP_PIPELINE) await node.run(statement);
    const placed = () =>
      Object.fromEntries(
        node.state.schedule('d').map(({ kind, name, nodes }) => [`${kind} ${name}`, nodes]),
      );
    const before = placed();
    const listeners = Object.keys(before).filter((each) => each.startsWith('ingestor'));
    expect(listeners.length).toBeGreaterThan(0);
    node.members = [member('n1'), member('n2')];
    await publishSchedules(node.context);
    const widened = Object.fromEntries(listeners.map((each) => [each, ['n1', 'n2']]));
    expect(placed()).toEqual({ ...before, ...widened });
    node.members = [member('n1'), member('n2', false)];
    await publishSchedules(node.context);
    expect(placed()).toEqual(before);
  });

  /** A stopped domain with `r`, a junction behind it and `p`, owned as given. */
  async function openOwned(owners: Readonly<Record<string, string>>): Promise<ControlNode> {
    const node = await openWithRelay();
    await node.run('CREATE RELAY p SCHEMA s UNBRANCHED CAPACITY 8;');
    await node.run(`CREATE JUNCTION j FROM r UNBRANCHED
      TO p INHERIT ALL FLUSH IMMEDIATE ON MESSAGE ERROR LOG;`);
    for (const entry of node.state.schedule('d')) {
      const moved = { ...entry, nodes: [owners[entry.name] ?? 'n1'] };
      await node.context.log.write({ put: [{ kind: 'assignment', domain: 'd', entry: moved }] });
    }
    return node;
  }
  const nodesOf = (node: ControlNode) =>
    Object.fromEntries(node.state.schedule('d').map(({ name, nodes }) => [name, nodes]));

  test.each([
    ['PREFER COLOCATION', { r: 'n1', j: 'n2', p: 'n1' }],
    ['SUGGEST SEPARATION', { r: 'n1', j: 'n1', p: 'n1' }],
  ])('%s moves nothing that has an owner, and relays have no replicas', async (policy, owners) => {
    const node = await openOwned(owners);
    node.members = [member('n1'), member('n2')];
    await node.run(`ALTER DOMAIN SET PLACEMENT ${policy};`);
    node.members = [member('n1'), member('n2'), member('n3')];
    await publishSchedules(node.context);
    expect(nodesOf(node)).toEqual({ r: [owners.r], j: [owners.j], p: [owners.p] });
  });

  test('a group that has to be together moves as one when its owner is lost, and nothing else', async () => {
    const node = await openOwned({ r: 'n2', j: 'n2', p: 'n3' });
    node.members = [member('n1'), member('n2'), member('n3')];
    await node.run('CREATE PLACEMENT near FROM r TO j REQUIRE COLOCATION;');
    expect(nodesOf(node)).toEqual({ r: ['n2'], j: ['n2'], p: ['n3'] });
    node.members = [member('n1'), member('n2', false), member('n3')];
    await publishSchedules(node.context);
    const { r, j, p } = nodesOf(node);
    expect(r).toEqual(j);
    expect(['n1', 'n3']).toContain(r?.[0]);
    expect(p).toEqual(['n3']);
  });

  test('a rejected candidate writes nothing', async () => {
    const node = await openWithLoss();
    node.members = [member('n1', false), member('n2', false)];
    const { revision } = node.state;
    await publishSchedules(node.context);
    expect([ownerOf(node), node.state.revision]).toEqual(['n2', revision]);
  });
});

test('CS-160: a round schedules as the leader alone, and one at a time', async () => {
  const node = await openWithLoss();
  let computed = 0;
  const context = meanwhile(node, () => {
    computed += 1;
  });
  const reconciliation = new Reconciliation(context, node.activation);
  const status = node.context.log.status.bind(node.context.log);
  node.context.log.status = () => ({ ...status(), role: 'follower' });
  reconciliation.round();
  expect(computed).toBe(0);
  node.context.log.status = status;
  for (let round = 0; round < 3; round += 1) reconciliation.round();
  await until(() => ownerOf(node) === 'n1');
  expect(computed).toBe(1);
});
