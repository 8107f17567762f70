import { fc, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { AckLedger } from '../../src/ack/ack-ledger.js';
import { AckSet } from '../../src/ack/ack-set.js';
import type { RecordBatch } from '../../src/batch/record-batch.js';
import { UnpacedClock } from '../../src/clock/unpaced-clock.js';
import { VirtualClock } from '../../src/clock/virtual-clock.js';
import { flushPolicy } from '../../src/flush/flush-policy.js';
import { RouteOutput } from '../../src/flush/route-output.js';
import { DomainMetrics } from '../../src/metrics/domain-metrics.js';
import { MetricStore } from '../../src/metrics/metric-store.js';
import { Relay } from '../../src/relay/relay.js';
import { idsOf, openInput, relayBatch, tenantKey } from '../support/batches.js';

function setUp(plan: Parameters<typeof flushPolicy>[0] | null) {
  const clock = new VirtualClock();
  const time = new UnpacedClock('d', 1, clock);
  const published: { atMs: number; ids: number[]; tenant: string | null }[] = [];
  const relay = new Relay('out', 1, {
    admitted: ({ batch, branchKey }) => {
      published.push({
        atMs: clock.monotonicMs(),
        ids: idsOf(batch),
        tenant: branchKey?.text ?? null,
      });
    },
    fannedOut: () => undefined,
  });
  const sent = new DomainMetrics(new MetricStore(clock), 'd', '-').meter({
    kind: 'JUNCTION',
    target: 'j',
    direction: 'sent',
    relay: 'out',
  });
  const policy = plan === null ? null : flushPolicy(plan);
  const faults: unknown[] = [];
  const failed = (error: unknown): void => {
    faults.push(error);
  };
  const output = new RouteOutput({
    relay,
    publisher: 'JUNCTION j',
    policy,
    clock: time,
    sent,
    failed,
  });
  return { clock, published, relay, faults, output };
}

const each = (ms: number, bytes: number) =>
  ({
    kind: 'each',
    intervalNanos: BigInt(ms) * 1_000_000n,
    maxBatchBytes: BigInt(bytes),
  }) as const;

describe('route buffers', () => {
  test('FLUSH EACH publishes at the deadline that the first row armed (RT-46)', () => {
    const { clock, published, output } = setUp(each(10, 1_000_000));
    clock.advance(3);
    output.append(relayBatch([1]));
    clock.advance(6);
    output.append(relayBatch([2]));
    clock.advance(3.999);
    expect(published).toEqual([]);
    clock.advance(0.001);
    expect(published).toEqual([{ atMs: 13, ids: [1, 2], tenant: null }]);
    clock.advance(20);
    output.append(relayBatch([3]));
    clock.advance(10);
    expect(published.at(-1)).toEqual({ atMs: 43, ids: [3], tenant: null });
  });

  test('FLUSH EACH publishes early from MAX BATCH SIZE on and never splits a batch (RT-46)', () => {
    const { published, output } = setUp(each(10, 24));
    output.append(relayBatch([1, 2]));
    expect(published).toEqual([]);
    output.append(relayBatch([3]));
    output.append(relayBatch([4, 5, 6, 7, 8, 9]));
    expect(published.map(({ ids }) => ids)).toEqual([
      [1, 2, 3],
      [4, 5, 6, 7, 8, 9],
    ]);
  });

  test('FLUSH IMMEDIATE waits 100 microseconds and has no size boundary (RT-47)', () => {
    const { clock, published, output } = setUp({ kind: 'immediate' });
    output.append(relayBatch(Array.from({ length: 5000 }, (_, id) => id)));
    clock.advance(0.099);
    expect(published).toEqual([]);
    clock.advance(0.001);
    expect(published).toHaveLength(1);
  });

  test('every concrete branch has its own deadline (RT-18, RT-49)', () => {
    const { clock, published, output } = setUp(each(10, 1_000_000));
    output.append(relayBatch([1], { branchKey: tenantKey('a') }));
    clock.advance(5);
    output.append(relayBatch([2], { branchKey: tenantKey('b') }));
    clock.advance(10);
    expect(published).toEqual([
      { atMs: 10, ids: [1], tenant: '{"tenant":"a"}' },
      { atMs: 15, ids: [2], tenant: '{"tenant":"b"}' },
    ]);
  });

  test('an eviction drops the buffer and refuses its rows (RT-23)', () => {
    const { clock, published, output } = setUp(each(10, 1_000_000));
    const outcomes: [number, string | null][] = [];
    const ledger = new AckLedger(3, {
      settled: (slot, failure) => outcomes.push([slot, failure]),
    });
    const share = (...slots: number[]) => AckSet.ofSlots(ledger, Int32Array.from(slots));
    const key = tenantKey('a');
    output.append(relayBatch([1], { branchKey: key, acks: share(0) }));
    output.append(relayBatch([2], { branchKey: key, acks: share(1) }));
    output.append(relayBatch([3], { branchKey: tenantKey('b'), acks: share(2) }));
    output.evict(key, 'evicted');
    expect(outcomes).toEqual([
      [0, 'evicted'],
      [1, 'evicted'],
    ]);
    clock.advance(50);
    expect(published.map(({ ids }) => ids)).toEqual([[3]]);
    expect(output.isIdle).toBe(true);
  });

  test('a flush that fails by a timer refuses its rows and is told of', () => {
    const { clock, published, output, faults } = setUp(each(10, 1_000_000));
    const outcomes: (string | null)[] = [];
    const ledger = new AckLedger(1, { settled: (_, failure) => outcomes.push(failure) });
    const first = relayBatch([1], { acks: AckSet.uniform(ledger, 1) });
    const strange = { ...relayBatch([2]), batch: { byteSize: 8, rowCount: 1 } as RecordBatch };
    output.append(first);
    output.append(strange);
    clock.advance(10);
    expect(outcomes).toEqual(['internal error']);
    expect(faults).toHaveLength(1);
    expect(output.isIdle).toBe(true);
    output.append(relayBatch([3]));
    clock.advance(10);
    expect(published.map(({ ids }) => ids)).toEqual([[3]]);
  });

  test('a publication that waits is reported until it is admitted (RT-48)', async () => {
    const { relay, output } = setUp(null);
    const input = openInput(relay, true, () => undefined);
    output.append(relayBatch([1]));
    output.append(relayBatch([2]));
    expect(output.blocked).toBeUndefined();
    output.append(relayBatch([3]));
    const { blocked } = output;
    expect(blocked).toBeDefined();
    input.take();
    await blocked;
    expect(output.blocked).toBeUndefined();
    expect(output.isIdle).toBe(true);
  });

  test.prop([fc.array(fc.record({ waitMs: fc.nat(15), rows: fc.integer({ min: 1, max: 4 }) }))])(
    'no row leaves before its time unless the buffer is full, and none after (RT-46)',
    (arrivals) => {
      const { clock, published, output } = setUp(each(10, 48));
      const appendedAt = new Map<number, number>();
      let nextId = 0;
      for (const { waitMs, rows } of arrivals) {
        clock.advance(waitMs);
        const ids = Array.from({ length: rows }, () => nextId++);
        for (const id of ids) appendedAt.set(id, clock.monotonicMs());
        output.append(relayBatch(ids));
      }
      clock.advance(10);
      expect(published.flatMap(({ ids }) => ids)).toEqual([...appendedAt.keys()]);
      for (const { atMs, ids } of published) {
        const firstMs = appendedAt.get(ids[0]!)!;
        if (ids.length * 8 >= 48) expect(atMs).toBeLessThanOrEqual(firstMs + 10);
        else expect(atMs).toBe(firstMs + 10);
      }
    },
  );
});
