import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import {
  decidePartitions,
  type PartitionSchedule,
  partitionLines,
} from '../../src/partitions/partition-schedule.js';

const committed = (
  stored: PartitionSchedule | undefined,
  instances: number,
  partitions: readonly number[],
): PartitionSchedule => {
  const model = { topic: 't', instances };
  const decision = decidePartitions(model, stored, { ...model, partitions });
  if (decision.kind !== 'commit') throw new Error(`expected a commit, got ${decision.kind}`);
  return decision.schedule;
};

describe('decidePartitions', () => {
  test('PS-50 deals ascending partitions in turn and leaves surplus instances empty', () => {
    expect(committed(undefined, 2, [4, 0, 2, 0]).byInstance).toEqual([[0, 4], [2]]);
    expect(committed(undefined, 3, [5]).byInstance).toEqual([[5], [], []]);
    expect(committed(undefined, 0, [1, 0]).byInstance).toEqual([[0, 1]]);
  });

  test.each([
    ['topic', { topic: 'u', instances: 2 }],
    ['instances', { topic: 't', instances: 3 }],
  ] as const)('PS-51 discards an observation made for another %s', (reason, seen) => {
    const decision = decidePartitions({ topic: 't', instances: 2 }, undefined, {
      ...seen,
      partitions: [0],
    });
    expect(decision).toEqual({ kind: 'discarded', reason });
  });

  test('PS-51 another topic with equal partitions is a change', () => {
    const model = { topic: 'u', instances: 1 };
    const decision = decidePartitions(model, committed(undefined, 1, [0]), {
      ...model,
      partitions: [0],
    });
    expect(decision).toMatchObject({ kind: 'commit', schedule: { epoch: 1, topic: 'u' } });
  });

  test('PS-53 TX-13 prints observed partitions, epoch and a line an instance', () => {
    expect(partitionLines(2, committed(committed(undefined, 2, [0]), 2, [0, 1, 2]))).toEqual([
      'kafka observed partitions: 0,1,2',
      'kafka rebalance epoch: 1',
      'kafka instance 0 partitions: 0,2',
      'kafka instance 1 partitions: 1',
    ]);
  });

  test('TX-13 before the first observation', () => {
    expect(partitionLines(2, undefined)).toEqual([
      'kafka observed partitions: -',
      'kafka rebalance epoch: 0',
      'kafka instance 0 partitions: -',
      'kafka instance 1 partitions: -',
    ]);
  });
});

const partitionsArbitrary = fc.array(fc.nat(40), { maxLength: 20 });
const historyArbitrary = fc.array(fc.tuple(fc.integer({ min: 0, max: 6 }), partitionsArbitrary), {
  minLength: 1,
  maxLength: 8,
});

property.prop([historyArbitrary])(
  'PS-50 PS-51 lists partition what was observed, epochs rise by one, repeats write nothing',
  (history) => {
    let stored: PartitionSchedule | undefined;
    for (const [instances, partitions] of history) {
      const model = { topic: 't', instances };
      const decision = decidePartitions(model, stored, { ...model, partitions });
      if (decision.kind === 'commit') {
        expect(decision.schedule.epoch).toBe(stored === undefined ? 0 : stored.epoch + 1);
        stored = decision.schedule;
      }
      const lists = stored?.byInstance ?? [];
      const sizes = lists.map((list) => list.length);
      const wanted = [...new Set(partitions)].sort((left, right) => left - right);
      expect(lists.flat().sort((left, right) => left - right)).toEqual(wanted);
      expect(lists).toHaveLength(Math.max(1, instances));
      expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
      const repeat = { ...model, partitions: partitions.toReversed() };
      expect(decidePartitions(model, stored, repeat)).toEqual({ kind: 'unchanged' });
    }
  },
);

property.prop([fc.nat(12), fc.nat(12), fc.integer({ min: 1, max: 6 })])(
  'PS-50 partitions added at the end of a topic move none that were assigned',
  (before, added, instances) => {
    const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
    const first = committed(undefined, instances, numbers(before));
    const second = committed(first, instances, numbers(before + added + 1));
    for (const [instance, list] of first.byInstance.entries()) {
      expect(second.byInstance[instance]?.slice(0, list.length)).toEqual(list);
    }
  },
);
