import { expect, test, vi } from 'vitest';
import { openControlNode } from '../support/control-node.ts';

test('CP-121 CS-172 an empty node has every section', async () => {
  const node = await openControlNode();
  const { term, lastIndex, appliedIndex } = node.context.log.status();
  const text = await node.text('SHOW CLUSTER STATUS;', { domain: null });
  expect(text.split('\n')).toEqual([
    '[chitchat]',
    '- none',
    '',
    '[raft]',
    'raft.id: n1',
    'raft.current_leader: n1',
    `raft.current_term: ${term}`,
    'raft.state: Leader',
    'raft.node_unavailability_timeout: 10s',
    'raft.cordoned_nodes: (none)',
    `raft.last_log_index: ${lastIndex}`,
    `raft.last_applied: ${appliedIndex}`,
    'raft.membership:',
    '- n1 [voter] -',
    '',
    '[interconnect]',
    '- none',
    '',
    '[domains]',
    '- none',
    '',
    '[schedule]',
    '- none',
    '',
    '[authority]',
    'feature_level.activated: 1',
    'feature_level.nodes: n1=1-1',
    '',
    '[warnings]',
    '- none',
  ]);
});

test('PS-61 CP-28 it shows cordons, domains, owners and members that do not answer', async () => {
  const node = await openControlNode();
  node.members = [
    { name: 'n1', isLive: true, isTerminating: false },
    { name: 'n2', isLive: false, isTerminating: false },
  ];
  await node.run('CREATE DOMAIN empty;');
  await node.run('CREATE DOMAIN d;');
  await node.run('CREATE SCHEMA sale (id I64);');
  await node.run('CREATE RELAY sales SCHEMA sale UNBRANCHED CAPACITY 8;');
  await node.run('START;');
  await node.run('CORDON NODE n1;');
  const text = await node.text('SHOW CLUSTER STATUS;');
  const section = (name: string) =>
    text
      .split('\n\n')
      .find((part) => part.startsWith(`[${name}]`))
      ?.split('\n')
      .slice(1);
  expect(section('raft')).toContain('raft.cordoned_nodes: n1');
  expect(section('domains')).toEqual([
    '- d status=Running pace=UNPACED',
    '- empty status=Stopped pace=UNPACED',
  ]);
  expect(section('schedule')).toEqual([
    '- domain=d kind=relay name=sales owner=n1 replicas=-',
    '- domain=empty nodes=none',
  ]);
  expect(section('warnings')).toEqual([
    "- raft member 'n2' is marked unavailable by application health",
  ]);
});

test('CS-345: it shows what members support, and warns once all of them support the next level', async () => {
  const node = await openControlNode();
  const status = node.context.log.status();
  const record = status.configuration;
  const [voter] = record?.configuration.voters ?? [];
  if (record === undefined || voter === undefined) throw new Error('the node is a cluster');
  const seen = vi.spyOn(node.context.log, 'status');
  const shown = async (first: number, second: number): Promise<readonly string[]> => {
    const of = (nodeId: string, newest: number) => ({
      ...voter,
      nodeId,
      levels: { oldest: Math.max(1, newest - 1), newest },
    });
    const configuration = {
      ...record.configuration,
      voters: [of('n2', second)],
      learners: [of('n1', first)],
    };
    seen.mockReturnValue({ ...status, level: 2, configuration: { ...record, configuration } });
    const text = await node.text('SHOW CLUSTER STATUS;', { domain: null });
    return text.split('\n').filter((line) => line.includes('feature'));
  };
  expect(await shown(2, 3)).toEqual([
    'feature_level.activated: 2',
    'feature_level.nodes: n1=1-2, n2=2-3',
  ]);
  expect(await shown(3, 3)).toEqual([
    'feature_level.activated: 2',
    'feature_level.nodes: n1=2-3, n2=2-3',
    '- feature level 3 can be activated',
  ]);
});
