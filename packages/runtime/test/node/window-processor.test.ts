import { fc, test } from '@fast-check/vitest';
import type { ExecutionPlan, TypedAggregate, WindowBoundPlan } from '@nervix/model';
import { describe, expect } from 'vitest';
import { AckLedger } from '../../src/ack/ack-ledger.js';
import { AckSet } from '../../src/ack/ack-set.js';
import { BatchBuilder } from '../../src/batch/batch-builder.js';
import { IDS, idBatch, relayBatch } from '../support/batches.js';
import { virtualGraph } from '../support/graphs.js';
import * as p from '../support/plans.js';

const TOTALS = {
  name: 'totals',
  fields: [
    p.field('count', 'I64'),
    p.field('sum', 'I64', { optional: true }),
    p.field('first', 'I64', { optional: true }),
  ],
};
const id = p.input('id', IDS);
const aggregates: TypedAggregate[] = [
  { function: 'COUNT', optional: false },
  { function: 'SUM', optional: true },
  { function: 'FIRST', optional: true },
].map((each) => ({ ...each, arguments: [id], constants: [], type: 'I64', sensitive: false }));
const messages = (count: number): WindowBoundPlan => ({ messages: count, durationNanos: null });
const lasting = (nanos: number): WindowBoundPlan => ({
  messages: null,
  durationNanos: BigInt(nanos),
});

function plan(width: WindowBoundPlan, step: WindowBoundPlan, rest: object = {}): ExecutionPlan {
  return p.plan({
    schemas: [IDS, TOTALS, p.TENANT, p.EVENT, p.FAILURE],
    relays: [
      p.relay('events', { schema: 'ids' }),
      p.relay('totals', { schema: 'totals' }),
      p.relay('failures', { schema: 'failure' }),
    ],
    ingestors: [],
    processors: [
      {
        kind: 'window_processor',
        name: 'w',
        attached: true,
        inputs: [{ relay: 'events', where: null }],
        collect: null,
        filter: null,
        inputSchema: 'ids',
        branch: null,
        width,
        step,
        maxStateBytes: null,
        routes: [
          {
            relay: 'totals',
            aggregates,
            construction: {
              assignments: TOTALS.fields.map(({ name, type, optional }, index) =>
                p.set(name, { kind: 'aggregate', index, type, optional, sensitive: false }, index),
              ),
              where: null,
            },
            messageError: p.sendTo('failures'),
          },
        ],
        ...rest,
      } as ExecutionPlan['processors'][number],
    ],
  });
}

/** Windows by their definition, from the rows alone. */
function recomputed(
  rows: readonly { id: number; at: bigint }[],
  width: WindowBoundPlan,
  step: WindowBoundPlan,
) {
  let retained: { id: number; at: bigint }[] = [];
  const emitted: { count: bigint; sum: bigint; first: bigint; low: bigint }[] = [];
  const isWide = (reference: bigint): boolean => {
    if (retained.length === 0) return false;
    if (width.messages !== null && retained.length >= width.messages) return true;
    return width.durationNanos !== null && reference - retained[0]!.at >= width.durationNanos;
  };
  for (const row of rows) {
    retained.push(row);
    while (isWide(row.at)) {
      const byTime = [...retained].sort((left, right) => Number(left.at - right.at));
      emitted.push({
        count: BigInt(retained.length),
        sum: BigInt(retained.reduce((total, each) => total + each.id, 0)),
        first: BigInt(byTime[0]!.id),
        low: byTime[0]!.at,
      });
      if (step.messages !== null) retained = retained.slice(step.messages);
      else {
        const cutoff = retained[0]!.at + step.durationNanos!;
        while (retained.length > 0 && retained[0]!.at < cutoff) retained.shift();
      }
    }
  }
  return emitted;
}

const bound = fc.oneof(
  fc.integer({ min: 1, max: 6 }).map(messages),
  fc.integer({ min: 1, max: 60 }).map(lasting),
);

describe('window processor', () => {
  test.prop([
    bound,
    bound,
    fc.array(
      fc.array(fc.record({ id: fc.nat(100), wait: fc.integer({ min: -5, max: 25 }) }), {
        minLength: 1,
        maxLength: 8,
      }),
      { maxLength: 8 },
    ),
  ])(
    'emits what the definition says, however rows are batched (RT-107, RT-109…111)',
    async (width, step, batches) => {
      // The clock stands still far in the past, so that rows alone move the windows.
      const { probe, publish } = virtualGraph(plan(width, step));
      const totals = probe('totals');
      let at = 1_000n;
      const rows: { id: number; at: bigint }[] = [];
      for (const batch of batches) {
        const low = new BigInt64Array(batch.length);
        batch.forEach(({ id: value, wait }, row) => {
          at += BigInt(wait);
          low[row] = at;
          rows.push({ id: value, at });
        });
        await publish('events', {
          batch: idBatch(batch.map((row) => row.id)),
          branchKey: null,
          low,
          high: low,
          acks: AckSet.NONE,
        });
      }
      const lows = totals.batches.flatMap(({ low }) => [...low]);
      const actual = totals.rows().map((row, index) => ({ ...row, low: lows[index] }));
      expect(actual).toEqual(recomputed(rows, width, step));
    },
  );

  test('a clock pass emits a window that is old enough, and no later one twice (RT-109)', async () => {
    const { probe, publish, advance } = virtualGraph(
      plan(lasting(10_000_000), lasting(10_000_000)),
    );
    const totals = probe('totals');
    await publish('events', relayBatch([1, 2], { atNanos: 0n }));
    await advance(9.999);
    expect(totals.rows()).toEqual([]);
    await advance(0.001);
    expect(totals.rows()).toEqual([{ count: 2n, sum: 3n, first: 1n }]);
    expect(totals.batches[0]!.high[0]).toBe(10_000_000n);
    await advance(100);
    expect(totals.rows()).toHaveLength(1);
  });

  test('force flush emits no partial window, and a successor goes on with it (RT-117)', async () => {
    const before = virtualGraph(plan(messages(3), messages(3)));
    const early = before.probe('totals');
    await before.publish('events', relayBatch([1, 2]));
    before.graph.flush();
    await before.settle();
    expect(early.rows()).toEqual([]);
    expect(before.graph.pending()).toEqual([]);
    before.graph.close('replaced');
    const after = virtualGraph(plan(messages(3), messages(3)), before.clock);
    after.graph.restore(before.graph.exportState());
    const totals = after.probe('totals');
    await after.publish('events', relayBatch([3]));
    expect(totals.rows()).toEqual([{ count: 3n, sum: 6n, first: 1n }]);
  });

  test('an emitted row carries the open rows of its batch; retained rows hold no source (RT-116)', async () => {
    const { probe, publish } = virtualGraph(plan(messages(3), messages(2)));
    const totals = probe('totals');
    const outcomes = new Map<number, string>();
    const watch = (base: number, rows: number): AckSet => {
      const ledger = new AckLedger(rows, {
        settled: (slot, failure) => outcomes.set(base + slot, failure ?? 'ok'),
      });
      return AckSet.ofSlots(
        ledger,
        Int32Array.from({ length: rows }, (_, row) => row),
      );
    };
    await publish('events', relayBatch([10, 11], { acks: watch(10, 2) }));
    expect(outcomes).toEqual(
      new Map([
        [10, 'ok'],
        [11, 'ok'],
      ]),
    );
    outcomes.clear();
    await publish('events', relayBatch([20, 21, 22], { acks: watch(20, 3) }));
    expect(totals.rows().map(({ sum }) => sum)).toEqual([41n, 63n]);
    expect(outcomes).toEqual(new Map());
    totals.batches[0]!.acks.nackRow(1, 'lost');
    expect(outcomes).toEqual(
      new Map([
        [20, 'lost'],
        [21, 'lost'],
        [22, 'lost'],
      ]),
    );
  });

  test('rows beyond MAX STATE SIZE fail before the window changes (RT-108)', async () => {
    const { probe, publish } = virtualGraph(plan(messages(2), messages(2), { maxStateBytes: 20n }));
    const totals = probe('totals');
    const failures = probe('failures');
    await publish('events', relayBatch([1, 2, 3]));
    expect(totals.rows()).toEqual([]);
    expect(failures.rows()).toHaveLength(2);
    expect(failures.rows()[0]).toMatchObject({ code: 'validation', operation: 'window' });
  });

  test('an emission without a result clears the window and refuses its rows (RT-116, TX-51)', async () => {
    const { probe, publish, messages: logged } = virtualGraph(plan(messages(2), messages(2)));
    const totals = probe('totals');
    const outcomes = new Map<number, string>();
    const ledger = new AckLedger(2, {
      settled: (slot, failure) => outcomes.set(slot, failure ?? 'ok'),
    });
    const builder = new BatchBuilder(IDS);
    for (const value of [9_223_372_036_854_775_807n, 1n]) builder.appendRow([value]);
    await publish('events', {
      ...relayBatch([1, 2]),
      batch: builder.finish(),
      acks: AckSet.ofSlots(ledger, Int32Array.of(0, 1)),
    });
    const reason = 'SUM of the window does not fit Int64';
    expect(outcomes).toEqual(
      new Map([
        [0, reason],
        [1, reason],
      ]),
    );
    expect(logged).toEqual([
      "window processor 'w' internal error in domain 'shop': " +
        `window processor 'w' aggregate state failed: ${reason}`,
    ]);
    await publish('events', relayBatch([1, 2]));
    expect(totals.rows()).toEqual([{ count: 2n, sum: 3n, first: 1n }]);
  });
});
