import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { Client, printExactJson, rowText, type SubscriptionRecord } from '../src/index.js';
import { FakeServer, opened, sendError, sendRecords } from './support/fake-server.js';

function clientOf(server: FakeServer): Client {
  return new Client({ server: server.url, user: 'ada', password: 'x', domain: 'shop' });
}

async function collect(records: AsyncIterable<SubscriptionRecord>): Promise<SubscriptionRecord[]> {
  const collected: SubscriptionRecord[] = [];
  for await (const record of records) collected.push(record);
  return collected;
}

test('asks for NDJSON with predicate, rate and delivery (CL-69)', async () => {
  await using server = await FakeServer.start((_request, response) =>
    sendRecords(response, [opened]),
  );
  const subscription = await clientOf(server).subscribe({
    relay: 'orders',
    where: 'total > 5 AND id != 3',
    sampleRate: 0.5,
    delivery: 'dropping',
  });
  expect(subscription.schema).toEqual(opened.opened.schema);
  const [request] = server.requests;
  expect(request).toMatchObject({
    path: '/api/v1/domains/shop/relays/orders/rows',
    accept: 'application/x-ndjson',
  });
  expect(Object.fromEntries(request!.parameters)).toEqual({
    where: 'total > 5 AND id != 3',
    sample: '0.5',
    delivery: 'dropping',
  });
  subscription.close();
});

test('64-bit integers stay exact and floats stay numbers (CL-69, CL-73)', async () => {
  await using server = await FakeServer.start((_request, response) => {
    sendRecords(response, [
      opened,
      '{"row":{"id":18446744073709551615,"total":100000000000000000000}}',
      '',
      '{"row":{"id":9007199254740991,"total":null}}',
      '{"lost":3}',
      '{"ended":{"reason":"RelayRemoved","message":"gone"}}',
    ]);
    response.end();
  });
  const records = await collect(await clientOf(server).subscribe({ relay: 'orders' }));
  expect(records).toEqual([
    { row: { id: 18446744073709551615n, total: 1e20 } },
    { row: { id: 9007199254740991, total: null } },
    { lost: 3 },
    { ended: { reason: 'RelayRemoved', message: 'gone' } },
  ]);
});

test('a row split over packets, within a character, arrives whole', async () => {
  const bytes = Buffer.from('{"row":{"id":1,"total":1.5,"note":"grün"}}\n');
  await using server = await FakeServer.start((_request, response) => {
    sendRecords(response, [opened]);
    const cut = bytes.indexOf(0xbc);
    response.write(bytes.subarray(0, cut), () => response.end(bytes.subarray(cut)));
  });
  const subscription = await clientOf(server).subscribe({ relay: 'orders' });
  const { value } = await subscription[Symbol.asyncIterator]().next();
  expect(value).toEqual({ row: { id: 1, total: 1.5, note: 'grün' } });
});

test('close ends the iteration and the request (CL-69, CL-73)', async () => {
  let ended: (() => void) | undefined;
  const isEnded = new Promise<void>((resolve) => {
    ended = resolve;
  });
  await using server = await FakeServer.start((_request, response) => {
    response.on('close', () => ended?.());
    sendRecords(response, [opened, { row: { id: 1, total: 2 } }]);
  });
  const subscription = await clientOf(server).subscribe({ relay: 'orders' });
  const records: SubscriptionRecord[] = [];
  for await (const record of subscription) {
    records.push(record);
    subscription.close();
  }
  expect(records).toHaveLength(1);
  await isEnded;
});

test('leaving the loop closes the stream', async () => {
  let stream: ServerResponse | undefined;
  await using server = await FakeServer.start((_request, response) => {
    stream = response;
    sendRecords(response, [opened, { row: { id: 1, total: 2 } }]);
  });
  for await (const record of await clientOf(server).subscribe({ relay: 'orders' })) {
    expect(record).toEqual({ row: { id: 1, total: 2 } });
    break;
  }
  await expect.poll(() => stream?.destroyed ?? false).toBe(true);
});

test('a stream that breaks off is reported, after the whole rows before it (CL-77)', async () => {
  await using server = await FakeServer.start((_request, response) => {
    sendRecords(response, [opened, { row: { id: 1, total: 2 } }]);
    response.write('{"row":{"id":2', () => response.destroy());
  });
  const records: SubscriptionRecord[] = [];
  const reading = (async () => {
    const subscription = await clientOf(server).subscribe({ relay: 'orders' });
    for await (const record of subscription) records.push(record);
  })();
  await expect(reading).rejects.toMatchObject({ code: 'CLIENT_STREAM_INTERRUPTED' });
  expect(records).toEqual([{ row: { id: 1, total: 2 } }]);
});

test('a stream that closes without its last record is reported (CL-77)', async () => {
  await using server = await FakeServer.start((_request, response) => {
    sendRecords(response, [opened]);
    response.end();
  });
  const subscription = await clientOf(server).subscribe({ relay: 'orders' });
  await expect(collect(subscription)).rejects.toMatchObject({ code: 'CLIENT_STREAM_INTERRUPTED' });
});

test('a refused subscription rejects with the code of the server (CL-71)', async () => {
  await using server = await FakeServer.start((_request, response) =>
    sendError(response, 'NOT_FOUND', "stream 'orders' does not exist in domain 'shop'"),
  );
  await expect(clientOf(server).subscribe({ relay: 'orders' })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
});

test('a signal that fires while opening cancels the call (CL-75)', async () => {
  const abort = new AbortController();
  await using server = await FakeServer.start(() => abort.abort());
  const call = clientOf(server).subscribe({ relay: 'orders', signal: abort.signal });
  await expect(call).rejects.toMatchObject({ code: 'CLIENT_CANCELLED' });
});

test('rows print as JSON, with their key on branched relays (CL-60, TX-36)', () => {
  expect(rowText({ row: { id: 2n ** 63n, name: '<masked>' } })).toBe(
    '{"id":9223372036854775808,"name":"<masked>"}',
  );
  expect(rowText({ key: { tenant: 'a' }, row: { id: 1 } })).toBe(
    'key={"tenant":"a"} payload={"id":1}',
  );
  expect(printExactJson([1n, [2], 'x'])).toBe('[1,[2],"x"]');
});
