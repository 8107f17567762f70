import type { ExecutionPlan, TypedExpression } from '@nervix/model';
import { describe, expect, test } from 'vitest';
import { AckLedger } from '../../src/ack/ack-ledger.js';
import { AckSet } from '../../src/ack/ack-set.js';
import { VirtualClock } from '../../src/clock/virtual-clock.js';
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
    for (const next of [2, 3, 4, 5]) await publish('events', relayBatch([next]));
    await advance(1);
    expect(unique.rows()).toHaveLength(1);
    expect(graph.relays.find('events').relay.depth).toBe(1);
    unique.batches[0]!.acks.nack('failed');
    await advance(1);
    unique.batches[1]!.acks.ack();
    await advance(1);
    expect(unique.rows().map((row) => row['id'])).toEqual([1n, 1n, 2n, 3n, 4n, 5n]);
  });

  const branched = (maxInstances: number) => ({
    ...plan({ branch: 'by_tenant' }),
    relays: [
      p.relay('events', { schema: 'ids', branch: 'by_tenant' }),
      p.relay('unique', { schema: 'ids', branch: 'by_tenant' }),
    ],
    branches: [{ name: 'by_tenant', schema: 'tenant_key', ttlNanos: 100_000_000n, maxInstances }],
  });

  test('a branch with 1024 waiting rows holds no other branch (RT-226)', async () => {
    const { probe, publish, advance, graph } = virtualGraph(branched(10));
    const unique = probe('unique');
    const [a, b] = [tenantKey('a'), tenantKey('b')];
    await publish('events', relayBatch([1], { branchKey: a }));
    await publish('events', relayBatch(new Array<number>(1024).fill(1), { branchKey: a }));
    await publish('events', relayBatch([2], { branchKey: a }));
    for (const next of [3, 4, 5]) await publish('events', relayBatch([next], { branchKey: b }));
    await advance(1);
    expect(unique.rows().map((row) => row['id'])).toEqual([1n, 3n, 4n, 5n]);
    await publish('events', relayBatch([6], { branchKey: a }));
    await publish('events', relayBatch([7], { branchKey: b }));
    await advance(1);
    expect(unique.rows()).toHaveLength(4);
    expect(graph.processors[0]!.isIdle).toBe(false);
    unique.batches[0]!.acks.ack();
    await advance(1);
    expect(
      unique
        .rows()
        .map((row) => row['id'])
        .slice(4)
        .sort(),
    ).toEqual([2n, 6n, 7n]);
    for (const { acks } of unique.batches.slice(1)) acks.ack();
    await advance(1);
    expect(graph.processors[0]!.isIdle).toBe(true);
  });

  test.each(['its turn had come', 'the first row is in a relay', 'the first row is in a route'])(
    'an end refuses every row that waits: %s',
    async (where) => {
      const { probe, publish, advance, graph } = virtualGraph(plan());
      const unique = probe('unique');
      unique.isOpen = where === 'its turn had come';
      const first = watched(1);
      const copies = watched(2);
      await publish('events', relayBatch([7], { acks: first.acks }));
      await publish('events', relayBatch([7, 7], { acks: copies.acks }));
      if (where !== 'the first row is in a route') await advance(1);
      if (unique.isOpen) unique.batches[0]!.acks.nack('stopped');
      graph.close('stopped');
      await advance(1);
      expect(first.outcomes.get(0)).toBe('stopped');
      expect([...copies.outcomes.values()]).toEqual(['stopped', 'stopped']);
    },
  );

  test('a fault on the way out refuses the row and frees its key', async () => {
    let fault: Error | null = null;
    const uuid = {
      kind: 'call',
      function: 'uuid_v4',
      overload: 'uuid_v4',
      arguments: [],
      type: 'STRING',
    } as const;
    const where = p.binary('eq', { ...uuid, optional: false, sensitive: false }, p.text('none'));
    const route = p.route('unique', {
      construction: {
        assignments: p.inherit(IDS),
        where: {
          kind: 'unary',
          operator: 'not',
          operand: where,
          type: 'BOOL',
          optional: false,
          sensitive: false,
        },
      },
    });
    const { probe, publish, advance, messages, graph } = virtualGraph(
      plan({ routes: [route] } as object),
      new VirtualClock(),
      (count) => {
        if (fault !== null) throw fault;
        return new Uint8Array(count);
      },
    );
    const unique = probe('unique');
    fault = new RangeError('secret 4711');
    const struck = watched(1);
    await publish('events', relayBatch([7], { acks: struck.acks }));
    expect(struck.outcomes.get(0)).toBe('internal error');
    expect(messages).toEqual([
      "deduplicator 'd' internal error in domain 'shop': " +
        "deduplicator 'd' failed to evaluate FILTER-MAP: RangeError",
    ]);
    fault = null;
    await publish('events', relayBatch([7]));
    const copy = watched(1);
    await publish('events', relayBatch([7], { acks: copy.acks }));
    await advance(1);
    expect(unique.rows()).toEqual([{ id: 7n }]);
    fault = new RangeError('secret 4711');
    unique.batches[0]!.acks.nack('failed');
    await advance(1);
    expect(copy.outcomes.get(0)).toBe('internal error');
    fault = null;
    await publish('events', relayBatch([7]));
    await advance(1);
    expect(unique.rows()).toHaveLength(2);
    unique.batches[1]!.acks.ack();
    expect(graph.processors[0]!.isIdle).toBe(true);
  });

  test('history outlives the eviction of its branch; rows that wait in it do not (RT-18, RT-23)', async () => {
    const { probe, publish, advance } = virtualGraph(branched(1));
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
