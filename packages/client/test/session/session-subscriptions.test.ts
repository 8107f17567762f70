import type { ClientRequest, SubscriptionHandle } from '@nervix/protocol/session';
import { describe, expect, test } from 'vitest';
import { printExactJson, type Subscription, type SubscriptionRecord } from '../../src/index.js';
import { rowOf, schemaOf } from '../../src/session/row-cells.js';
import {
  completedOutcome,
  FakeSessionServer,
  type ServerSession,
  type SessionBehaviour,
} from '../support/session/fake-session-server.js';
import { openedReply, orderRows } from '../support/session/row-frames.js';
import { sessionClient } from '../support/session/session-client.js';

type Subscribing = Extract<ClientRequest, { t: 'SubscribeRequest' }>;

/** Opens every subscription, and does what follows. */
function opening(
  opened: (session: ServerSession, handle: SubscriptionHandle, request: Subscribing) => void,
): SessionBehaviour {
  return {
    request: (session, id, request) => {
      if (request.t === 'CommandRequest') session.reply(id, completedOutcome(request));
      if (request.t !== 'SubscribeRequest') return;
      const name = request.statement.split(' ')[2] ?? '';
      const handle = { name, generation: 1n };
      session.reply(id, openedReply(handle));
      opened(session, handle, request);
    },
  };
}

/** The next records of a subscription. */
async function take(subscription: Subscription, count: number): Promise<SubscriptionRecord[]> {
  const records: SubscriptionRecord[] = [];
  for await (const record of subscription) {
    records.push(record);
    if (records.length === count) break;
  }
  return records;
}

describe('subscriptions over a session', () => {
  test('rows that come right behind the reply are read, exactly (CL-50, CL-58, CL-73)', async () => {
    await using server = await FakeSessionServer.start(
      opening(({ send }, subscription) => {
        send(
          orderRows(subscription, [
            [18_446_744_073_709_551_615n, 0.5],
            [7n, null],
          ]),
        );
        send({ t: 'SubscriptionDeliveryLost', subscription, dropped_rows: 3n });
        send({
          t: 'SubscriptionRowsSkipped',
          subscription,
          cause: 'FilterFailed',
          skipped_rows: 2n,
          message: 'no',
        });
        send(orderRows({ ...subscription, generation: 9n }, [[1n, 1]]));
        send({ t: 'SubscriptionEnded', subscription, reason: 'RelayRemoved', message: 'gone' });
      }),
    );
    const subscription = await sessionClient(server.url).subscribe({
      relay: 'orders',
      delivery: 'dropping',
      sampleRate: 0.5,
      where: 'input.total > 1',
    });
    const [request] = server.of('SubscribeRequest');
    expect(request).toMatchObject({ domain: 'shop', subscription_type: 'Row', window_frames: 32 });
    expect(request?.statement).toBe(
      'CREATE SUBSCRIPTION client_1 TO orders DROPPING BATCH SAMPLE RATE 0.5 WHERE input.total > 1',
    );
    expect(subscription.schema.fields.map(({ type }) => type)).toEqual(['U64', 'F64']);
    expect(await take(subscription, 9)).toEqual([
      { row: { id: 18_446_744_073_709_551_615n, total: 0.5 } },
      { row: { id: 7, total: null } },
      { lost: 3 },
      { skipped: { cause: 'FilterFailed', rows: 2, message: 'no' } },
      { ended: { reason: 'RelayRemoved', message: 'gone' } },
    ]);
    expect(server.sessions).toHaveLength(1);
  });

  test('a refusal is told, and leaves nothing (CL-27, CL-50)', async () => {
    await using server = await FakeSessionServer.start({
      request: (session, id) =>
        session.reply(id, {
          t: 'SubscribeOutcome',
          disposition: { t: 'RequestFailed', code: 'NOT_FOUND' },
          message: "relay 'orders' does not exist",
          diagnostics: [],
        }),
    });
    const client = sessionClient(server.url);
    await expect(client.subscribe({ relay: 'orders' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: "relay 'orders' does not exist",
    });
    server.sessions[0]?.socket.terminate();
    await expect.poll(() => server.closeCodes.length).toBe(1);
    expect(server.of('SubscribeRequest')).toHaveLength(1);
  });

  test('credit is granted as the iteration takes frames, not before (CL-21, CL-74)', async () => {
    await using server = await FakeSessionServer.start(
      opening(({ send }, subscription) => {
        for (const id of [1n, 2n, 3n])
          send(
            orderRows(subscription, [
              [id, 1],
              [id, 2],
            ]),
          );
      }),
    );
    const client = sessionClient(server.url);
    const subscription = await client.subscribe({ relay: 'orders' });
    await client.execute('STOP');
    expect(server.grants).toEqual([]);
    const records = subscription[Symbol.asyncIterator]();
    await records.next();
    await records.next();
    await client.execute('STOP');
    expect(server.grants).toEqual([]);
    await records.next();
    await expect
      .poll(() => server.grants)
      .toEqual([
        {
          t: 'GrantSubscriptionCredit',
          subscription: { name: 'client_1', generation: 1n },
          frames: 1,
        },
      ]);
    await records.return?.(undefined);
    await expect
      .poll(() => server.of('UnsubscribeRequest'))
      .toEqual([{ t: 'UnsubscribeRequest', subscription: { name: 'client_1', generation: 1n } }]);
  });

  test('a lost session is told, and the next one takes the subscription up (CL-48, CL-73)', async () => {
    await using server = await FakeSessionServer.start(
      opening(({ send, socket, number }, subscription) => {
        send(orderRows(subscription, [[BigInt(number), 1]]));
        if (number < 3) socket.close(1011);
      }),
    );
    const subscription = await sessionClient(server.url).subscribe({ relay: 'orders' });
    const schema = subscription.schema;
    const closed = { interrupted: { reason: 'the connection closed with code 1011' } };
    expect(await take(subscription, 7)).toEqual([
      { row: { id: 1, total: 1 } },
      closed,
      { restored: { schema } },
      { row: { id: 2, total: 1 } },
      closed,
      { restored: { schema } },
      { row: { id: 3, total: 1 } },
    ]);
  });

  test('a refused restoration is told, and asked for again (CL-48)', async () => {
    let attempts = 0;
    await using server = await FakeSessionServer.start({
      request: (session, id, request) => {
        if (request.t !== 'SubscribeRequest') return;
        attempts += 1;
        if (attempts !== 2) {
          session.reply(id, openedReply({ name: 'client_1', generation: 1n }));
          return;
        }
        session.reply(id, {
          t: 'SubscribeOutcome',
          disposition: { t: 'RequestFailed', code: 'NOT_FOUND' },
          message: 'not yet',
          diagnostics: [],
        });
      },
    });
    const subscription = await sessionClient(server.url).subscribe({ relay: 'orders' });
    server.sessions[0]?.socket.terminate();
    const [interrupted, failed, restored] = await take(subscription, 3);
    expect(interrupted).toHaveProperty('interrupted');
    expect(failed).toEqual({ restorationFailed: { message: 'not yet', nextAttemptMs: 1000 } });
    expect(restored).toHaveProperty('restored');
    expect(server.sessions).toHaveLength(2);
  });

  test('who leaves while it is being opened leaves nothing open (CL-51)', async () => {
    const answers: (() => void)[] = [];
    await using server = await FakeSessionServer.start({
      request: (session, id, request) => {
        if (request.t !== 'SubscribeRequest') return;
        answers.push(() => session.reply(id, openedReply({ name: 'client_1', generation: 1n })));
      },
    });
    const abort = new AbortController();
    const call = sessionClient(server.url).subscribe({ relay: 'orders', signal: abort.signal });
    await expect.poll(() => answers.length).toBe(1);
    abort.abort();
    await expect(call).rejects.toMatchObject({ code: 'CLIENT_CANCELLED' });
    for (const answer of answers) answer();
    await expect.poll(() => server.of('UnsubscribeRequest').length).toBe(1);
  });

  test('a closed client ends the iteration, and takes nothing up again (CL-73)', async () => {
    await using server = await FakeSessionServer.start(opening(() => undefined));
    const client = sessionClient(server.url);
    const abort = new AbortController();
    const [first, second] = await Promise.all([
      client.subscribe({ relay: 'orders' }),
      client.subscribe({ relay: 'orders', signal: abort.signal }),
    ]);
    abort.abort();
    expect(await take(second, 1)).toEqual([]);
    const rest = take(first, 1);
    await client.close();
    expect(await rest).toEqual([]);
    expect(server.of('SubscribeRequest')).toHaveLength(2);
  });

  test('rows that are not as the schema says end the session (CL-59)', async () => {
    await using server = await FakeSessionServer.start(
      opening(({ send, number }, subscription) => {
        const rows = orderRows(subscription, [[1n, 1]]);
        send(number === 1 ? { ...rows, row_count: 2 } : rows);
      }),
    );
    const subscription = await sessionClient(server.url).subscribe({ relay: 'orders' });
    const [interrupted] = await take(subscription, 1);
    expect(interrupted).toMatchObject({
      interrupted: { reason: expect.stringContaining('protocol violation: ') },
    });
  });
});

test('CL-59, CL-60: cells of every type are shown as the HTTP API shows them', () => {
  const field = (
    name: string,
    t: 'I64' | 'F32' | 'F64' | 'Bytes' | 'Datetime' | 'Bool' | 'String',
  ) => ({ name, type: { t }, nullable: true, sensitive: false }) as const;
  const vec = {
    name: 'vec',
    type: { t: 'FixedList', element: { t: 'Bytes' }, length: 2 },
    nullable: false,
    sensitive: false,
  } as const;
  const fields = [
    field('wide', 'I64'),
    field('small', 'I64'),
    field('single', 'F32'),
    field('none', 'F64'),
    field('bytes', 'Bytes'),
    field('at', 'Datetime'),
    field('flag', 'Bool'),
    field('text', 'String'),
    vec,
  ];
  const cells = [
    -(2n ** 63n),
    -5n,
    Math.fround(0.1),
    Number.NaN,
    Uint8Array.of(0, 255),
    1_500_000_000n,
    true,
    'é',
    [Uint8Array.of(1), Uint8Array.of()],
  ];
  expect(printExactJson(rowOf(cells, fields))).toBe(
    '{"wide":-9223372036854775808,"small":-5,"single":0.1,"none":"NaN","bytes":"AP8=",' +
      '"at":"1970-01-01T00:00:01.500+00:00","flag":true,"text":"é","vec":["AQ==",""]}',
  );
  const [type] = schemaOf({ fields: [vec] }).fields.map((shown) => shown.type);
  expect(type).toBe('ARRAY<BYTES, 2>');
});
