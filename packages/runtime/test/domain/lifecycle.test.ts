import type { ExecutionPlan } from '@nervix/model';
import { describe, expect, test } from 'vitest';
import { useHarness } from '../support/harness.js';
import * as p from '../support/plans.js';
import { event, post } from '../support/post.js';
import { until } from '../support/until.js';

const harness = useHarness();
const lines = { type: 'application/x-ndjson' };

const slowFlush = {
  kind: 'each',
  intervalNanos: 3_600_000_000_000n,
  maxBatchBytes: 1n << 30n,
} as const;

const deduplicator = (maxTimeNanos: bigint): ExecutionPlan['processors'][number] => ({
  kind: 'deduplicator',
  name: 'd',
  attached: true,
  inputs: [{ relay: 'events', where: null }],
  collect: null,
  filter: null,
  inputSchema: 'event',
  branch: null,
  keys: [p.input('id')],
  maxTimeNanos,
  routes: [p.route('unique')],
});

describe('life of a domain', () => {
  test('a drain finishes what was admitted: received = delivered + filtered + failed', async () => {
    const { plane, receiver } = harness;
    const failing = p.set('amount', p.binary('div', p.int(1000), p.input('amount')), 4, [
      'input.amount',
      'output.amount',
    ]);
    await plane.install(
      p.plan({
        clients: harness.clients(),
        relays: [p.relay('events'), p.relay('shares'), p.relay('failures', { schema: 'failure' })],
        ingestors: [
          p.ingestor('in', {
            routes: [{ ...p.route('events', { flush: slowFlush }), branch: null }],
          }),
        ],
        processors: [
          p.junction(
            'x',
            ['events'],
            [
              p.route('shares', {
                construction: { assignments: [...p.inherit(p.EVENT), failing], where: null },
                messageError: p.sendTo('failures'),
                flush: slowFlush,
              }),
            ],
            {
              filter: p.binary('lt', p.input('amount'), p.int(900)),
              collect: { intervalNanos: 3_600_000_000_000n, maxBatchBytes: null },
            } as object,
          ),
        ],
        emitters: [
          p.emitter('out', 'shares', '/out', { flush: slowFlush }),
          p.emitter('failures_out', 'failures', '/failures', {
            inputSchema: 'failure',
            outputSchema: 'failure',
            construction: { assignments: p.inherit(p.FAILURE), where: null },
            sink: { ...p.emitter('x', 'x', '/failures').sink, codec: 'failure_json' },
          }),
        ],
      }),
    );
    let statuses: number[] = [];
    const poster = async (first: number): Promise<void> => {
      for (let id = first; id < first + 20; id += 1) {
        statuses.push((await post(plane, event(id, { amount: (id % 10) * 100 }))).status);
      }
    };
    await Promise.all([0, 20, 40, 60, 80].map(poster));
    expect(statuses.every((status) => status === 202)).toBe(true);
    expect(receiver.requests).toEqual([]);
    const late = poster(100);
    statuses = [];
    const result = await plane.drain(20_000);
    await late;
    expect(result).toEqual({ outcome: 'completed', pending: [] });
    const admitted = 100 + statuses.filter((status) => status === 202).length;
    expect(statuses.every((status) => status === 202 || status === 503)).toBe(true);
    const ids = [0, 20, 40, 60, 80, 100].flatMap((first) => {
      return Array.from({ length: 20 }, (_, index) => first + index);
    });
    const accepted = ids.slice(0, admitted);
    const expected = (digit: (value: number) => boolean) =>
      accepted.filter((id) => digit(id % 10)).length;
    expect(receiver.rows('/out')).toHaveLength(expected((digit) => digit !== 0 && digit !== 9));
    expect(receiver.rows('/failures')).toHaveLength(expected((digit) => digit === 0));
    expect(await post(plane, event(1))).toMatchObject({ status: 503, code: 'NOT_RUNNING' });
  });

  test('a drain gives up at its deadline and names what was left', async () => {
    const { plane, receiver } = harness;
    await plane.install(
      p.plan({ clients: harness.clients(), emitters: [p.emitter('out', 'events', '/out')] }),
    );
    receiver.answer = () => 500;
    await post(plane, event(1));
    const result = await plane.drain(100);
    expect(result).toEqual({
      outcome: 'abandoned',
      pending: ["emitter 'out' of domain 'shop'"],
    });
  });

  test('a new plan waits for the old one to drain and keeps deduplication history (RT-205)', async () => {
    const { plane, receiver } = harness;
    const make = (revision: number, path: string, maxTimeNanos = 60_000_000_000n) =>
      p.plan({
        revision,
        clients: harness.clients(),
        relays: [p.relay('events'), p.relay('unique')],
        processors: [deduplicator(maxTimeNanos)],
        emitters: [p.emitter('out', 'unique', path)],
      });
    await plane.install(make(1, '/one'));
    await post(plane, [1, 2, 1].map((id) => event(id)).join('\n'), lines);
    await plane.install(make(2, '/two', 30_000_000_000n));
    expect(receiver.rows('/one').map((row) => row['id'])).toEqual([1, 2]);
    await post(plane, [1, 2, 3].map((id) => event(id)).join('\n'), lines);
    await until('the new record arrives', () => receiver.rows('/two').length > 0);
    expect(receiver.rows('/two').map((row) => row['id'])).toEqual([3]);
    await expect(plane.install(make(2, '/two'))).rejects.toMatchObject({
      code: 'RUNTIME_STALE_PLAN',
    });
    await plane.stopDomain('shop');
    await plane.install({ ...make(2, '/three'), generation: 2 });
    await post(plane, [1, 4].map((id) => event(id)).join('\n'), lines);
    await until('the fresh record arrives', () => receiver.rows('/three').length > 0);
    expect(receiver.rows('/three').map((row) => row['id'])).toEqual([4]);
  });

  test('a plan that cannot be drained for leaves the old one running (RT-206)', async () => {
    const { plane, receiver } = harness;
    await plane.install(
      p.plan({ clients: harness.clients(), emitters: [p.emitter('out', 'events', '/out')] }),
    );
    receiver.answer = () => 500;
    await post(plane, event(1));
    await expect(plane.install(p.plan({ revision: 2 }))).rejects.toMatchObject({
      code: 'RUNTIME_DRAIN_TIMEOUT',
      details: { pending: ["emitter 'out'"] },
    });
    receiver.answer = () => 204;
    expect((await post(plane, event(2))).status).toBe(202);
    await until('both records arrive', () => {
      return new Set(receiver.rows('/out').map((row) => row['id'])).size === 2;
    });
    expect((await plane.nodeStatus('shop')).revision).toBe(1);
  });

  test('an end does not wait for the drain of a replacement', async () => {
    const { plane, receiver } = harness;
    await plane.install(
      p.plan({ clients: harness.clients(), emitters: [p.emitter('out', 'events', '/out')] }),
    );
    receiver.answer = () => 500;
    await post(plane, event(1));
    const startMs = performance.now();
    const replaced = plane.install(p.plan({ revision: 2 }));
    const refused = expect(replaced).rejects.toMatchObject({ code: 'RUNTIME_DRAIN_TIMEOUT' });
    await plane.stopDomain('shop');
    await refused;
    expect(performance.now() - startMs).toBeLessThan(2500);
  });

  test('a plan that does not hold together changes nothing', async () => {
    const { plane } = harness;
    await plane.install(p.plan());
    await expect(plane.install(p.plan({ revision: 2, codecs: [] }))).rejects.toMatchObject({
      code: 'RUNTIME_INVALID_PLAN',
      message: "plan of domain 'shop' cannot be installed: codec 'event_json' is missing",
    });
    await expect(
      plane.install(p.plan({ revision: 2, emitters: [p.emitter('out', 'nowhere', '/')] })),
    ).rejects.toMatchObject({ code: 'RUNTIME_UNKNOWN_RELAY' });
    await expect(plane.install(p.plan({ revision: 2, programVersion: 0 }))).rejects.toMatchObject({
      code: 'RUNTIME_INVALID_PLAN',
      message: "plan of domain 'shop' cannot be installed: its expressions have version 0, not 1",
    });
    expect((await post(plane, event(1))).status).toBe(202);
  });

  test('held REJECT hints, held BUFFER keeps bodies for the new plan (CN-50…53, RT-73, RT-76)', async () => {
    const { plane, receiver } = harness;
    const endpoints = [
      ...p.plan().endpoints,
      {
        name: 'kept',
        vhost: 'main',
        hostnames: ['shop.test'],
        path: '/kept',
        type: 'HTTP' as const,
      },
    ];
    const make = (revision: number) =>
      p.plan({
        revision,
        clients: harness.clients(),
        endpoints,
        // Another graph, so that the second plan cannot simply take over.
        relays: [...p.plan().relays, ...(revision > 1 ? [p.relay('more')] : [])],
        ingestors: [
          p.ingestor('in'),
          p.ingestor('keeper', {
            endpoint: 'kept',
            quiesce: { kind: 'buffer', maxBytes: 100n },
          }),
        ],
        emitters: [p.emitter('out', 'events', '/out')],
      });
    await plane.install(make(1));
    receiver.answer = () => 500;
    await post(plane, event(1));
    const installed = plane.install(make(2));
    await until('intake is held', async () => {
      return (await plane.nodeStatus('shop')).state === 'paused';
    });
    expect(await post(plane, event(2))).toMatchObject({
      status: 503,
      code: 'QUIESCED',
      retryAfter: '2',
    });
    const kept = { path: '/kept' };
    expect((await post(plane, event(3), kept)).status).toBe(202);
    expect((await post(plane, 'undecodable', kept)).status).toBe(202);
    const tooLarge = await post(plane, event(4, { note: 'x'.repeat(100) }), kept);
    expect(tooLarge).toMatchObject({ status: 503, code: 'BUFFER_FULL', retryAfter: undefined });
    expect((await plane.nodeStatus('shop')).ingestors[1]).toMatchObject({
      state: 'held',
      bufferedRecords: 2,
    });
    receiver.answer = () => 204;
    await installed;
    await until('the kept record arrives', () => receiver.rows('/out').at(-1)?.['id'] === 3);
    const quiesce = { ingestor: 'in' };
    expect(await harness.metric('nervix_ingestor_quiesce_rejected_total', quiesce)).toBe(1);
    expect(
      await harness.metric('nervix_ingestor_decode_errors_total', { ingestor: 'keeper' }),
    ).toBe(1);
  });

  test('full relays make requests wait, and a full queue of them answers BUSY', async () => {
    const { plane, receiver } = harness;
    await plane.install(
      p.plan({
        clients: harness.clients(),
        emitters: [p.emitter('out', 'events', '/out')],
      }),
    );
    receiver.answer = () => 500;
    // 1024 rows fill a group; five groups fill emitter, queue, buffer, route and the open group.
    const group = Array.from({ length: 1024 }, (_, id) => event(id, { note: 'n' })).join('\n');
    const bodies = `${group}\n`;
    expect(bodies.length).toBeLessThan(64 * 1024);
    const answers: number[] = [];
    let sent = 0;
    const send = () => {
      sent += 1;
      return post(plane, bodies, lines).then(({ status }) => answers.push(status));
    };
    const flood: Promise<unknown>[] = [];
    await until('requests wait', async () => {
      flood.push(send());
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
      return sent - answers.length > 20;
    });
    await until('the queue is full', () => {
      if (sent - answers.length < 600) flood.push(send());
      return answers.includes(503);
    });
    const waiting = sent - answers.length;
    expect(waiting * bodies.length).toBeLessThan(20 * 1024 * 1024);
    await plane.stopDomain('shop');
    await Promise.all(flood);
    expect(answers.filter((status) => status === 503).length).toBeGreaterThanOrEqual(waiting);
  });
});
