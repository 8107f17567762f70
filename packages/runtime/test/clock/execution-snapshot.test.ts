import type { ExecutionPlan, FlushPlan, TypedExpression } from '@nervix/model';
import { describe, expect, test } from 'vitest';
import { PacedClock } from '../../src/clock/paced-clock.js';
import { VirtualClock } from '../../src/clock/virtual-clock.js';
import { flushPolicy } from '../../src/flush/flush-policy.js';
import { RouteOutput } from '../../src/flush/route-output.js';
import { DomainMetrics } from '../../src/metrics/domain-metrics.js';
import { MetricStore } from '../../src/metrics/metric-store.js';
import { Relay } from '../../src/relay/relay.js';
import { idsOf, relayBatch } from '../support/batches.js';
import { virtualGraph } from '../support/graphs.js';
import * as p from '../support/plans.js';
import { programIn } from '../support/programs.js';

const STAMPED = {
  name: 'stamped',
  fields: [
    p.field('id', 'I64'),
    p.field('at', 'DATETIME'),
    p.field('note', 'STRING', { optional: true }),
  ],
} as const;
const now = (): TypedExpression => programIn('processor_condition', 'now()', p.EVENT).expression;
const id = p.input('id');

const stamping = (relay: string, rest: object = {}) =>
  p.route(relay, {
    construction: { assignments: [p.set('id', id, 0), p.set('at', now(), 1)], where: null },
    ...rest,
  });

const plan = (rest: Partial<ExecutionPlan> = {}): ExecutionPlan =>
  p.plan({
    schemas: [p.EVENT, p.TENANT, p.FAILURE, STAMPED],
    relays: [
      p.relay('events'),
      p.relay('a', { schema: 'stamped' }),
      p.relay('b', { schema: 'stamped' }),
      p.relay('failures', { schema: 'failure' }),
    ],
    processors: [p.junction('j', ['events'], [stamping('a'), stamping('b')])],
    ...rest,
  });

describe('execution snapshots', () => {
  test('every route, error and retry of a batch sees the instant at which it was taken (RT-11, RT-12)', async () => {
    const failing = p.set('id', p.binary('div', p.int(1), p.binary('add', id, p.int(-2))), 0);
    const graph = virtualGraph(
      plan({
        processors: [
          p.junction(
            'j',
            ['events'],
            [
              stamping('a'),
              stamping('b', {
                construction: { assignments: [failing, p.set('at', now(), 1)], where: null },
                messageError: p.sendTo('failures'),
              }),
            ],
          ),
        ],
      }),
    );
    const [a, b, failures] = ['a', 'b', 'failures'].map((relay) => graph.probe(relay));
    await graph.advance(1000);
    graph.offer(
      [1, 2, 3].map((each) => JSON.stringify({ id: each, tenant: 't', amount: 1 })).join('\n'),
    );
    // Groups close after 5 ms, flushes come 0.1 ms later: the junction takes the batch at 1005.1 ms.
    for (let turn = 0; turn < 100; turn += 1) await graph.advance(0.1);
    const takenAt = 1_005_100_000n;
    expect(a!.rows().map((row) => row['at'])).toEqual([takenAt, takenAt, takenAt]);
    expect(b!.rows().map((row) => row['at'])).toEqual([takenAt, takenAt]);
    expect(failures!.rows().map((row) => row['occurred_at'])).toEqual([takenAt]);
  });

  test('work that starts later takes its own: a released collection (RT-12, RT-36)', async () => {
    const collected = p.junction('j', ['events'], [stamping('a')], {
      collect: { intervalNanos: 50_000_000n, maxBatchBytes: null },
    } as object);
    const graph = virtualGraph(plan({ processors: [collected] }));
    const a = graph.probe('a');
    graph.offer(JSON.stringify({ id: 1, tenant: 't', amount: 1 }));
    for (let turn = 0; turn < 60; turn += 1) await graph.advance(1);
    const [row] = a.rows();
    // Time moves by whole milliseconds: what is flushed at 5.1 ms is collected at 6 ms.
    expect(row!['at']).toBe(56_000_000n);
  });

  test('one before 1970 is legal; a function that cannot tell it fails its row (RT-14)', async () => {
    const uuid = programIn('processor_condition', 'uuid_v7()', p.EVENT).expression;
    const route = (relay: string, messageError: ReturnType<typeof p.sendTo>, index: number) =>
      p.route(relay, {
        construction: {
          assignments: [
            p.set('id', id, 0),
            p.set('at', now(), 1),
            ...(index === 0 ? [] : [p.set('note', uuid, 2)]),
          ],
          where: null,
        },
        messageError,
      });
    const clock = new VirtualClock(-10_000_000_000n);
    const graph = virtualGraph(
      plan({
        processors: [
          p.junction(
            'j',
            ['events'],
            [route('a', p.sendTo('failures'), 0), route('b', p.sendTo('failures'), 1)],
          ),
        ],
      }),
      clock,
    );
    const [a, b, failures] = ['a', 'b', 'failures'].map((relay) => graph.probe(relay));
    graph.offer(JSON.stringify({ id: 7, tenant: 't', amount: 1 }));
    for (let turn = 0; turn < 20; turn += 1) await graph.advance(1);
    expect(a!.rows()).toMatchObject([{ id: 7n }]);
    expect((a!.rows()[0]!['at'] as bigint) < 0n).toBe(true);
    expect(b!.rows()).toEqual([]);
    expect(failures!.rows()).toMatchObject([{ code: 'evaluation', operation: 'set' }]);
    expect((failures!.rows()[0]!['occurred_at'] as bigint) < 0n).toBe(true);
  });
});

describe('time classes', () => {
  const flushed = (flush: FlushPlan, rate: number) => {
    const physical = new VirtualClock();
    const mapping = { anchorNanos: 0n, originNanos: 0n, rate };
    const clock = new PacedClock('d', 1, physical, mapping);
    const published: [number, number[]][] = [];
    const relay = new Relay('out', 1, {
      admitted: ({ batch }) => published.push([physical.monotonicMs(), idsOf(batch)]),
      fannedOut: () => undefined,
    });
    const output = new RouteOutput({
      relay,
      publisher: 'JUNCTION j',
      policy: flushPolicy(flush),
      clock,
      sent: new DomainMetrics(new MetricStore(physical), 'd', '-').meter({
        kind: 'JUNCTION',
        target: 'j',
        direction: 'sent',
        relay: 'out',
      }),
      failed: (error) => {
        throw error;
      },
    });
    output.append(relayBatch([1]));
    return { physical, clock, published };
  };
  const each = { kind: 'each', intervalNanos: 100_000_000n, maxBatchBytes: 1_000_000n } as const;

  test('FLUSH EACH goes by the time of the domain, through a change of its rate (RT-10)', () => {
    const { physical, clock, published } = flushed(each, 2);
    physical.advance(25);
    clock.install({ anchorNanos: 25_000_000n, originNanos: 50_000_000n, rate: 0.5 });
    physical.advance(99);
    expect(published).toEqual([]);
    physical.advance(1);
    expect(published).toEqual([[125, [1]]]);
  });

  test('while the time of the domain stands, what waits by it waits (RT-10, RT-13)', () => {
    const { physical, clock, published } = flushed(each, 1);
    physical.advance(60);
    clock.install(null);
    physical.advance(10_000);
    expect(published).toEqual([]);
    clock.install({ anchorNanos: physical.utcNanos(), originNanos: 60_000_000n, rate: 1 });
    physical.advance(40);
    expect(published).toEqual([[10_100, [1]]]);
  });

  test('FLUSH IMMEDIATE is physical, whatever the rate (RT-10, RT-47)', () => {
    const { physical, published } = flushed({ kind: 'immediate' }, 1000);
    physical.advance(0.099);
    expect(published).toEqual([]);
    physical.advance(0.001);
    expect(published).toHaveLength(1);
  });
});
