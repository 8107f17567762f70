import type { ExecutionPlan, FlushPlan } from '@nervix/model';
import { describe, expect, test } from 'vitest';
import { useHarness } from '../support/harness.js';
import * as p from '../support/plans.js';
import { event, post } from '../support/post.js';
import { until } from '../support/until.js';

const harness = useHarness({ alterationDrainMs: 3_000 });
const lines = { type: 'application/x-ndjson' };
const posts = (ids: readonly number[], rest: Record<string, unknown> = {}): string =>
  ids.map((id) => event(id, rest)).join('\n');
const idsAt = (path: string) => harness.receiver.rows(path).map((row) => row['id']);

const every = (intervalNanos: bigint): FlushPlan => ({
  kind: 'each',
  intervalNanos,
  maxBatchBytes: 1n << 30n,
});
const slow = every(3_600_000_000_000n);
const quick = every(1_000_000n);

const deduplicator = (rest: object = {}): ExecutionPlan['processors'][number] => ({
  kind: 'deduplicator',
  name: 'd',
  attached: true,
  inputs: [{ relay: 'events', where: null }],
  collect: null,
  filter: null,
  inputSchema: 'event',
  branch: null,
  keys: [p.input('id')],
  maxTimeNanos: 60_000_000_000n,
  routes: [p.route('unique')],
  ...rest,
});

/** `in` to `events`, `d` to `unique`, `out` sends those on; `side` reads `events` as well. */
const pipeline = (revision: number, rest: Partial<ExecutionPlan> = {}): ExecutionPlan =>
  p.plan({
    revision,
    clients: harness.clients(),
    relays: [p.relay('events'), p.relay('unique'), p.relay('copies')],
    processors: [deduplicator(), p.junction('j', ['unique'], [p.route('copies')])],
    emitters: [p.emitter('out', 'copies', '/out'), p.emitter('side', 'events', '/side')],
    ...rest,
  });
const junction = (route: object) => p.junction('j', ['unique'], [p.route('copies', route)]);

describe('a running graph', () => {
  test('judges what is buffered by another flush policy at once (RT-50, RT-182)', async () => {
    const { plane } = harness;
    const flushing = (revision: number, route: FlushPlan, emitter: FlushPlan) =>
      pipeline(revision, {
        processors: [deduplicator(), junction({ flush: route })],
        emitters: [p.emitter('out', 'copies', '/out', { flush: emitter })],
      });
    await plane.install(flushing(1, slow, slow));
    await post(plane, posts([1, 2]), lines);
    const series = { target: 'd', direction: 'sent' };
    await until('the records left the deduplicator', async () => {
      return (await harness.metric('nervix_messages_total', series)) === 2;
    });
    await plane.install(flushing(2, quick, slow));
    await until('the emitter has them', async () => {
      const { emitters } = await plane.nodeStatus('shop');
      return emitters[0]?.bufferedRows === 2;
    });
    expect(idsAt('/out')).toEqual([]);
    await plane.install(flushing(3, quick, quick));
    await until('they arrive', () => idsAt('/out').length === 2);
  });

  test('takes conditions, routes, times and capacities while nothing drains (RT-9, RT-182)', async () => {
    const { plane, receiver } = harness;
    let refused = '/side';
    receiver.answer = ({ path }) => (path === refused ? 500 : 204);
    await plane.install(pipeline(1));
    await post(plane, event(1));
    await until('the sink refuses', async () => {
      return (await plane.nodeStatus('shop')).emitters[1]?.status === 'ERROR';
    });
    const relays = pipeline(2).relays.map((relay) => ({ ...relay, capacity: 8 }));
    const next = pipeline(2, {
      relays,
      processors: [
        deduplicator({ filter: p.binary('lt', p.input('id'), p.int(4)), maxTimeNanos: 1n }),
        junction({
          construction: {
            assignments: [...p.inherit(p.EVENT), p.set('amount', p.int(7), 4)],
            where: null,
          },
        }),
      ],
    });
    await plane.prepare(next);
    await plane.install(next);
    const status = await plane.nodeStatus('shop');
    expect(status).toMatchObject({ state: 'running', revision: 2 });
    expect(status.relays.map(({ capacity }) => capacity)).toEqual([8, 8, 8]);
    for (const id of [1, 2, 5]) expect((await post(plane, event(id))).status).toBe(202);
    refused = '';
    await until('the records pass the new graph', () => idsAt('/out').length === 3);
    expect(receiver.rows('/out').map(({ id, amount }) => [id, amount])).toEqual([
      [1, 10],
      [1, 7],
      [2, 7],
    ]);
  });

  test('goes on beside what is replaced, which keeps its state (RT-207, RT-196)', async () => {
    const { plane } = harness;
    await plane.install(pipeline(1));
    await post(plane, posts([1, 2]), lines);
    await until('the first records arrive', () => idsAt('/out').length === 2);
    const answers: number[] = [];
    let isFlowing = true;
    const flow = (async () => {
      for (let id = 100; isFlowing; id += 1) answers.push((await post(plane, event(id))).status);
    })();
    for (const [revision, attached] of [
      [2, false],
      [3, true],
      [4, false],
    ] as const) {
      const changed = { processors: [deduplicator({ attached }), junction({})] };
      await plane.prepare(pipeline(revision, changed));
      expect((await plane.nodeStatus('shop')).state).toBe('running');
      await plane.install(pipeline(revision, changed));
    }
    isFlowing = false;
    await flow;
    expect(answers.every((status) => status === 202)).toBe(true);
    await post(plane, posts([1, 2, 3]), lines);
    await until('the last record arrives', () => idsAt('/out').includes(3));
    const sent = [1, 2, ...answers.map((_, index) => 100 + index), 3];
    expect(idsAt('/out')).toEqual(sent);
    await until('the other path has all', () => idsAt('/side').length === sent.length + 2);
  });

  test('forgets the history of a deduplicator whose keys change, and of no other (RT-199)', async () => {
    const { plane } = harness;
    await plane.install(pipeline(1));
    await post(plane, posts([1, 2]), lines);
    await until('the first records arrive', () => idsAt('/out').length === 2);
    await plane.install(
      pipeline(2, { processors: [deduplicator({ keys: [p.input('amount')] }), junction({})] }),
    );
    await post(plane, posts([1, 2], { amount: 5 }), lines);
    await until('one of them arrives', () => idsAt('/out').length === 3);
    expect(idsAt('/out')).toEqual([1, 2, 1]);
  });

  test('replaces a sink while a sibling cannot deliver; its own drain can time out (RT-206)', async () => {
    const { plane, receiver } = harness;
    let refused = '/side';
    receiver.answer = ({ path }) => (path === refused ? 500 : 204);
    await plane.install(
      pipeline(1, { relays: pipeline(1).relays.map((r) => ({ ...r, capacity: 9 })) }),
    );
    await post(plane, event(1));
    await until('the record arrives', () => idsAt('/out').length === 1);
    const elsewhere = (revision: number, path: string) =>
      pipeline(revision, {
        relays: pipeline(1).relays.map((r) => ({ ...r, capacity: 9 })),
        emitters: [p.emitter('out', 'copies', path), p.emitter('side', 'events', '/side')],
      });
    await plane.install(elsewhere(2, '/else'));
    await post(plane, event(2));
    await until('the next one arrives there', () => idsAt('/else').length === 1);
    refused = '/else';
    await post(plane, event(3));
    await until('the sink refuses', async () => {
      return (await plane.nodeStatus('shop')).emitters[0]?.status === 'ERROR';
    });
    await expect(plane.prepare(elsewhere(3, '/third'))).rejects.toMatchObject({
      code: 'RUNTIME_DRAIN_TIMEOUT',
      details: { pending: ["emitter 'out'"] },
    });
    refused = '';
    await until('it is delivered after all', () => idsAt('/else').includes(3));
    await post(plane, event(4));
    await until('and the graph goes on', () => idsAt('/else').includes(4));
  });

  test('gains and loses endpoints while a sink refuses, and nothing drains (CP-79)', async () => {
    const { plane, receiver } = harness;
    receiver.answer = () => 500;
    const at = (name: string, path = `/${name}`) => ({
      ...{ name, vhost: 'main', hostnames: ['shop.test'], path, type: 'HTTP' as const },
    });
    const [own] = pipeline(1).endpoints as [ReturnType<typeof at>];
    await plane.install(pipeline(1));
    await post(plane, event(1));
    await until('the sink refuses', async () => {
      return (await plane.nodeStatus('shop')).emitters[0]?.status === 'ERROR';
    });
    const statuses = async (...paths: readonly string[]) => {
      const answers = paths.map((path) => post(plane, event(2), { path }));
      return (await Promise.all(answers)).map(({ status }) => status);
    };
    const gaining = pipeline(2, { endpoints: [at('first'), own, at('last')] });
    await plane.prepare(gaining);
    expect((await plane.nodeStatus('shop')).state).toBe('running');
    await plane.install(gaining);
    expect(await statuses('/first', '/last', '/none')).toEqual([503, 503, 404]);
    await plane.install(pipeline(3, { endpoints: [own, at('last', '/moved')] }));
    expect(await statuses('/first', '/last', '/moved')).toEqual([404, 404, 503]);
    expect((await post(plane, event(3))).status).toBe(202);
    receiver.answer = () => 204;
    await until('all of it arrives', () => idsAt('/out').includes(3));
  });

  test('listens at a new endpoint in place of a dropped one, and drains no more than that (CP-79)', async () => {
    const { plane } = harness;
    const [own] = pipeline(1).endpoints;
    await plane.install(pipeline(1));
    const moved = pipeline(2, {
      endpoints: [{ ...own!, name: 'other', path: '/other' }],
      ingestors: [p.ingestor('in', { endpoint: 'other' })],
    });
    await plane.prepare(moved);
    expect((await plane.nodeStatus('shop')).state).toBe('running');
    await plane.install(moved);
    expect((await post(plane, event(1))).status).toBe(404);
    expect((await post(plane, event(2), { path: '/other' })).status).toBe(202);
    await until('what it takes arrives', () => idsAt('/out').includes(2));
  });

  test('holds a replaced ingestor by its quiesce mode, and no other one (RT-73, RT-79, RT-80)', async () => {
    const { plane } = harness;
    const buffer = { kind: 'buffer', maxBytes: 1_000_000n } as const;
    const both = (revision: number, filter: typeof condition | null) =>
      pipeline(revision, {
        endpoints: ['a', 'b'].map((name) => ({
          name,
          vhost: 'main',
          hostnames: ['shop.test'],
          path: `/${name}`,
          type: 'HTTP',
        })),
        ingestors: [
          p.ingestor('first', { endpoint: 'a', quiesce: buffer, filter }),
          p.ingestor('second', { endpoint: 'b' }),
        ],
      });
    const condition = p.binary('lt', p.input('id'), p.int(10));
    await plane.install(both(1, null));
    await plane.prepare(both(2, condition));
    expect((await post(plane, posts([1, 11]), { ...lines, path: '/a' })).status).toBe(202);
    expect((await post(plane, event(2), { path: '/b' })).status).toBe(202);
    const { ingestors } = await plane.nodeStatus('shop');
    expect(ingestors).toMatchObject([
      { state: 'held', quiesceCauses: ['entity hold'], bufferedRecords: 1 },
      { state: 'running', quiesceCauses: [] },
    ]);
    await plane.install(both(2, condition));
    await until('both arrive', () => idsAt('/out').length === 2);
    expect(idsAt('/out').sort()).toEqual([1, 2]);
  });

  test('lets a preparation go again that a wider or narrower change follows', async () => {
    const { plane } = harness;
    await plane.install(pipeline(1));
    const swapped = pipeline(2, { processors: [deduplicator({ attached: false }), junction({})] });
    await plane.prepare(swapped);
    await plane.release('shop');
    await post(plane, event(1));
    await until('the record arrives', () => idsAt('/out').length === 1);
    await plane.prepare(swapped);
    await plane.install(pipeline(2));
    await post(plane, event(2));
    await until('the second arrives', () => idsAt('/out').length === 2);
    await plane.prepare(pipeline(3, { processors: swapped.processors }));
    await plane.install(pipeline(3, { relays: [...pipeline(1).relays, p.relay('more')] }));
    await post(plane, event(3));
    await until('the third arrives', () => idsAt('/out').length === 3);
    expect(harness.failures).toEqual([]);
  });

  test('keeps what runs when a replacement cannot be built (RT-196)', async () => {
    const { plane } = harness;
    await plane.install(pipeline(1));
    const broken = pipeline(2, {
      ingestors: [p.ingestor('in', { codec: 'missing' })],
    });
    await expect(plane.install(broken)).rejects.toMatchObject({ code: 'RUNTIME_INVALID_PLAN' });
    expect(await plane.nodeStatus('shop')).toMatchObject({ state: 'running', revision: 1 });
    await post(plane, event(1));
    await until('the record arrives', () => idsAt('/out').length === 1);
  });
});
