import { fc, test } from '@fast-check/vitest';
import type { ExecutionPlan } from '@nervix/model';
import { describe, expect } from 'vitest';
import { AckLedger } from '../../src/ack/ack-ledger.js';
import { AckSet } from '../../src/ack/ack-set.js';
import { EntityHold } from '../../src/domain/entity-hold.js';
import { holdScope } from '../../src/domain/hold-scope.js';
import type { RelayBatch } from '../../src/relay/relay-batch.js';
import { IDS, relayBatch, tenantKey } from '../support/batches.js';
import { virtualGraph } from '../support/graphs.js';
import * as p from '../support/plans.js';
import { propertyRuns } from '../support/property-runs.js';

const FLUSH_MS = 20;
const TTL_MS = 50;
const MAX_TIME_MS = 120;
const WIDTH = 3;
const TOTALS = { name: 'totals', fields: [p.field('sum', 'I64', { optional: true })] };
const id = p.input('id', IDS);

const common = {
  attached: true,
  inputs: [{ relay: 'events', where: null }],
  collect: null,
  filter: null,
  inputSchema: 'ids',
  branch: 'by_tenant',
} as const;
const inherited = { assignments: p.inherit(IDS), where: null };

/** A buffering junction, a deduplicator and a window over one branched relay. */
const plan = (maxInstances: number | null): ExecutionPlan =>
  p.plan({
    schemas: [IDS, TOTALS, p.TENANT, p.EVENT, p.FAILURE],
    branches: [
      {
        name: 'by_tenant',
        schema: 'tenant_key',
        ttlNanos: BigInt(TTL_MS) * 1_000_000n,
        maxInstances,
      },
    ],
    relays: ['events', 'buffered', 'unique', 'totals'].map((name) =>
      p.relay(name, { schema: name === 'totals' ? 'totals' : 'ids', branch: 'by_tenant' }),
    ),
    ingestors: [],
    processors: [
      {
        ...common,
        kind: 'junction',
        name: 'j',
        routes: [
          p.route('buffered', {
            construction: inherited,
            flush: {
              kind: 'each',
              intervalNanos: BigInt(FLUSH_MS) * 1_000_000n,
              maxBatchBytes: 1n << 30n,
            },
          }),
        ],
      },
      {
        ...common,
        kind: 'deduplicator',
        name: 'd',
        keys: [id],
        maxTimeNanos: BigInt(MAX_TIME_MS) * 1_000_000n,
        routes: [p.route('unique', { construction: inherited })],
      },
      {
        ...common,
        kind: 'window_processor',
        name: 'w',
        width: { messages: WIDTH, durationNanos: null },
        step: { messages: WIDTH, durationNanos: null },
        maxStateBytes: null,
        routes: [
          {
            relay: 'totals',
            aggregates: [
              {
                function: 'SUM',
                arguments: [id],
                constants: [],
                type: 'I64',
                optional: true,
                sensitive: false,
              },
            ],
            construction: {
              assignments: [
                p.set(
                  'sum',
                  { kind: 'aggregate', index: 0, type: 'I64', optional: true, sensitive: false },
                  0,
                ),
              ],
              where: null,
            },
            messageError: { kind: 'log' },
          },
        ],
      },
    ],
  });

type Step =
  | { readonly kind: 'publish'; readonly key: string; readonly ids: readonly number[] }
  | { readonly kind: 'advance'; readonly ms: number }
  | { readonly kind: 'scan' };
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('publish' as const),
      key: fc.constantFrom('a', 'b', 'c', 'd'),
      ids: fc.array(fc.nat(4), { minLength: 1, maxLength: 4 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('advance' as const),
      ms: fc.integer({ min: 1, max: 40 }),
    }),
  },
  { weight: 2, arbitrary: fc.constant<Step>({ kind: 'scan' }) },
);

/** What every place makes of the same rows, from the definitions alone. */
class Twin {
  readonly buffered: (readonly [string, number])[] = [];
  readonly unique: (readonly [string, number])[] = [];
  readonly totals: (readonly [string, number])[] = [];
  /** Numbers of rows that were refused. */
  readonly refused = new Set<number>();
  /** Last input by key, oldest first. */
  readonly keys = new Map<string, number>();
  nowMs = 0;
  readonly #maxInstances: number | null;
  readonly #buffers = new Map<string, { since: number; rows: { id: number; number: number }[] }>();
  readonly #windows = new Map<string, number[]>();
  readonly #histories = new Map<string, Map<number, number>>();

  constructor(maxInstances: number | null) {
    this.#maxInstances = maxInstances;
  }

  publish(key: string, rows: readonly { id: number; number: number }[]): void {
    this.keys.delete(key);
    this.keys.set(key, this.nowMs);
    for (const oldest of this.keys.keys()) {
      if (this.#maxInstances === null || this.keys.size <= this.#maxInstances) break;
      this.#evict(oldest);
    }
    const buffer = this.#buffers.get(key) ?? { since: this.nowMs, rows: [] };
    this.#buffers.set(key, buffer);
    buffer.rows.push(...rows);
    const history = this.#histories.get(key) ?? new Map<number, number>();
    this.#histories.set(key, history);
    for (const row of rows) {
      const seenMs = history.get(row.id);
      if (seenMs !== undefined && seenMs + MAX_TIME_MS > this.nowMs) continue;
      history.set(row.id, this.nowMs);
      this.unique.push([key, row.id]);
    }
    const window = this.#windows.get(key) ?? [];
    for (const row of rows) {
      window.push(row.id);
      if (window.length < WIDTH) continue;
      this.totals.push([key, window.reduce((sum, each) => sum + each, 0)]);
      window.length = 0;
    }
    this.#windows.set(key, window);
  }

  advance(ms: number): void {
    this.nowMs += ms;
    const due = [...this.#buffers].filter(([, { since }]) => since + FLUSH_MS <= this.nowMs);
    for (const [key, { rows }] of due.sort(([, left], [, right]) => left.since - right.since)) {
      this.#buffers.delete(key);
      this.buffered.push(...rows.map((row) => [key, row.id] as const));
    }
  }

  scan(): void {
    for (const [key, lastMs] of this.keys) if (lastMs <= this.nowMs - TTL_MS) this.#evict(key);
  }

  #evict(key: string): void {
    this.keys.delete(key);
    this.#windows.delete(key);
    for (const { number } of this.#buffers.get(key)?.rows ?? []) this.refused.add(number);
    this.#buffers.delete(key);
  }
}

const tenantOf = ({ branchKey }: RelayBatch): string =>
  (JSON.parse(branchKey!.text) as { tenant: string }).tenant;
const valuesOf = (batches: readonly RelayBatch[], field: string) =>
  batches.flatMap((batch) =>
    Array.from(
      { length: batch.batch.rowCount },
      (_, row) => [tenantOf(batch), Number(batch.batch.value(field, row))] as const,
    ),
  );

describe('evicted branches', () => {
  test.prop(
    [fc.option(fc.integer({ min: 1, max: 3 }), { nil: null }), fc.array(step, { maxLength: 50 })],
    { numRuns: propertyRuns(60) },
  )(
    'lose buffers, whose rows are refused, and windows, and keep histories; a key that returns ' +
      'starts anew (RT-18, RT-20, RT-21, RT-23, RT-24)',
    async (maxInstances, steps) => {
      const { graph, probe, publish, advance } = virtualGraph(plan(maxInstances));
      const probes = {
        buffered: probe('buffered'),
        unique: probe('unique'),
        totals: probe('totals'),
      };
      for (const each of Object.values(probes)) Object.assign(each, { isAttached: false });
      const twin = new Twin(maxInstances);
      const refused = new Set<number>();
      let next = 0;
      const pass = async (ms: number): Promise<void> => {
        for (let passed = 0; passed < ms; passed += 1) {
          await advance(1);
          twin.advance(1);
        }
      };
      for (const each of steps) {
        if (each.kind === 'publish') {
          const rows = each.ids.map((value) => ({ id: value, number: next++ }));
          const ledger = new AckLedger(rows.length, {
            settled: (slot, failure) => {
              if (failure !== null) refused.add(rows[slot]!.number);
            },
          });
          const acks = AckSet.ofSlots(
            ledger,
            Int32Array.from(rows, (_, slot) => slot),
          );
          await publish('events', relayBatch(each.ids, { acks, branchKey: tenantKey(each.key) }));
          twin.publish(each.key, rows);
          await pass(1);
        } else if (each.kind === 'advance') {
          await pass(each.ms);
        } else {
          graph.scanBranches(null);
          twin.scan();
        }
        expect(valuesOf(probes.buffered.batches, 'id')).toEqual(twin.buffered);
        expect(valuesOf(probes.unique.batches, 'id')).toEqual(twin.unique);
        expect(valuesOf(probes.totals.batches, 'sum')).toEqual(twin.totals);
        expect(refused).toEqual(twin.refused);
        const live = [
          graph.relays.find('events').keys?.size,
          ...graph.processors.map((n) => n.branchCount),
        ];
        expect(live).toEqual(Array(4).fill(twin.keys.size));
      }
    },
  );

  test('are told to readers before their relay fans out, never more than allowed (RT-21, RT-30)', async () => {
    const { graph, presence, publish } = virtualGraph(plan(1));
    const { relay, keys } = graph.relays.find('events');
    const seen: unknown[] = [];
    relay.connect({
      isAttached: false,
      hasRoom: () => true,
      deliver: (batch) => {
        const live = ['a', 'b'].filter((key) => keys!.has(tenantKey(key).text));
        seen.push([tenantOf(batch), live, presence.size, { ...presence.evictions }]);
      },
    });
    await publish('events', relayBatch([1], { branchKey: tenantKey('a') }));
    await publish('events', relayBatch([2], { branchKey: tenantKey('b') }));
    expect(seen).toEqual([
      ['a', ['a'], 1, { ttl: 0, lru: 0 }],
      ['b', ['b'], 1, { ttl: 0, lru: 1 }],
    ]);
  });

  test('are decided by the relay for all its producers, and by each processor for itself (RT-22, RT-26)', async () => {
    const branched = (name: string) => ({ ...p.route(name), branch: p.byTenant });
    const graph = virtualGraph(
      p.plan({
        branches: [
          { name: 'by_tenant', schema: 'tenant_key', ttlNanos: 1_000_000_000n, maxInstances: 2 },
        ],
        relays: [
          p.relay('events', { branch: 'by_tenant' }),
          p.relay('copies', { branch: 'by_tenant' }),
        ],
        ingestors: [
          p.ingestor('first', { routes: [branched('events')] }),
          p.ingestor('second', { routes: [branched('events')] }),
        ],
        processors: [
          p.junction('j', ['events'], [p.route('copies')], {
            branch: 'by_tenant',
            filter: p.binary('lt', p.input('id'), p.int(0)),
          } as object),
        ],
      }),
    );
    const tenants = ['x', 'y', 'z'];
    for (const [at, tenant] of tenants.entries()) {
      graph.offer(JSON.stringify({ id: at, tenant, amount: 1 }), at % 2);
      await graph.advance(6);
      await graph.advance(1);
    }
    const { keys } = graph.graph.relays.find('events');
    expect(tenants.filter((tenant) => keys!.has(tenantKey(tenant).text))).toEqual(['y', 'z']);
    expect(graph.graph.relays.find('copies').keys!.size).toBe(0);
    expect(graph.graph.processors[0]!.branchCount).toBe(2);
    expect(graph.presence.evictions).toEqual({ ttl: 0, lru: 1 });
  });

  test('do not expire while a hold is about to hand them over (RT-25)', async () => {
    const { graph, publish, advance, presence } = virtualGraph(plan(null));
    await publish('events', relayBatch([1], { branchKey: tenantKey('a') }));
    await advance(TTL_MS + FLUSH_MS);
    const hold = new EntityHold(graph, holdScope(graph.plan, graph.plan, new Set(['JUNCTION j'])));
    hold.closeGates();
    graph.scanBranches(hold);
    const counts = () => [
      graph.relays.find('events').keys!.size,
      ...graph.processors.map(({ branchCount }) => branchCount),
    ];
    expect(counts()).toEqual([1, 1, 0, 0]);
    hold.release();
    graph.scanBranches(null);
    expect(counts()).toEqual([0, 0, 0, 0]);
    expect(presence.evictions.ttl).toBe(1);
  });
});
