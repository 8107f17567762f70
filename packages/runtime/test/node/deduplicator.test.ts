import type { ExecutionPlan, TypedExpression } from '@nervix/model';
import { describe, expect, test } from 'vitest';
import { AckLedger } from '../../src/ack/ack-ledger.js';
import { AckSet } from '../../src/ack/ack-set.js';
import { IDS, relayBatch, tenantKey } from '../support/batches.js';
import { virtualGraph } from '../support/graphs.js';
import * as p from '../support/plans.js';

const id = p.input('id', IDS);

function plan(rest: Partial<ExecutionPlan['processors'][number]> = {}): ExecutionPlan {
  return p.plan({
    schemas: [IDS, p.TENANT, p.EVENT],
    relays: [p.relay('events', { schema: 'ids' }), p.relay('unique', { schema: 'ids' })],
    ingestors: [],
    processors: [
      {
        kind: 'deduplicator',
        name: 'd',
        attached: true,
        inputs: [{ relay: 'events', where: null }],
        collect: null,
        filter: null,
        inputSchema: 'ids',
        branch: null,
        keys: [id] as TypedExpression[],
        maxTimeNanos: 1_000_000_000n,
        routes: [
          p.route('unique', {
            construction: { assignments: p.inherit(IDS), where: null },
            messageError: { kind: 'ignore' },
          }),
        ],
        ...rest,
      } as ExecutionPlan['processors'][number],
    ],
  });
}

/** Shares of a batch whose outcomes are written down by row. */
function watched(rows: number) {
  const outcomes = new Map<number, string>();
  const ledger = new AckLedger(rows, {
    settled: (slot, failure) => outcomes.set(slot, failure ?? 'ok'),
  });
  const slots = Int32Array.from({ length: rows }, (_, row) => row);
  return { acks: AckSet.ofSlots(ledger, slots), outcomes };
}

describe('deduplicator', () => {
  test('suppresses within MAX TIME, in row order and across batches (RT-93)', async () => {
    const { probe, publish, advance } = virtualGraph(plan());
    const unique = probe('unique');
    await publish('events', relayBatch([1, 2, 1]));
    await advance(1);
    unique.batches.at(-1)!.acks.ack();
    await publish('events', relayBatch([2, 3]));
    await advance(998);
    unique.batches.at(-1)!.acks.ack();
    await publish('events', relayBatch([1]));
    await advance(2);
    await publish('events', relayBatch([1]));
    await advance(1);
    expect(unique.rows()).toEqual([{ id: 1n }, { id: 2n }, { id: 3n }, { id: 1n }]);
  });

  test('copies wait for the outcome of the first, and its failure lets the next one pass (RT-226)', async () => {
    const { probe, publish, advance, graph } = virtualGraph(plan());
    const unique = probe('unique');
    const first = watched(1);
    const copies = watched(2);
    await publish('events', relayBatch([7], { acks: first.acks }));
    await publish('events', relayBatch([7, 7], { acks: copies.acks }));
    await advance(1);
    expect(unique.rows()).toHaveLength(1);
    expect(copies.outcomes.size).toBe(0);
    expect(graph.processors[0]!.isIdle).toBe(false);
    unique.batches[0]!.acks.nack('sink failed');
    expect(first.outcomes.get(0)).toBe('sink failed');
    await advance(1);
    expect(unique.rows()).toHaveLength(2);
    unique.batches[1]!.acks.ack();
    expect(copies.outcomes).toEqual(
      new Map([
        [0, 'ok'],
        [1, 'ok'],
      ]),
    );
    await advance(1);
    expect(graph.processors[0]!.isIdle).toBe(true);
  });

  test('rows that a route drops or ignores confirm their key (RT-94)', async () => {
    const processor = plan().processors[0] as Extract<
      ExecutionPlan['processors'][number],
      { kind: 'deduplicator' }
    >;
    const dropping = {
      ...processor.routes[0]!,
      construction: {
        assignments: p.inherit(IDS),
        where: p.binary('gt', p.output('id', IDS), p.int(5)),
      },
    };
    const { probe, publish, advance } = virtualGraph(plan({ routes: [dropping] }));
    const unique = probe('unique');
    const dropped = watched(1);
    await publish('events', relayBatch([3], { acks: dropped.acks }));
    expect(dropped.outcomes.get(0)).toBe('ok');
    const again = watched(1);
    await publish('events', relayBatch([3], { acks: again.acks }));
    await advance(1);
    expect(again.outcomes.get(0)).toBe('ok');
    expect(unique.rows()).toEqual([]);
  });

  test('input is held while 1024 rows of a branch wait (RT-226)', async () => {
    const { probe, publish, advance, graph } = virtualGraph(plan());
    const unique = probe('unique');
    await publish('events', relayBatch([1]));
    await publish('events', relayBatch(new Array<number>(1024).fill(1)));
    await publish('events', relayBatch([2]));
    await publish('events', relayBatch([3]));
    await advance(1);
    expect(unique.rows()).toHaveLength(1);
    expect(graph.relays.find('events').relay.depth).toBe(1);
    unique.batches[0]!.acks.nack('failed');
    await advance(1);
    unique.batches[1]!.acks.ack();
    await advance(1);
    expect(unique.rows()).toEqual([{ id: 1n }, { id: 1n }, { id: 2n }, { id: 3n }]);
  });

  test('history outlives the eviction of its branch; rows that wait in it do not (RT-18, RT-23)', async () => {
    const branched = {
      ...plan({ branch: 'by_tenant' }),
      relays: [
        p.relay('events', { schema: 'ids', branch: 'by_tenant' }),
        p.relay('unique', { schema: 'ids', branch: 'by_tenant' }),
      ],
      branches: [
        { name: 'by_tenant', schema: 'tenant_key', ttlNanos: 100_000_000n, maxInstances: 1 },
      ],
    };
    const { probe, publish, advance } = virtualGraph(branched);
    const unique = probe('unique');
    const a = tenantKey('a');
    const b = tenantKey('b');
    await publish('events', relayBatch([1], { branchKey: a }));
    await advance(1);
    unique.batches[0]!.acks.ack();
    await publish('events', relayBatch([2], { branchKey: a }));
    const waiting = watched(1);
    await publish('events', relayBatch([2], { branchKey: a, acks: waiting.acks }));
    await publish('events', relayBatch([1], { branchKey: b }));
    expect(waiting.outcomes.get(0)).toBe('branch instance was evicted (lru)');
    await publish('events', relayBatch([1, 2], { branchKey: a }));
    await advance(1);
    const keysOf = unique.batches.map(({ branchKey, batch }) => [
      branchKey!.text,
      batch.value('id', 0),
    ]);
    expect(keysOf).toEqual([
      ['{"tenant":"a"}', 1n],
      ['{"tenant":"a"}', 2n],
    ]);
  });

  test('a successor with the same keys suppresses what its predecessor confirmed (RT-95)', async () => {
    const before = virtualGraph(plan());
    const unique = before.probe('unique');
    await before.publish('events', relayBatch([1]));
    await before.advance(1);
    unique.batches[0]!.acks.ack();
    before.graph.close('replaced');
    const after = virtualGraph(plan({ maxTimeNanos: 5_000_000_000n }), before.clock);
    after.graph.restore(before.graph.exportState());
    const successor = after.probe('unique');
    await after.publish('events', relayBatch([1, 2]));
    await after.advance(1);
    expect(successor.rows()).toEqual([{ id: 2n }]);
    const changed = virtualGraph(plan({ keys: [p.binary('add', id, p.int(1))] }), before.clock);
    changed.graph.restore(before.graph.exportState());
    const restarted = changed.probe('unique');
    await changed.publish('events', relayBatch([1]));
    await changed.advance(1);
    expect(restarted.rows()).toEqual([{ id: 1n }]);
  });
});
