import type { ExecutionPlan } from '@nervix/model';
import { describe, expect, test } from 'vitest';
import { AckLedger } from '../../src/ack/ack-ledger.js';
import { AckSet } from '../../src/ack/ack-set.js';
import { BatchBuilder } from '../../src/batch/batch-builder.js';
import { EntityHold } from '../../src/domain/entity-hold.js';
import type { RelayBatch } from '../../src/relay/relay-batch.js';
import { virtualGraph } from '../support/graphs.js';
import * as p from '../support/plans.js';

const slow = {
  kind: 'each',
  intervalNanos: 3_600_000_000_000n,
  maxBatchBytes: 1n << 30n,
} as const;

/** A plan with a source that waits for outcomes, which is what makes held rows tell of themselves. */
const plan = (rest: Partial<ExecutionPlan> = {}): ExecutionPlan =>
  p.plan({
    relays: [p.relay('events'), p.relay('copies'), p.relay('failures', { schema: 'failure' })],
    ingestors: [
      p.ingestor('in', {
        mode: 'ack_parallel',
        ackWindow: { max: 8, timeoutNanos: 60_000_000_000n },
      }),
    ],
    ...rest,
  });

/** Rows of one source item each, and when each was last heard of. */
function heardRows(ids: readonly number[], nowMs: () => number) {
  const heardMs = ids.map(() => [nowMs()]);
  const settled: (string | null)[] = [];
  const ledger = new AckLedger(ids.length, {
    settled: (_, failure) => settled.push(failure),
    alive: (slot) => heardMs[slot]!.push(nowMs()),
  });
  const builder = new BatchBuilder(p.EVENT);
  for (const id of ids) builder.appendRow([BigInt(id), 't', BigInt(id * 10), null]);
  const instants = new BigInt64Array(ids.length);
  const batch: RelayBatch = {
    batch: builder.finish(),
    branchKey: null,
    low: instants,
    high: instants,
    acks: AckSet.ofSlots(
      ledger,
      Int32Array.from(ids, (_, slot) => slot),
    ),
  };
  return { batch, heardMs, settled };
}

const failing = {
  assignments: [
    ...p.inherit(p.EVENT),
    p.set('amount', p.binary('div', p.int(1), p.binary('add', p.input('id'), p.int(-1))), 4),
  ],
  where: null,
};
const holders: readonly (readonly [string, Partial<ExecutionPlan>])[] = [
  [
    'a collector',
    {
      processors: [
        p.junction('j', ['events'], [p.route('copies')], {
          collect: { intervalNanos: 3_600_000_000_000n, maxBatchBytes: null },
        } as object),
      ],
    },
  ],
  [
    'a route buffer',
    { processors: [p.junction('j', ['events'], [p.route('copies', { flush: slow })])] },
  ],
  ['the buffer of a relay', { processors: [p.junction('j', ['events'], [p.route('copies')])] }],
  [
    'a buffer of error rows',
    {
      processors: [
        p.junction(
          'j',
          ['events'],
          [
            p.route('copies', {
              construction: failing,
              messageError: p.sendTo('failures'),
              flush: slow,
            }),
          ],
        ),
      ],
    },
  ],
  [
    'an emitter before its flush',
    { emitters: [p.emitter('out', 'events', '/out', { flush: slow })] },
  ],
  [
    'an emitter that retries',
    {
      emitters: [
        p.emitter('out', 'events', '/out', {
          sink: {
            ...p.emitter('out', 'events', '/out').sink,
            backoffNanos: 3_600_000_000_000n,
            backoffMaxNanos: 3_600_000_000_000n,
          },
        }),
      ],
    },
  ],
  [
    'a deduplicator whose row waits for the outcome of its twin',
    {
      processors: [
        {
          kind: 'deduplicator',
          name: 'd',
          attached: true,
          inputs: [{ relay: 'events', where: null }],
          collect: null,
          filter: null,
          inputSchema: 'event',
          branch: null,
          keys: [p.input('tenant')],
          maxTimeNanos: 3_600_000_000_000n,
          routes: [p.route('copies', { flush: slow })],
        },
      ],
    },
  ],
];

describe('held rows', () => {
  test.each(holders)(
    'of %s are heard of every 100 ms, until they leave (RT-55)',
    async (_, rest) => {
      const graph = virtualGraph(plan(rest));
      // Nobody takes what leaves, so that the last holder keeps it.
      for (const relay of ['copies', 'failures']) graph.probe(relay).isOpen = false;
      const { batch, heardMs, settled } = heardRows([1, 2, 3], () => graph.clock.monotonicMs());
      await graph.publish('events', batch);
      // A sink that is away fails in real time.
      for (let turn = 0; turn < 200; turn += 1) {
        await new Promise((resolve) => setImmediate(resolve));
      }
      for (let turn = 0; turn < 100; turn += 1) await graph.advance(10);
      expect(settled).toEqual([]);
      for (const times of heardMs) {
        const gaps = times.map((atMs, index) => (times[index + 1] ?? 1000) - atMs);
        expect(Math.max(...gaps)).toBeLessThanOrEqual(100);
      }
      graph.graph.close('stopped');
      await graph.advance(1000);
      const counts = heardMs.map((times) => times.length);
      await graph.advance(1000);
      expect(heardMs.map((times) => times.length)).toEqual(counts);
      expect(settled).toEqual(['stopped', 'stopped', 'stopped']);
    },
  );

  test('of publishers before a closed gate are heard of too (RT-55)', async () => {
    const graph = virtualGraph(
      plan({ processors: [p.junction('j', ['events'], [p.route('copies')])] }),
    );
    graph.graph.relays.find('copies').relay.closeGate(new Set());
    const { batch, heardMs, settled } = heardRows([1], () => graph.clock.monotonicMs());
    await graph.publish('events', batch);
    for (let turn = 0; turn < 10; turn += 1) await graph.advance(50);
    expect(heardMs[0]!.length).toBeGreaterThanOrEqual(5);
    graph.graph.relays.find('copies').relay.openGate();
    await graph.advance(1);
    expect(settled).toEqual([null]);
  });

  test('of no source that waits cost no timer', () => {
    const graph = virtualGraph(plan({ ingestors: [p.ingestor('in')] }));
    expect(graph.clock.nextDueMs()).toBeUndefined();
  });

  test('are heard of from the change on that gives sources something to wait for (RT-55, RT-9)', async () => {
    const relayed = { processors: [p.junction('j', ['events'], [p.route('copies')])] };
    const quiet = plan({ ...relayed, ingestors: [p.ingestor('in')] });
    const waiting = plan(relayed);
    const graph = virtualGraph(quiet);
    graph.probe('copies').isOpen = false;
    const { batch, heardMs } = heardRows([1], () => graph.clock.monotonicMs());
    await graph.publish('events', batch);
    await graph.advance(200);
    expect(heardMs[0]).toHaveLength(1);
    const swap = (next: ExecutionPlan): void => {
      const swapped = new Set(['INGESTOR in']);
      const hold = new EntityHold(graph.graph, {
        ...{ entities: swapped, ingestors: new Set(['in']), gates: new Set<string>() },
      });
      graph.graph.swap(next, { swapped, revised: new Set() }, hold);
      hold.release();
    };
    swap(waiting);
    await graph.advance(200);
    const heard = heardMs[0]!.length;
    expect(heard).toBeGreaterThanOrEqual(3);
    swap(quiet);
    await graph.advance(200);
    expect(heardMs[0]).toHaveLength(heard);
    swap(waiting);
    await graph.advance(200);
    expect(heardMs[0]!.length).toBeGreaterThan(heard);
  });
});
