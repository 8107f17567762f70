import { describe, expect, test } from 'vitest';
import { useHarness } from '../support/harness.js';
import * as p from '../support/plans.js';
import { event, post } from '../support/post.js';
import { until } from '../support/until.js';

const harness = useHarness({ alterationDrainMs: 5000 });

const altered = (revision: number, ingestor: Parameters<typeof p.ingestor>[1]) =>
  p.plan({
    revision,
    clients: harness.clients(),
    relays: [p.relay('events'), ...(revision === 1 ? [] : [p.relay('more')])],
    ingestors: [p.ingestor('in', ingestor)],
    emitters: [p.emitter('out', 'events', '/out')],
  });

describe('bodies held through an alteration', () => {
  test.each(['fails', 'succeeds'])(
    'are all delivered when it %s, also far beyond what may wait for room (RT-73, RT-76)',
    async (end) => {
      const { plane, receiver } = harness;
      let isUp = false;
      receiver.answer = () => (isUp ? 204 : 503);
      const quiesce = { kind: 'buffer', maxBytes: 1n << 30n } as const;
      await plane.install(altered(1, { quiesce }));
      await post(plane, event(0));
      await until('the destination refuses', () => receiver.requests.length > 1);
      const installed = plane.install(altered(2, { quiesce })).then(
        () => 'succeeds',
        () => 'fails',
      );
      await until('intake is held', async () => {
        return (await plane.nodeStatus('shop')).state === 'paused';
      });
      const note = 'x'.repeat(60_000);
      const count = 450;
      for (let id = 1; id <= count; id += 50) {
        const chunk = Array.from({ length: 50 }, (_, at) => post(plane, event(id + at, { note })));
        for (const { status } of await Promise.all(chunk)) expect(status).toBe(202);
      }
      if (end === 'succeeds') isUp = true;
      expect(await installed).toBe(end);
      isUp = true;
      const isLast = ({ body }: { readonly body: string }) => body.includes(`"id":${count},`);
      await until('all are delivered', () => receiver.requests.some(isLast), 30_000);
      const ids = new Set(receiver.rows('/out').map((row) => row['id']));
      expect(ids.size).toBe(count + 1);
      expect((await plane.nodeStatus('shop')).ingestors[0]).toMatchObject({
        bufferedRecords: 0,
        dropped: 0,
        rejected: 0,
      });
    },
  );

  test('answer 504 when their ACK TIMEOUT ends in the hold (CN-378, CN-379)', async () => {
    const { plane, receiver } = harness;
    receiver.answer = () => 503;
    const held = {
      mode: 'ack_parallel',
      ackWindow: { max: 2, timeoutNanos: 300_000_000n },
      quiesce: { kind: 'buffer', maxBytes: 10_000n },
    } as const;
    await plane.install(altered(1, held));
    const stuck = post(plane, event(0));
    await until('the destination refuses', () => receiver.requests.length > 1);
    const installed = plane.install(altered(2, held)).catch(() => undefined);
    await until('intake is held', async () => {
      return (await plane.nodeStatus('shop')).state === 'paused';
    });
    const startMs = performance.now();
    expect(await post(plane, event(1))).toMatchObject({ status: 504, code: 'OUTCOME_UNKNOWN' });
    expect(performance.now() - startMs).toBeLessThan(2000);
    expect((await stuck).status).toBe(504);
    expect((await plane.nodeStatus('shop')).ingestors[0]).toMatchObject({
      waitingRequests: 0,
      bufferedRecords: 0,
    });
    await plane.stopDomain('shop');
    await installed;
  });
});
