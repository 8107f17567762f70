import { describe, expect, test } from 'vitest';
import { useHarness } from '../support/harness.js';
import * as p from '../support/plans.js';
import { event, post } from '../support/post.js';
import { until } from '../support/until.js';

const harness = useHarness();

const acked = (max: number, timeoutMs: number, rest: Parameters<typeof p.ingestor>[1] = {}) =>
  p.ingestor('in', {
    mode: 'ack_parallel',
    ackWindow: { max, timeoutNanos: BigInt(timeoutMs) * 1_000_000n },
    ...rest,
  });

describe('endpoint acknowledgement mode', () => {
  test('200 follows delivery by every attached path (CN-378, RT-52, RT-53)', async () => {
    const { plane, receiver } = harness;
    await plane.install(
      p.plan({
        clients: harness.clients(),
        ingestors: [acked(10, 5000)],
        emitters: [
          p.emitter('out', 'events', '/out'),
          p.emitter('aside', 'events', '/aside', { attached: false }),
        ],
      }),
    );
    receiver.answer = ({ path }) => (path === '/aside' ? 404 : 204);
    const body = [1, 2, 3].map((id) => event(id)).join('\n');
    const answer = await post(plane, body, { type: 'application/x-ndjson' });
    expect(answer).toMatchObject({ status: 200, body: '' });
    expect(receiver.rows('/out')).toHaveLength(3);
  });

  test('a failed root answers 503, filtered and absent messages 200 (CN-378, RT-54)', async () => {
    const { plane, receiver } = harness;
    await plane.install(
      p.plan({
        clients: harness.clients(),
        ingestors: [acked(10, 5000, { filter: p.binary('gt', p.input('amount'), p.int(15)) })],
        emitters: [p.emitter('out', 'events', '/out')],
      }),
    );
    receiver.answer = () => 404;
    expect((await post(plane, event(1))).status).toBe(200);
    expect((await post(plane, '\n', { type: 'application/x-ndjson' })).status).toBe(200);
    expect(await post(plane, event(2))).toMatchObject({
      status: 503,
      code: 'PROCESSING_FAILED',
    });
    expect((await post(plane, 'no json')).status).toBe(422);
  });

  test('no slot answers BUSY, no outcome in time 504 (CN-378)', async () => {
    const { plane, receiver } = harness;
    await plane.install(
      p.plan({
        clients: harness.clients(),
        ingestors: [acked(1, 400)],
        emitters: [p.emitter('out', 'events', '/out')],
      }),
    );
    receiver.answer = () => 500;
    const waiting = post(plane, event(1));
    await until('the slot is taken', async () => {
      return (await plane.nodeStatus('shop')).ingestors[0]!.waitingRequests === 1;
    });
    expect(await post(plane, event(2))).toMatchObject({
      status: 503,
      code: 'BUSY',
      retryAfter: '1',
    });
    expect(await waiting).toMatchObject({ status: 504, code: 'OUTCOME_UNKNOWN' });
    receiver.answer = () => 204;
    await until('the slot is free', async () => (await post(plane, event(3))).status === 200);
  });

  test('the answer waits for every ingestor that decoded the body (CN-134, CN-379)', async () => {
    const { plane, receiver } = harness;
    const other = { ...p.EVENT, name: 'other', fields: [p.field('other', 'I64')] };
    await plane.install(
      p.plan({
        clients: harness.clients(),
        schemas: [p.EVENT, p.TENANT, p.FAILURE, other],
        codecs: [p.jsonCodec(p.EVENT), p.jsonCodec(other)],
        relays: [p.relay('events'), p.relay('others', { schema: 'other' })],
        ingestors: [
          acked(10, 5000),
          p.ingestor('second', {
            codec: 'other_json',
            schema: 'other',
            routes: [
              {
                ...p.route('others', {
                  construction: { assignments: p.inherit(other), where: null },
                }),
                branch: null,
              },
            ],
          }),
        ],
        emitters: [p.emitter('out', 'events', '/out')],
      }),
    );
    expect((await post(plane, event(1))).status).toBe(200);
    expect((await post(plane, '{"other": 1}')).status).toBe(202);
    const neither = await post(plane, '{"id": 1}');
    expect(neither.status).toBe(422);
    expect(neither.body).toContain('"ingestor":"in"');
    expect(neither.body).toContain('"ingestor":"second"');
    expect(receiver.rows('/out')).toHaveLength(1);
  });

  test('STOP refuses rows in flight and later requests (RT-192)', async () => {
    const { plane, receiver } = harness;
    await plane.install(
      p.plan({
        clients: harness.clients(),
        ingestors: [acked(10, 60_000)],
        emitters: [p.emitter('out', 'events', '/out')],
      }),
    );
    receiver.answer = () => 500;
    const waiting = Promise.all([1, 2, 3].map((id) => post(plane, event(id))));
    await until('an attempt failed', async () => {
      return (await plane.nodeStatus('shop')).emitters[0]!.status === 'ERROR';
    });
    await plane.stopDomain('shop');
    for (const answer of await waiting) {
      expect(answer).toMatchObject({ status: 503, code: 'PROCESSING_FAILED' });
    }
    expect(await post(plane, event(4))).toMatchObject({ status: 503, code: 'NOT_RUNNING' });
    expect((await plane.nodeStatus('shop')).state).toBe('stopped');
  });
});
