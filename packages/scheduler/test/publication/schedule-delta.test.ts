import { test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { computeSchedule } from '../../src/computation/compute-schedule.js';
import { scheduleDelta } from '../../src/publication/schedule-delta.js';
import { scheduleInputArbitrary } from '../support/domain-arbitrary.js';
import { entries } from '../support/domain-fixture.js';

const running = { isRunning: true };

describe('PS-32 scheduleDelta', () => {
  test.each([
    ['nothing', { a: 'n1 n2' }, { a: 'n1 n2' }, 'unchanged', 'DYNAMIC'],
    ['a replica', { a: 'n1 n2' }, { a: 'n1 n3' }, 'replica_only', 'DYNAMIC'],
    ['an owner', { a: 'n1 n2', b: 'n1' }, { a: 'n2 n1', b: 'n1' }, 'primary_moved', 'ENTITY_PAUSE'],
    ['a new graph node', { a: 'n1' }, { a: 'n1', b: 'n1' }, 'structural', 'DYNAMIC'],
    ['a graph node that is gone', { a: 'n1' }, {}, 'structural', 'DYNAMIC'],
    ['a first owner', { a: '' }, { a: 'n1' }, 'structural', 'DYNAMIC'],
    [
      'a move beside a new graph node',
      { a: 'n1' },
      { a: 'n2', b: 'n1' },
      'structural',
      'ENTITY_PAUSE',
    ],
  ])('%s', (_, before, after, change, level) => {
    expect(scheduleDelta(entries(before), entries(after), running)).toMatchObject({
      change,
      level,
    });
  });

  test('lists may come in any order', () => {
    const before = entries({ a: 'n1', b: 'n1', c: 'n2', e: 'n1' });
    const after = entries({ b: 'n2', c: 'n2', d: 'n1', e: 'n1' });
    const delta = scheduleDelta(before, after, running);
    expect(delta.entries.map(({ name, change }) => `${name} ${change}`)).toEqual([
      'a structural',
      'b primary_moved',
      'c unchanged',
      'd structural',
      'e unchanged',
    ]);
    expect(scheduleDelta(before.toReversed(), after, running)).toEqual(delta);
    expect(scheduleDelta(before, after.toReversed(), running)).toEqual(delta);
  });

  test('an owner that changes in a stopped domain pauses nothing', () => {
    const delta = scheduleDelta(entries({ a: 'n1' }), entries({ a: 'n2' }), { isRunning: false });
    expect(delta).toEqual({
      entries: [{ kind: 'junction', name: 'a', change: 'primary_moved' }],
      change: 'primary_moved',
      level: 'DYNAMIC',
    });
  });

  test('PS-24 a listener that follows the membership moves nothing', () => {
    const listeners = [{ kind: 'ingestor', name: 'i' }];
    const delta = scheduleDelta(
      entries({ 'ingestor:i': 'n2 n3' }),
      entries({ 'ingestor:i': 'n1 n2' }),
      { ...running, listeners },
    );
    expect(delta).toMatchObject({ change: 'replica_only', level: 'DYNAMIC' });
  });

  test('other guest generations are structural, in whatever order they are listed', () => {
    const [entry] = entries({ 'wasm_processor:w': 'n1' });
    if (entry === undefined) throw new Error('expected an entry');
    const at = (byBranch: Record<string, number>) => [
      { ...entry, guestGenerations: { common: 1, byBranch } },
    ];
    expect(scheduleDelta(at({ a: 1, b: 1 }), at({ b: 1, a: 1 }), running).change).toBe('unchanged');
    expect(scheduleDelta(at({ a: 1 }), at({ a: 2 }), running).change).toBe('structural');
    expect(scheduleDelta([entry], at({}), running).change).toBe('unchanged');
  });
});

property.prop([scheduleInputArbitrary])(
  'PS-32 primaries that moved are the relocations of the computation',
  (input) => {
    const schedule = computeSchedule(input);
    const listeners = input.traits.filter(({ runs }) => runs === 'every_node');
    const delta = scheduleDelta(input.previous, schedule.entries, { ...running, listeners });
    const moved = delta.entries.filter(({ change }) => change === 'primary_moved');
    expect(moved.map(({ name }) => name)).toEqual(schedule.relocations.map(({ name }) => name));
  },
);
