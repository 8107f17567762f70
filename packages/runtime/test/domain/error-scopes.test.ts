import type { ExecutionPlan, SchemaPlan, TypedExpression } from '@nervix/model';
import { describe, expect, test } from 'vitest';
import { AckLedger } from '../../src/ack/ack-ledger.js';
import { AckSet } from '../../src/ack/ack-set.js';
import { BatchBuilder } from '../../src/batch/batch-builder.js';
import { executionDelta } from '../../src/domain/execution-delta.js';
import { idsOf, tenantKey } from '../support/batches.js';
import { virtualGraph } from '../support/graphs.js';
import * as p from '../support/plans.js';
import { programIn } from '../support/programs.js';

const text = (name: string) => p.field(name, 'STRING', { optional: true });
/** What error records of these tests tell of their row. */
const TOLD: SchemaPlan = {
  name: 'told',
  fields: [
    p.field('id', 'I64'),
    p.field('operation', 'STRING'),
    p.field('at', 'DATETIME'),
    text('note'),
    p.field('amount', 'I64', { optional: true }),
    text('tenant'),
    text('earlier'),
  ],
};
const STAMPED: SchemaPlan = {
  name: 'stamped',
  fields: [p.field('id', 'I64'), p.field('at', 'DATETIME')],
};
const error = (name: string) =>
  p.column('error', p.FAILURE.fields.find((field) => field.name === name)!);
const partial = (name: string): TypedExpression => {
  const { type } = p.EVENT.fields.find((field) => field.name === name)!;
  const row = 'partial_output';
  return { kind: 'column', row, field: name, type, optional: true, sensitive: false };
};
const program = (source: string) => programIn('processor_condition', source, p.EVENT).expression;
const tell = (relay: string, ...more: ReturnType<typeof p.set>[]) =>
  ({
    kind: 'send_to',
    relay,
    assignments: [
      p.set('id', p.input('id'), 0),
      p.set('operation', error('operation'), 1),
      p.set('at', error('occurred_at'), 2),
      ...more,
    ],
  }) as const;

const plan = (rest: Partial<ExecutionPlan> = {}): ExecutionPlan =>
  p.plan({
    schemas: [p.EVENT, p.TENANT, p.FAILURE, TOLD, STAMPED],
    relays: [
      p.relay('events'),
      p.relay('copies'),
      p.relay('stamps', { schema: 'stamped' }),
      p.relay('told', { schema: 'told', capacity: 9 }),
      p.relay('other', { schema: 'told', capacity: 9 }),
    ],
    ingestors: [],
    ...rest,
  });

function events(ids: readonly number[], rest: { acks?: AckSet; tenant?: string } = {}) {
  const builder = new BatchBuilder(p.EVENT);
  for (const id of ids) builder.appendRow([BigInt(id), rest.tenant ?? 't', BigInt(id * 10), null]);
  const instants = new BigInt64Array(ids.length);
  const branchKey = rest.tenant === undefined ? null : tenantKey(rest.tenant);
  const acks = rest.acks ?? AckSet.NONE;
  return { batch: builder.finish(), branchKey, low: instants, high: instants, acks };
}
/** Shares of rows, and what became of each in the end. */
function shares(count: number) {
  const outcomes = Array.from({ length: count }, (): string | null | undefined => undefined);
  const ledger = new AckLedger(count, {
    settled: (slot, failure) => {
      outcomes[slot] = failure;
    },
  });
  const acks = AckSet.ofSlots(
    ledger,
    Int32Array.from({ length: count }, (_, slot) => slot),
  );
  return { outcomes, acks };
}
const every = (ms: number) =>
  ({ kind: 'each', intervalNanos: BigInt(ms) * 1_000_000n, maxBatchBytes: 1n << 30n }) as const;
/** Fails at one id. */
const failingAt = (id: number) => program(`100 / (id - ${id})`);

describe('the course of a batch', () => {
  test('is collection, conditions, construction, route condition, under one instant (RT-36)', async () => {
    const output = (name: string) => p.output(name, STAMPED);
    const stamp = p.route('stamps', {
      construction: {
        assignments: [
          p.set('id', program('id + 100 / ((id - 1) * (id - 3) * (id - 5)) * 0'), 0),
          p.set('at', program('now()'), 1),
        ],
        where: p.binary(
          'lt',
          p.binary('div', p.int(100), p.binary('add', output('id'), p.int(-6))),
          p.int(60),
        ),
      },
      messageError: tell('told'),
    });
    const junction = p.junction('j', ['events'], [stamp], {
      inputs: [{ relay: 'events', where: program('100 / (id - 1) != 0 and id != 2') }],
      collect: { intervalNanos: 30_000_000n, maxBatchBytes: null },
      filter: program('100 / ((id - 1) * (id - 3)) != 0 and id != 4'),
    } as object);
    const graph = virtualGraph(plan({ processors: [junction] }));
    const [stamps, told] = [graph.probe('stamps'), graph.probe('told')];
    await graph.publish('events', events([1, 2, 3, 4]));
    await graph.advance(20);
    await graph.publish('events', events([5, 6, 7, 8]));
    await graph.advance(20);
    await graph.advance(1);
    expect(stamps.rows()).toEqual([{ id: 8n, at: 40_000_000n }]);
    const rows = told.rows().map(({ id, operation, at }) => [Number(id), operation, at]);
    expect(rows.sort()).toEqual([
      [1, 'source_where', 40_000_000n],
      [3, 'filter_where', 40_000_000n],
      [5, 'set', 40_000_000n],
      [6, 'route_where', 40_000_000n],
    ]);
  });
});

describe('error records', () => {
  test('read the failure, its row, what was assigned before it, the branch and each other (RT-170)', async () => {
    const route = p.route('copies', {
      construction: {
        assignments: [
          ...p.inherit(p.EVENT),
          p.set('note', p.text('assigned'), 4),
          p.set('amount', failingAt(2), 5),
        ],
        where: null,
      },
      messageError: tell(
        'told',
        p.set('note', partial('note'), 3),
        p.set('amount', partial('amount'), 4),
        p.set('tenant', p.column('branch', p.TENANT.fields[0]!), 5),
        p.set('earlier', p.output('operation', TOLD), 6),
      ),
    });
    const branch = 'by_tenant';
    const branched = plan().relays.map((relay) => ({ ...relay, branch }));
    const junction = p.junction('j', ['events'], [route], { branch } as object);
    const graph = virtualGraph(plan({ relays: branched, processors: [junction] }));
    const told = graph.probe('told');
    await graph.publish('events', events([1, 2, 3], { tenant: 'acme' }));
    await graph.advance(1);
    expect(told.rows()).toEqual([
      {
        id: 2n,
        operation: 'set',
        at: 0n,
        note: 'assigned',
        amount: 20n,
        tenant: 'acme',
        earlier: 'set',
      },
    ]);
    expect(told.batches[0]!.branchKey?.text).toBe(tenantKey('acme').text);
  });

  test('of ingestors belong to no branch (RT-170)', async () => {
    const construction = {
      assignments: [...p.inherit(p.EVENT), p.set('amount', failingAt(2), 4)],
      where: null,
    };
    const failing = p.route('events', { construction, messageError: tell('told') });
    const ingestor = p.ingestor('in', { routes: [{ ...failing, branch: p.byTenant }] });
    const relays = plan().relays.map((relay) =>
      relay.name === 'events' ? { ...relay, branch: 'by_tenant' } : relay,
    );
    const graph = virtualGraph(plan({ relays, ingestors: [ingestor] }));
    const told = graph.probe('told');
    graph.offer(JSON.stringify({ id: 2, tenant: 'acme', amount: 1 }));
    for (let turn = 0; turn < 10; turn += 1) await graph.advance(1);
    expect(told.batches.map(({ branchKey, batch }) => [branchKey, idsOf(batch)])).toEqual([
      [null, [2]],
    ]);
  });

  test('wait for the flush of their own route, by branch, and resolve their rows then (RT-171)', async () => {
    const failing = (relay: string, id: number, ms: number) =>
      p.route(relay, {
        construction: {
          assignments: [...p.inherit(p.EVENT), p.set('amount', failingAt(id), 4)],
          where: null,
        },
        flush: every(ms),
        messageError: tell('told'),
      });
    const branch = 'by_tenant';
    const relays = plan().relays.map((relay) => ({ ...relay, branch }));
    const routes = [failing('copies', 1, 10), failing('copies', 2, 30)];
    const junction = p.junction('j', ['events'], routes, { branch } as object);
    const graph = virtualGraph(plan({ relays, processors: [junction] }));
    const [told, copies] = [graph.probe('told'), graph.probe('copies')];
    const { acks, outcomes } = shares(2);
    await graph.publish('events', events([1, 2], { tenant: 'a', acks }));
    await graph.publish('events', events([1, 2], { tenant: 'b' }));
    const left = () => told.batches.map(({ batch, branchKey }) => [branchKey?.text, idsOf(batch)]);
    await graph.advance(9);
    expect(left()).toEqual([]);
    await graph.advance(1);
    const [a, b] = ['a', 'b'].map((tenant) => tenantKey(tenant).text);
    expect(left()).toEqual([
      [a, [1]],
      [b, [1]],
    ]);
    await graph.advance(20);
    expect(left().slice(2)).toEqual([
      [a, [2]],
      [b, [2]],
    ]);
    expect(outcomes).toEqual([undefined, undefined]);
    for (const { acks: each } of [...told.batches, ...copies.batches]) each.ack();
    expect(outcomes).toEqual([null, null]);
  });

  test('that wait for a relay go there when their route gets another one (RT-171)', async () => {
    const failing = (target: string, id: number) =>
      p.route('copies', {
        construction: {
          assignments: [...p.inherit(p.EVENT), p.set('amount', failingAt(id), 4)],
          where: null,
        },
        flush: every(1000),
        messageError: tell(target),
      });
    const version = (first: string, second: string, revision: number) =>
      plan({
        revision,
        processors: [p.junction('j', ['events'], [failing(first, 1), failing(second, 2)])],
      });
    const graph = virtualGraph(version('told', 'other', 1));
    const [told, other] = [graph.probe('told'), graph.probe('other')];
    const ids = () => [told, other].map((probe) => probe.batches.map(({ batch }) => idsOf(batch)));
    await graph.publish('events', events([1, 2]));
    const next = version('other', 'told', 2);
    const delta = executionDelta(graph.graph.plan, next);
    if (delta.kind !== 'dynamic') throw new Error(`the change is ${delta.kind}`);
    graph.graph.revise(next, delta.revised);
    expect(ids()).toEqual([[[1]], [[2]]]);
    await graph.publish('events', events([1, 2]));
    await graph.advance(1000);
    expect(ids()).toEqual([
      [[1], [2]],
      [[2], [1]],
    ]);
    expect(graph.graph.pending()).toEqual([]);
  });

  test('that cannot be built refuse their row, by no policy of their own (RT-169, RT-173)', async () => {
    const route = p.route('copies', {
      construction: {
        assignments: [...p.inherit(p.EVENT), p.set('amount', failingAt(1), 4)],
        where: null,
      },
      messageError: tell('told', p.set('amount', failingAt(1), 3)),
    });
    const graph = virtualGraph(plan({ processors: [p.junction('j', ['events'], [route])] }));
    const { acks, outcomes } = shares(1);
    const told = graph.probe('told');
    await graph.publish('events', events([1], { acks }));
    await graph.advance(1);
    expect(told.batches).toEqual([]);
    expect(outcomes).toEqual(['error record cannot be built']);
    expect(graph.messages).toEqual([expect.stringContaining("to DLQ 'told' in domain 'shop'")]);
  });

  test('of windows leave at once, whatever flushes elsewhere (RT-171)', async () => {
    const sum = { function: 'SUM', constants: [], type: 'I64', optional: false, sensitive: false };
    const read = { kind: 'aggregate', index: 0, type: 'I64', optional: false, sensitive: false };
    const window = {
      kind: 'window_processor',
      name: 'w',
      attached: true,
      inputs: [{ relay: 'events', where: null }],
      collect: null,
      filter: null,
      inputSchema: 'event',
      branch: null,
      width: { messages: 2, durationNanos: null },
      step: { messages: 2, durationNanos: null },
      maxStateBytes: null,
      routes: [
        {
          relay: 'stamps',
          aggregates: [{ ...sum, arguments: [p.input('id')] }],
          construction: {
            assignments: [
              p.set('id', p.binary('div', p.int(1), p.binary('add', read as never, p.int(-3))), 0),
              p.set('at', program('now()'), 1),
            ],
            where: null,
          },
          messageError: {
            kind: 'send_to',
            relay: 'told',
            assignments: [
              p.set('id', p.int(7), 0),
              p.set('operation', error('operation'), 1),
              p.set('at', error('occurred_at'), 2),
            ],
          },
        },
      ],
    } as unknown as ExecutionPlan['processors'][number];
    const graph = virtualGraph(plan({ processors: [window] }));
    const [told, stamps] = [graph.probe('told'), graph.probe('stamps')];
    await graph.publish('events', events([1, 2]));
    await graph.publish('events', events([2, 2]));
    expect(told.rows()).toMatchObject([{ id: 7n, operation: 'set', at: 0n }]);
    expect(stamps.rows()).toEqual([{ id: 1n, at: 0n }]);
  });
});
