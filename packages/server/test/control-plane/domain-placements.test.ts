import { modelKey } from '@nervix/model';
import { ModelSet } from '@nervix/planner';
import type { Steps } from '@nervix/scheduler';
import { expect, test } from 'vitest';
import { DomainPlacements } from '../../src/control-plane/scheduling/domain-placements.ts';
import { publishSchedules } from '../../src/control-plane/scheduling/publish-schedules.ts';
import { openWithRelay } from '../support/control-node.ts';

/** Work that notes its beginning and its end, and takes long enough to be put down in between. */
function* noted(name: string, notes: string[]): Steps<string> {
  notes.push(`${name} begins`);
  const until = performance.now() + 15;
  while (performance.now() < until) yield;
  yield;
  notes.push(`${name} ends`);
  return name;
}

test('work on one domain waits for its turn, and that on another one does not', async () => {
  const placements = new DomainPlacements();
  const notes: string[] = [];
  const results = await Promise.all([
    placements.run('a', () => noted('first', notes)),
    placements.run('a', () => noted('second', notes)),
    placements.run('b', () => noted('other', notes)),
  ]);
  expect(results).toEqual(['first', 'second', 'other']);
  expect(notes.indexOf('second begins')).toBeGreaterThan(notes.indexOf('first ends'));
  expect(notes.indexOf('other begins')).toBeLessThan(notes.indexOf('first ends'));
});

test('work of one domain shares a registry, and a failure does not hold up what follows', async () => {
  const placements = new DomainPlacements();
  const seen = new Set<unknown>();
  const work = placements.run('a', (registry) => {
    seen.add(registry);
    throw new Error('broken');
  });
  await expect(work).rejects.toThrow('broken');
  await placements.run('a', function* (registry) {
    seen.add(registry);
    yield;
  });
  expect(seen.size).toBe(1);
});

test('PS-71 a committed placement is resolved once a revision', async () => {
  const placements = new DomainPlacements();
  const relay = {
    kind: 'relay',
    name: 'r',
    schema: 's',
    branching: { kind: 'unbranched' },
    capacity: '1',
    materialized: false,
  } as const;
  const models = ModelSet.of(new Map([[modelKey('relay', 'r'), relay]]));
  const domain = { name: 'a', placement: 'NEUTRAL' } as const;
  const [first, second] = [
    await placements.committed(domain, models, 1),
    await placements.committed(domain, models, 1),
  ];
  expect(second).toBe(first);
  const altered = { ...domain, placement: 'PREFER COLOCATION' } as const;
  const next = await placements.committed(altered, models, 2);
  expect(next).toMatchObject({ placement: { defaultPolicy: 'PREFER COLOCATION' } });
});

test('PS-30 a schedule that a change overtook while it was planned is not written', async () => {
  const node = await openWithRelay();
  await node.run('CORDON NODE n1;');
  await node.run('CREATE RELAY late SCHEMA s UNBRANCHED CAPACITY 8;');
  expect(node.state.schedule('d').find(({ name }) => name === 'late')?.nodes).toEqual([]);
  await node.context.log.write({ remove: ['cordon/n1'] });
  const { placements } = node.context;
  const committed = placements.committed.bind(placements);
  placements.committed = async (...parts) => {
    const outcome = await committed(...parts);
    await node.context.log.write({ put: [{ kind: 'cordon', node: 'n1' }] });
    return outcome;
  };
  await publishSchedules(node.context);
  expect(node.state.schedule('d').find(({ name }) => name === 'late')?.nodes).toEqual([]);
  expect(node.logLines.join('')).toContain('"reason":"revision"');
  placements.committed = committed;
  await node.context.log.write({ remove: ['cordon/n1'] });
  await publishSchedules(node.context);
  expect(node.state.schedule('d').find(({ name }) => name === 'late')?.nodes).toEqual(['n1']);
});
