import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { type ScheduleNode, type ScheduleUnit, schedule } from '../src/index.js';

const node = (name: string, change: Partial<ScheduleNode> = {}): ScheduleNode => ({
  name,
  isLive: true,
  isCordoned: false,
  isTerminating: false,
  ...change,
});
const unit = (name: string, change: Partial<ScheduleUnit> = {}): ScheduleUnit => ({
  kind: 'junction',
  name,
  placement: 'single',
  ...change,
});
const owners = (result: ReturnType<typeof schedule>) =>
  Object.fromEntries(result.assignments.map((entry) => [entry.name, entry.nodes[0] ?? null]));

describe('schedule', () => {
  test('new units go to the least loaded node, then to the smaller name', () => {
    const result = schedule({
      nodes: [node('b'), node('a')],
      units: [unit('u1'), unit('u2'), unit('u3')],
      current: [],
    });
    expect(owners(result)).toEqual({ u1: 'a', u2: 'b', u3: 'a' });
    expect(result.relocations).toEqual([]);
  });

  test('PS-26 joining nodes and new units move nothing', () => {
    const current = [
      { kind: 'junction', name: 'u1', nodes: ['a'] },
      { kind: 'junction', name: 'u2', nodes: ['a'] },
    ];
    const result = schedule({
      nodes: [node('a'), node('b')],
      units: [unit('u1'), unit('u2'), unit('u3')],
      current,
    });
    expect(owners(result)).toEqual({ u1: 'a', u2: 'a', u3: 'b' });
  });

  test.each([
    ['cordoned', { isCordoned: true }],
    ['terminating', { isTerminating: true }],
  ])('PS-19 a %s owner is live: it keeps its units and receives none', (_, change) => {
    const result = schedule({
      nodes: [node('a', change), node('b')],
      units: [unit('u1'), unit('u2')],
      current: [{ kind: 'junction', name: 'u1', nodes: ['a'] }],
    });
    expect(owners(result)).toEqual({ u1: 'a', u2: 'b' });
  });

  test('a dead owner is replaced and the move is reported', () => {
    const result = schedule({
      nodes: [node('a', { isLive: false }), node('b')],
      units: [unit('u1')],
      current: [{ kind: 'junction', name: 'u1', nodes: ['a'] }],
    });
    expect(owners(result)).toEqual({ u1: 'b' });
    expect(result.relocations).toEqual([{ kind: 'junction', name: 'u1', from: 'a', to: 'b' }]);
  });

  test('PS-25 without a candidate a new unit waits and an owned one keeps its assignment', () => {
    const nodes = [
      node('a', { isLive: false }),
      node('b', { isCordoned: true }),
      node('c', { isTerminating: true }),
    ];
    const result = schedule({
      nodes,
      units: [unit('u1'), unit('u2')],
      current: [{ kind: 'junction', name: 'u1', nodes: ['a'] }],
    });
    expect(owners(result)).toEqual({ u1: 'a', u2: null });
    expect(result.refusals.map((refusal) => refusal.name)).toEqual(['u1', 'u2']);
    expect(result.refusals[1]).toMatchObject({
      code: 'SCHED_NO_FEASIBLE_NODE',
      message: "no cluster node can run junction 'u2' (a: not live, b: cordoned, c: terminating)",
      nodes: [
        { node: 'a', reason: 'not_live' },
        { node: 'b', reason: 'cordoned' },
        { node: 'c', reason: 'terminating' },
      ],
    });
    const empty = schedule({ nodes: [], units: [unit('u1')], current: [] });
    expect(empty.refusals[0]?.message).toBe(
      "no cluster node can run junction 'u1' (the cluster has no node)",
    );
  });

  test('PS-24 listeners run on every live node and are never relocated', () => {
    const result = schedule({
      nodes: [node('b', { isCordoned: true }), node('a'), node('c', { isLive: false })],
      units: [unit('i', { kind: 'ingestor', placement: 'every_node' })],
      current: [{ kind: 'ingestor', name: 'i', nodes: ['c'] }],
    });
    expect(result.assignments).toEqual([{ kind: 'ingestor', name: 'i', nodes: ['a', 'b'] }]);
    expect(result.relocations).toEqual([]);
  });

  test('equal names of different kinds are different units', () => {
    const result = schedule({
      nodes: [node('a')],
      units: [unit('x', { kind: 'relay' }), unit('x')],
      current: [],
    });
    expect(result.assignments.map((entry) => entry.kind)).toEqual(['junction', 'relay']);
  });
});

const nodesArbitrary = fc.uniqueArray(
  fc.record({
    name: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    isLive: fc.boolean(),
    isCordoned: fc.boolean(),
    isTerminating: fc.boolean(),
  }),
  { selector: (entry) => entry.name, maxLength: 5 },
);
const unitsArbitrary = fc
  .uniqueArray(fc.nat(20), { maxLength: 12 })
  .map((ids) => ids.map((id) => unit(`u${id}`)));

property.prop([nodesArbitrary, unitsArbitrary])(
  'PS-18 list order is irrelevant and a second run moves nothing',
  (nodes, units) => {
    const first = schedule({ nodes, units, current: [] });
    const reversed = schedule({
      nodes: nodes.toReversed(),
      units: units.toReversed(),
      current: [],
    });
    expect(reversed).toEqual(first);
    const again = schedule({ nodes, units, current: first.assignments });
    expect(again.assignments).toEqual(first.assignments);
    expect(again.relocations).toEqual([]);
  },
);

property.prop([nodesArbitrary, unitsArbitrary])(
  'new owners are feasible and loads differ by at most one',
  (nodes, units) => {
    const result = schedule({ nodes, units, current: [] });
    const load = new Map<string, number>();
    for (const entry of nodes) {
      if (entry.isLive && !entry.isCordoned && !entry.isTerminating) load.set(entry.name, 0);
    }
    for (const { nodes: assigned } of result.assignments) {
      for (const name of assigned) {
        expect(load.has(name)).toBe(true);
        load.set(name, (load.get(name) ?? 0) + 1);
      }
    }
    if (load.size > 0) {
      expect(Math.max(...load.values()) - Math.min(...load.values())).toBeLessThanOrEqual(1);
    }
  },
);
