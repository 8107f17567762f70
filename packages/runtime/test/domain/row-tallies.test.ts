import { expect, test } from 'vitest';
import { useHarness } from '../support/harness.js';
import * as p from '../support/plans.js';
import { event, post } from '../support/post.js';
import { until } from '../support/until.js';

const harness = useHarness();
const LINES = { type: 'application/x-ndjson' };

const slowFlush = {
  kind: 'each',
  intervalNanos: 3_600_000_000_000n,
  maxBatchBytes: 1n << 30n,
} as const;

const lines = (count: number, rest: (id: number) => Record<string, unknown> = () => ({})): string =>
  Array.from({ length: count }, (_, id) => event(id, rest(id))).join('\n');

test('rows that conditions and duplicates sort out and rows that fail are told apart', async () => {
  const { plane } = harness;
  const failing = p.set('amount', p.binary('div', p.int(1000), p.input('amount')), 4, [
    'input.amount',
    'output.amount',
  ]);
  await plane.install(
    p.plan({
      relays: [p.relay('events'), p.relay('shares')],
      ingestors: [p.ingestor('in', { filter: p.binary('lt', p.input('id'), p.int(8)) })],
      processors: [
        p.junction(
          'x',
          ['events'],
          [
            p.route('shares', {
              construction: {
                assignments: [...p.inherit(p.EVENT), failing],
                where: p.binary('gt', p.output('id'), p.int(1)),
              },
            }),
          ],
        ),
      ],
    }),
  );
  // Ids 8 and 9 are filtered at the source, 0 and 1 by the route, and two of the rest divide by 0.
  const body = lines(10, (id) => ({ amount: id === 3 || id === 4 ? 0 : 10 }));
  expect((await post(plane, body, LINES)).status).toBe(202);
  const sent = { target: 'x', direction: 'sent', relay: 'shares' };
  await until('the rest passed', async () => {
    return (await harness.metric('nervix_messages_total', sent)) === 4;
  });
  const filtered = (target: string, stage: string) =>
    harness.metric('nervix_messages_filtered_total', { target, stage });
  expect(await filtered('in', 'filter_where')).toBe(2);
  expect(await filtered('x', 'route_where')).toBe(2);
  expect(await harness.metric('nervix_message_errors_total', { target: 'x' })).toBe(2);
});

test('an emitter counts what its conditions sort out', async () => {
  const { plane, receiver } = harness;
  const below = (bound: number) => p.binary('lt', p.input('id'), p.int(bound));
  await plane.install(
    p.plan({
      clients: harness.clients(),
      relays: [p.relay('events')],
      emitters: [
        p.emitter('out', 'events', '/out', {
          inputs: [{ relay: 'events', where: below(8) }],
          construction: { assignments: p.inherit(p.EVENT), where: below(5) },
        }),
      ],
    }),
  );
  expect((await post(plane, lines(10), LINES)).status).toBe(202);
  await until('the rest arrived', () => receiver.requests.length === 5);
  const filtered = (stage: string) =>
    harness.metric('nervix_messages_filtered_total', { target: 'out', stage });
  expect([await filtered('source_where'), await filtered('route_where')]).toEqual([2, 3]);
});

test('RT-192: a stop says how many rows it gave up', async () => {
  const { plane } = harness;
  await plane.install(
    p.plan({
      relays: [p.relay('events')],
      ingestors: [
        p.ingestor('in', {
          routes: [{ ...p.route('events', { flush: slowFlush }), branch: null }],
        }),
      ],
    }),
  );
  expect((await post(plane, lines(5), LINES)).status).toBe(202);
  await plane.stopDomain('shop');
  const discarded = { target_kind: 'DOMAIN', reason: 'stopped' };
  expect(await harness.metric('nervix_messages_discarded_total', discarded)).toBe(5);
  expect(harness.logs).toContainEqual(
    expect.objectContaining({ level: 'warn', fields: expect.objectContaining({ discarded: 5 }) }),
  );
});

test('RT-23: an eviction says how many rows it gave up', async () => {
  const { plane } = harness;
  const [byTenant] = p.plan().branches;
  await plane.install(
    p.plan({
      branches: [{ ...byTenant!, maxInstances: 1 }],
      relays: [
        p.relay('events', { branch: byTenant!.name }),
        p.relay('out', { branch: byTenant!.name }),
      ],
      ingestors: [p.ingestor('in', { routes: [{ ...p.route('events'), branch: p.byTenant }] })],
      processors: [
        p.junction('x', ['events'], [p.route('out', { flush: slowFlush })], {
          branch: byTenant!.name,
        } as object),
      ],
    }),
  );
  await post(
    plane,
    lines(3, () => ({ tenant: 'a' })),
    LINES,
  );
  const received = { target: 'x', direction: 'received', relay: 'events' };
  await until('the first tenant arrived', async () => {
    return (await harness.metric('nervix_messages_total', received)) === 3;
  });
  await post(plane, event(9, { tenant: 'b' }));
  const discarded = { target: 'x', reason: 'evicted' };
  await until('the first tenant was evicted', async () => {
    return (await harness.metric('nervix_messages_discarded_total', discarded)) === 3;
  });
});
