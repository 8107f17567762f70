import { expect, test } from 'vitest';
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
