import { expect, test } from 'vitest';
import { computeSchedule } from '../../src/computation/compute-schedule.js';
import { memberTraits } from '../../src/computation/member-traits.js';
import { buildPlacementGraph } from '../../src/placement/build-placement-graph.js';
import type { PlacementRule } from '../../src/placement/placement-rule.js';
import { nodes, resolved } from '../support/domain-fixture.js';

const keys = Array.from({ length: 60 }, (_, index) => ({
  kind: index % 2 === 0 ? 'junction' : 'relay',
  name: `m${String(index).padStart(2, '0')}`,
}));
const edges = keys.slice(1).map((to, index) => ({ from: keys[index] ?? to, to }));

const rule = (name: string, at: number, rank: string | null): PlacementRule => ({
  name,
  from: keys.slice(at, at + 1),
  to: keys.slice(at + 1, at + 2),
  policy: 'PREFER COLOCATION',
  rank,
});

/** Sixty placed units, with one rule whose rank differs between calls. */
const input = (rank: string | null, policy: PlacementRule['policy'] = 'PREFER COLOCATION') => ({
  placement: resolved({
    domain: 'd',
    graph: buildPlacementGraph(keys, edges),
    defaultPolicy: 'NEUTRAL',
    rules: [
      { ...rule('close', 10, rank), policy },
      { ...rule('apart', 10, '5'), policy: 'SUGGEST SEPARATION' },
      rule('other', 40, null),
    ],
  }),
  traits: keys.map((key) => memberTraits(key)),
  nodes: nodes('n1', 'n2', 'n3', 'n4', 'n5'),
  replicaCount: 1,
  previous: [],
});

test('BC-36 PS-26 raising the rank of one preference moves nothing that is placed', () => {
  const before = computeSchedule(input('9'));
  expect(new Set(before.entries.map((entry) => entry.nodes[0])).size).toBe(5);
  const after = computeSchedule({ ...input('1'), previous: before.entries });
  expect(after.entries).toEqual(before.entries);
  expect(after.plannedRelocations).toBe(0);
});

test('BC-36 PS-28 a rule that becomes a requirement moves its own two units at most', () => {
  const before = computeSchedule(input('9'));
  const required = { ...input('1', 'REQUIRE COLOCATION'), previous: before.entries };
  const after = computeSchedule(required);
  const touched = keys.slice(10, 12).map(({ name }) => name);
  for (const { name } of after.relocations) expect(touched).toContain(name);
  expect(after.plannedRelocations).toBe(after.relocations.length);
  const owners = after.entries.filter(({ name }) => touched.includes(name));
  expect(new Set(owners.map((entry) => entry.nodes[0])).size).toBe(1);
});
