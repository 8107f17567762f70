import { describe, expect, test } from 'vitest';
import { useHarness } from '../support/harness.js';
import * as p from '../support/plans.js';
import { event, post } from '../support/post.js';
import { until } from '../support/until.js';

const harness = useHarness();

const failures = p.emitter('failures_out', 'failures', '/failures', {
  inputSchema: 'failure',
  outputSchema: 'failure',
  construction: { assignments: p.inherit(p.FAILURE), where: null },
  sink: { ...p.emitter('x', 'x', '/failures').sink, codec: 'failure_json' },
});

describe('HTTP emitter', () => {
  test('retries the same bytes in order until they are taken (CN-203…205, CN-230 h, RT-176)', async () => {
    const { plane, receiver } = harness;
    await plane.install(
      p.plan({ clients: harness.clients(), emitters: [p.emitter('out', 'events', '/out')] }),
    );
    const refusals = [500, 408, 425, 429, 503, 401];
    receiver.answer = () => refusals.shift() ?? 204;
    await post(plane, [1, 2].map((id) => event(id)).join('\n'), { type: 'application/x-ndjson' });
    await until('both records are taken', () => receiver.requests.length === 8);
    expect(new Set(receiver.requests.slice(0, 7).map(({ body }) => body)).size).toBe(1);
    expect(receiver.rows('/out').at(-1)).toMatchObject({ id: 2 });
    const warnings = harness.logs.map(({ message }) => message);
    expect(warnings).toContain(
      "emitter 'out' general error in domain 'shop': authentication was refused with status 401",
    );
    await until('the error is over', async () => {
      return (await plane.nodeStatus('shop')).emitters[0]!.transientError === null;
    });
  });

  test('Retry-After lengthens the wait, and the wait is reported (CN-204, CN-230 i)', async () => {
    const { plane, receiver } = harness;
    await plane.install(
      p.plan({ clients: harness.clients(), emitters: [p.emitter('out', 'events', '/out')] }),
    );
    receiver.answer = () => ({ status: 503, headers: { 'retry-after': '30' } });
    await post(plane, event(1));
    await until('the emitter waits', async () => {
      return ((await plane.nodeStatus('shop')).emitters[0]!.reconnectWaitMs ?? 0) > 20_000;
    });
    expect((await plane.nodeStatus('shop')).emitters[0]).toMatchObject({
      status: 'ERROR',
      transientError: 'the destination answered status 503',
      bufferedRows: 1,
    });
  });

  test('a definite refusal is a message error of that record alone (CN-230 h, RT-178)', async () => {
    const { plane, receiver } = harness;
    await plane.install(
      p.plan({
        clients: harness.clients(),
        relays: [p.relay('events'), p.relay('failures', { schema: 'failure' })],
        emitters: [
          p.emitter('out', 'events', '/out', { messageError: p.sendTo('failures') }),
          failures,
        ],
      }),
    );
    receiver.answer = ({ path, body }) => (path === '/out' && body.includes('"id":2,') ? 409 : 204);
    for (const id of [1, 2, 3]) await post(plane, event(id));
    await until('everything arrives', () => receiver.requests.length === 4);
    expect(receiver.rows('/out').map((row) => row['id'])).toEqual([1, 2, 3]);
    expect(receiver.rows('/failures')[0]).toMatchObject({
      code: 'external',
      operation: 'publish',
      message: "emitter 'out' request was refused with status 409",
      fields: [],
    });
  });

  test('computed requests that break the rules send nothing (CN-230 f)', async () => {
    const { plane, receiver } = harness;
    const sink = p.emitter('out', 'events', '/').sink;
    await plane.install(
      p.plan({
        clients: harness.clients(),
        relays: [p.relay('events'), p.relay('failures', { schema: 'failure' })],
        emitters: [
          p.emitter('out', 'events', '/', {
            sink: { ...sink, path: p.input('tenant') },
            messageError: p.sendTo('failures'),
          }),
          failures,
        ],
      }),
    );
    await post(plane, event(1, { tenant: 'no-slash' }));
    await post(plane, event(2, { tenant: '/yes' }));
    await until('everything arrives', () => receiver.requests.length === 2);
    expect(receiver.rows('/yes')).toHaveLength(1);
    expect(receiver.rows('/failures')[0]).toMatchObject({
      code: 'validation',
      operation: 'publish',
      fields: ['path'],
    });
  });

  test('WITHOUT BODY sends none (CN-230 e)', async () => {
    const { plane, receiver } = harness;
    const sink = p.emitter('out', 'events', '/ping').sink;
    await plane.install(
      p.plan({
        clients: harness.clients(),
        emitters: [
          p.emitter('out', 'events', '/ping', {
            sink: { ...sink, method: p.text('GET'), codec: null },
            construction: {
              assignments: [],
              where: p.binary('gt', p.input('amount'), p.int(15)),
            },
            outputSchema: null,
          }),
        ],
      }),
    );
    for (const id of [1, 2]) await post(plane, event(id));
    await until('one request arrives', () => receiver.requests.length === 1);
    expect(receiver.requests[0]).toMatchObject({ method: 'GET', path: '/ping', body: '' });
  });

  test('a destination that is away is retried and holds its relay (CN-204, RT-29)', async () => {
    const { plane, receiver } = harness;
    const [client] = p.plan().clients;
    await plane.install(
      p.plan({ clients: [client!], emitters: [p.emitter('out', 'events', '/out')] }),
    );
    await post(plane, event(1));
    await until('the attempt failed', async () => {
      return (await plane.nodeStatus('shop')).emitters[0]!.status === 'ERROR';
    });
    const { transientError } = (await plane.nodeStatus('shop')).emitters[0]!;
    expect(transientError).toBe('the request failed (ECONNREFUSED)');
    expect(receiver.requests).toEqual([]);
  });

  test('every record that fails once waits the first delay, not a grown one (CN-204)', async () => {
    const { plane, receiver } = harness;
    const [client] = harness.clients();
    const out = p.emitter('out', 'events', '/out');
    const sink = { ...out.sink, backoffNanos: 20_000_000n, backoffMaxNanos: 60_000_000_000n };
    await plane.install(p.plan({ clients: [client!], emitters: [{ ...out, sink }] }));
    const failed = new Set<string>();
    receiver.answer = ({ body }) => {
      if (failed.has(body)) return 204;
      failed.add(body);
      return 503;
    };
    const ids = Array.from({ length: 12 }, (_, id) => id);
    await post(plane, ids.map((id) => event(id)).join('\n'), { type: 'application/x-ndjson' });
    // Delays that doubled through the batch would add up to more than a minute.
    await until('all are taken', () => receiver.requests.length === 24);
  });

  test('counts a row as sent when it is, not when its batch is through', async () => {
    const { plane, receiver } = harness;
    await plane.install(
      p.plan({ clients: harness.clients(), emitters: [p.emitter('out', 'events', '/out')] }),
    );
    receiver.answer = ({ body }) => (body.includes('"id":3,') ? 500 : 204);
    await post(plane, [1, 2, 3].map((id) => event(id)).join('\n'), {
      type: 'application/x-ndjson',
    });
    await until('the third is refused', () => receiver.requests.length > 3);
    const sent = { target_kind: 'EMITTER', direction: 'sent' };
    expect(await harness.metric('nervix_messages_total', sent)).toBe(2);
    expect(await harness.metric('nervix_bytes_total', sent)).toBe(
      receiver.requests[0]!.body.length + receiver.requests[1]!.body.length,
    );
  });

  test('an address that no connection can be made for is a fault of the destination', async () => {
    const { plane } = harness;
    const [client] = p.plan().clients;
    await plane.install(
      p.plan({
        clients: [{ ...client!, endpoint: 'nowhere' }],
        emitters: [p.emitter('out', 'events', '/out')],
      }),
    );
    await post(plane, event(1));
    await until('the attempt failed', async () => {
      return (await plane.nodeStatus('shop')).emitters[0]!.status === 'ERROR';
    });
    expect(harness.failures).toEqual([]);
  });
});
