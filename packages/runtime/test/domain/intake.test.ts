import type { TypedExpression } from '@nervix/model';
import { request } from 'undici';
import { describe, expect, test } from 'vitest';
import { useHarness } from '../support/harness.js';
import * as p from '../support/plans.js';
import { event, post } from '../support/post.js';
import { until } from '../support/until.js';

const harness = useHarness({ branchScanMs: 50 });

describe('intake', () => {
  test('headers of the request are readable, without regard to case (CN-48, CN-135)', async () => {
    const { plane, receiver } = harness;
    const read: TypedExpression = {
      kind: 'call',
      function: 'read_header',
      overload: 'read_header',
      arguments: [p.text('X-Source')],
      type: 'STRING',
      optional: true,
      sensitive: false,
    };
    await plane.install(
      p.plan({
        clients: harness.clients(),
        ingestors: [
          p.ingestor('in', {
            routes: [
              {
                ...p.route('events', {
                  construction: {
                    assignments: [...p.inherit(p.EVENT), p.set('note', read, 4)],
                    where: null,
                  },
                }),
                branch: null,
              },
            ],
          }),
        ],
        emitters: [p.emitter('out', 'events', '/out')],
      }),
    );
    const { host, port } = plane.httpAddress;
    const send = async (source: string | null, body: string) => {
      const answer = await request(`http://${host}:${port}/events`, {
        method: 'POST',
        headers: {
          host: 'shop.test',
          'content-type': 'application/x-ndjson',
          ...(source === null ? {} : { 'x-source': source }),
        },
        body,
      });
      await answer.body.dump();
    };
    await Promise.all([
      send('one', `${event(1)}\n${event(2)}`),
      send(null, event(3)),
      send('two', event(4)),
    ]);
    await until('all records arrive', () => receiver.requests.length === 4);
    const notes = receiver.rows('/out').map((row) => [row['id'], row['note']]);
    expect(notes.sort()).toEqual([
      [1, 'one'],
      [2, 'one'],
      [3, undefined],
      [4, 'two'],
    ]);
  });

  test('TIMESTAMP AT sets both watermarks, and a null one is a message error (RT-61, CN-42, TX-52)', async () => {
    const { plane, receiver } = harness;
    const timed = {
      name: 'event',
      fields: [p.field('id', 'I64'), p.field('at', 'DATETIME', { optional: true })],
    };
    await plane.install(
      p.plan({
        clients: harness.clients(),
        schemas: [timed, p.TENANT, p.FAILURE],
        codecs: [p.jsonCodec(timed), p.jsonCodec(p.FAILURE)],
        relays: [p.relay('events'), p.relay('failures', { schema: 'failure' })],
        ingestors: [
          p.ingestor('in', {
            timestamp: { kind: 'at', field: 'at' },
            routes: [
              {
                ...p.route('events', {
                  construction: { assignments: p.inherit(timed), where: null },
                  messageError: p.sendTo('failures'),
                }),
                branch: null,
              },
            ],
          }),
        ],
        emitters: [
          p.emitter('out', 'events', '/out', {
            construction: { assignments: p.inherit(timed), where: null },
          }),
          p.emitter('failed', 'failures', '/failed', {
            inputSchema: 'failure',
            outputSchema: 'failure',
            construction: { assignments: p.inherit(p.FAILURE), where: null },
            sink: { ...p.emitter('x', 'x', '/failed').sink, codec: 'failure_json' },
          }),
        ],
      }),
    );
    const lines = ['{"id":1,"at":"2026-01-02T03:04:05Z"}', '{"id":2}'].join('\n');
    expect((await post(plane, lines, { type: 'application/x-ndjson' })).status).toBe(202);
    await until('both arrive', () => receiver.requests.length === 2);
    expect(receiver.rows('/out').map((row) => row['id'])).toEqual([1]);
    expect(receiver.rows('/failed')[0]).toMatchObject({
      code: 'validation',
      operation: 'admit',
      fields: ['input.at'],
      message: "TIMESTAMP field 'at' for ingestor 'in' is missing from decoded record",
    });
  });

  test('idle branches expire at the first scan after their time, and are counted (RT-20, CL-99)', async () => {
    const { plane } = harness;
    await plane.install(
      p.plan({
        relays: [p.relay('events', { branch: 'by_tenant' })],
        branches: [
          { name: 'by_tenant', schema: 'tenant_key', ttlNanos: 200_000_000n, maxInstances: 2 },
        ],
        ingestors: [p.ingestor('in', { routes: [{ ...p.route('events'), branch: p.byTenant }] })],
      }),
    );
    const branch = { branch: 'by_tenant' };
    const instances = () => harness.metric('nervix_branch_instances', branch);
    const evictions = (reason: string) =>
      harness.metric('nervix_branch_evictions_total', { ...branch, reason });
    for (const id of [0, 1, 2]) await post(plane, event(id));
    await until('three keys were seen', async () => (await evictions('lru')) === 1);
    expect(await instances()).toBe(2);
    await until('all keys expire', async () => (await instances()) === 0);
    expect(await evictions('ttl')).toBe(2);
  });

  test('a replaced graph and a stop take live branches away and count no eviction (RT-25)', async () => {
    const { plane } = harness;
    const branched = (revision: number, relays: readonly string[]) =>
      p.plan({
        revision,
        relays: relays.map((name) => p.relay(name, { branch: 'by_tenant' })),
        ingestors: [p.ingestor('in', { routes: [{ ...p.route('events'), branch: p.byTenant }] })],
      });
    const branch = { branch: 'by_tenant' };
    const instances = () => harness.metric('nervix_branch_instances', branch);
    const evictions = async () =>
      (await harness.metric('nervix_branch_evictions_total', { ...branch, reason: 'ttl' })) +
      (await harness.metric('nervix_branch_evictions_total', { ...branch, reason: 'lru' }));
    await plane.install(branched(1, ['events']));
    for (const id of [0, 1]) await post(plane, event(id));
    await until('two branches live', async () => (await instances()) === 2);
    await plane.install(branched(2, ['events', 'more']));
    expect(await instances()).toBe(0);
    await post(plane, event(0));
    await until('one lives again', async () => (await instances()) === 1);
    await plane.stopDomain('shop');
    expect([await instances(), await evictions()]).toEqual([0, 0]);
  });

  test('COLLECT FOR gathers batches into one and releases by time or size (RT-37, RT-38)', async () => {
    const { plane, receiver } = harness;
    await plane.install(
      p.plan({
        clients: harness.clients(),
        relays: [p.relay('events'), p.relay('gathered')],
        processors: [
          p.junction('j', ['events'], [p.route('gathered')], {
            collect: { intervalNanos: 300_000_000n, maxBatchBytes: null },
          } as object),
        ],
        emitters: [p.emitter('out', 'gathered', '/out')],
      }),
    );
    for (const id of [1, 2, 3]) {
      await post(plane, event(id));
      const sent = { target_kind: 'INGESTOR', direction: 'sent', relay: 'events' };
      await until('the batch left the ingestor', async () => {
        return (await harness.metric('nervix_batches_total', sent)) === id;
      });
    }
    await until('all records arrive', () => receiver.requests.length === 3);
    const batches = (direction: string, relay: string) =>
      harness.metric('nervix_batches_total', { target_kind: 'JUNCTION', direction, relay });
    expect(await batches('received', 'events')).toBe(3);
    expect(await batches('sent', 'gathered')).toBe(1);
  });
});
