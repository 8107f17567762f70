import { describe, expect, test } from 'vitest';
import { DomainSubscriptions } from '../../src/domain/domain-subscriptions.js';
import type { SubscriptionEvent, SubscriptionRequest } from '../../src/index.js';
import { DomainMetrics } from '../../src/metrics/domain-metrics.js';
import { SUBSCRIPTION_CREDIT_BYTES } from '../../src/relay/subscription.js';
import { IDS, relayBatch } from '../support/batches.js';
import { virtualGraph } from '../support/graphs.js';
import { useHarness } from '../support/harness.js';
import * as p from '../support/plans.js';
import { event, post } from '../support/post.js';
import { until } from '../support/until.js';

const harness = useHarness();

const request = (rest: Partial<SubscriptionRequest> = {}): SubscriptionRequest => ({
  domain: 'shop',
  relay: 'events',
  delivery: 'BLOCKING',
  sampleRate: null,
  where: null,
  ...rest,
});

/** Keeps events; rows are given back at once unless `isSlow`. */
function reader(isSlow = false) {
  const events: SubscriptionEvent[] = [];
  const seen: Record<string, unknown>[] = [];
  const release: (() => void)[] = [];
  const read = (next: SubscriptionEvent): Promise<void> | undefined => {
    events.push(next);
    if (next.kind !== 'rows') return undefined;
    const lines = Buffer.from(next.lines).toString('utf8').trimEnd().split('\n');
    expect(lines).toHaveLength(next.rowCount);
    for (const line of lines) seen.push(JSON.parse(line) as Record<string, unknown>);
    if (!isSlow) return undefined;
    return new Promise((resolve) => {
      release.push(resolve);
    });
  };
  const rows = () => seen;
  return { events, read, rows, release };
}

describe('subscriptions', () => {
  test('see selected rows with sensitive values masked (CL-52, CL-60)', async () => {
    const { plane } = harness;
    const masked = {
      ...p.EVENT,
      fields: p.EVENT.fields.map((each) => ({ ...each, sensitive: each.name === 'note' })),
    };
    await plane.install(p.plan({ schemas: [masked, p.TENANT, p.FAILURE] }));
    const view = reader();
    const where = p.binary('gt', p.input('amount'), p.int(15));
    const handle = await plane.openSubscription(request({ where }), view.read);
    const level = { relay: 'events' };
    expect(await harness.metric('nervix_session_subscriptions', level)).toBe(1);
    for (const id of [1, 2]) await post(plane, event(id, { note: 'secret' }));
    await until('a row is seen', () => view.rows().length === 1);
    expect(view.rows()).toEqual([{ id: 2, tenant: 't2', amount: 20, note: '<masked>' }]);
    await handle.close();
    expect(await harness.metric('nervix_session_subscriptions', level)).toBe(0);
  });

  test('failing conditions are counted once a batch and the view stays open (CL-52)', async () => {
    const { plane } = harness;
    await plane.install(p.plan());
    const view = reader();
    const where = p.binary('gt', p.binary('div', p.int(10), p.input('amount')), p.int(0));
    await plane.openSubscription(request({ where }), view.read);
    await post(plane, event(0));
    await post(plane, event(1));
    await until('both are told', () => view.events.length === 2);
    expect(view.events[0]).toEqual({ kind: 'skipped', rowCount: 1 });
    expect(view.rows()).toHaveLength(1);
  });

  test('BLOCKING holds the relay while its reader is slow, and loses nothing (CL-53)', async () => {
    const { plane, receiver } = harness;
    await plane.install(
      p.plan({ clients: harness.clients(), emitters: [p.emitter('out', 'events', '/out')] }),
    );
    const view = reader(true);
    await plane.openSubscription(request(), view.read);
    const large = 'x'.repeat(50_000);
    let posted = 0;
    await until('the relay is held', async () => {
      await post(plane, event(posted++, { note: large }));
      return (await plane.nodeStatus('shop')).relays[0]!.buffered > 0;
    });
    const seen = view.rows().length;
    expect(seen).toBeLessThan(posted);
    await until('every row is seen', () => {
      for (const release of view.release.splice(0)) release();
      return view.rows().length === posted;
    });
    await until('every row is delivered', () => receiver.requests.length === posted);
    expect(view.rows().map((row) => row['id'])).toEqual(
      Array.from({ length: posted }, (_, id) => id),
    );
  });

  test('DROPPING loses rows and says how many before the next (CL-54)', async () => {
    const { plane } = harness;
    await plane.install(p.plan());
    const view = reader(true);
    await plane.openSubscription(request({ delivery: 'DROPPING' }), view.read);
    const large = 'x'.repeat(50_000);
    const losses = { relay: 'events' };
    const lost = () => harness.metric('nervix_session_subscription_dropped_rows_total', losses);
    let posted = 0;
    await until('rows are lost', async () => {
      await post(plane, event(posted++, { note: large }));
      return (await lost()) >= 3;
    });
    for (const release of view.release.splice(0)) release();
    await until('a row is seen again', async () => {
      await post(plane, event(posted++));
      return view.events.some(({ kind }) => kind === 'lost');
    });
    const told = view.events.reduce(
      (total, each) => total + (each.kind === 'lost' ? each.rowCount : 0),
      0,
    );
    expect(told).toBe(await lost());
    await until('the rest is seen', () => view.rows().length + told === posted);
  });

  test('a sample rate keeps its share of the rows (CL-52)', async () => {
    const { plane } = harness;
    await plane.install(p.plan());
    const half = reader();
    const none = reader();
    await plane.openSubscription(request({ sampleRate: 0.5 }), half.read);
    await plane.openSubscription(request({ sampleRate: 0 }), none.read);
    const all = reader();
    await plane.openSubscription(request({ sampleRate: 1 }), all.read);
    const body = Array.from({ length: 900 }, (_, id) => event(id)).join('\n');
    await post(plane, body, { type: 'application/x-ndjson' });
    await until('all rows are seen', () => all.rows().length === 900);
    expect(half.rows().length).toBeGreaterThan(350);
    expect(half.rows().length).toBeLessThan(550);
    expect(none.events).toEqual([]);
  });

  test('stay open over a new plan unless their relay changes (CL-55)', async () => {
    const { plane } = harness;
    await plane.install(p.plan());
    const kept = reader();
    await plane.openSubscription(request(), kept.read);
    await plane.install(p.plan({ revision: 2, relays: [p.relay('events', { capacity: 7 })] }));
    await post(plane, event(1));
    await until('a row is seen', () => kept.rows().length === 1);
    const wider = {
      ...p.EVENT,
      fields: [...p.EVENT.fields, p.field('x', 'I64', { optional: true })],
    };
    await plane.install(
      p.plan({
        revision: 3,
        schemas: [wider, p.TENANT, p.FAILURE],
        codecs: [p.jsonCodec(wider), p.jsonCodec(p.FAILURE)],
      }),
    );
    expect(kept.events.at(-1)).toEqual({ kind: 'ended', reason: 'relay_changed' });
    await expect(plane.openSubscription(request({ relay: 'x' }), kept.read)).rejects.toMatchObject({
      code: 'RUNTIME_UNKNOWN_RELAY',
    });
    await plane.stopDomain('shop');
    await expect(plane.openSubscription(request(), kept.read)).rejects.toMatchObject({
      code: 'RUNTIME_DOMAIN_NOT_RUNNING',
    });
  });

  test('tell nothing more once their reader closed them, though credit still comes', async () => {
    const { graph, store, publish } = virtualGraph(
      p.plan({
        schemas: [IDS],
        relays: [p.relay('events', { schema: 'ids' })],
        ingestors: [],
      }),
    );
    const events: SubscriptionEvent[] = [];
    const open = new DomainSubscriptions(new DomainMetrics(store, 'shop', '-'));
    const handle = open.open(graph, request(), {
      snapshot: () => ({ generation: 1, nowNanos: 0n, randomBytes: (n) => new Uint8Array(n) }),
      emit: (each) => events.push(each),
    });
    handle.credit(1 - SUBSCRIPTION_CREDIT_BYTES);
    await publish('events', relayBatch(Array.from({ length: 300 }, (_, id) => id)));
    expect(events).toMatchObject([{ kind: 'rows', rowCount: 256 }]);
    handle.close();
    handle.credit(SUBSCRIPTION_CREDIT_BYTES);
    expect(events).toHaveLength(1);
  });
});
