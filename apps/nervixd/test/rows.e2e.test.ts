import { eventually } from '@nervix/testkit';
import { describe, expect, test } from 'vitest';
import { INTAKE } from './support/pipelines.ts';
import { type OpenAnswer, openGet } from './support/raw-http.ts';
import { type ScratchNode, scratchNode } from './support/scratch-node.ts';

const LARGE = ['9223372036854775807', '9007199254740993', '1'];

function openRows(
  { node, client }: ScratchNode,
  query: Readonly<Record<string, string>> = {},
  headers: Readonly<Record<string, string>> = {},
): OpenAnswer {
  const path = `/api/v1/domains/shop/relays/events/rows?${new URLSearchParams(query)}`;
  const all = { authorization: client.authorization, ...headers };
  return openGet(node.addresses.session, path, all);
}

async function opened(answer: OpenAnswer): Promise<void> {
  await eventually(
    'the stream opens',
    () => answer.body(),
    (body) => body.includes('"opened"'),
  );
}

async function deployed(): Promise<ScratchNode> {
  const scratch = await scratchNode();
  await scratch.client.deploy('shop', INTAKE);
  return scratch;
}

describe('CL-60: a row stream', () => {
  test('as NDJSON: the schema first, then rows with exact 64-bit integers', async () => {
    const scratch = await deployed();
    const answer = openRows(scratch);
    await opened(answer);
    for (const id of LARGE) await scratch.client.post('/events', `{"id":${id},"tenant":"ü ✈"}`);
    const body = await eventually(
      'three rows come',
      () => answer.body(),
      (text) => text.split('\n').length === 5,
    );
    expect(answer.head()).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(answer.head().toLowerCase()).toContain('content-type: application/x-ndjson');
    const [first = '', ...rows] = body.trimEnd().split('\n');
    expect(JSON.parse(first)).toEqual({
      opened: {
        domain: 'shop',
        relay: 'events',
        schema: {
          fields: [
            { name: 'id', type: 'I64', nullable: false, sensitive: false },
            { name: 'tenant', type: 'STRING', nullable: false, sensitive: false },
            { name: 'amount', type: 'I32', nullable: true, sensitive: false },
          ],
        },
      },
    });
    expect(rows).toHaveLength(3);
    for (const [index, id] of LARGE.entries()) {
      // As text: a JSON number of JavaScript would have rounded it.
      expect(rows[index]).toContain(`"id":${id},`);
      expect(JSON.parse(rows[index] ?? '')).toMatchObject({ row: { tenant: 'ü ✈' } });
    }
  });

  test('as server-sent events: every line is one event', async () => {
    const scratch = await deployed();
    const answer = openRows(scratch, {}, { accept: 'text/event-stream' });
    await opened(answer);
    for (const id of LARGE) await scratch.client.post('/events', `{"id":${id},"tenant":"t"}`);
    const body = await eventually(
      'three rows come',
      () => answer.body(),
      (text) => (text.match(/"row"/g)?.length ?? 0) === 3,
    );
    expect(answer.head().toLowerCase()).toContain('content-type: text/event-stream');
    const events = body.split('\n\n').filter((event) => event !== '' && !event.startsWith(':'));
    expect(events).toHaveLength(4);
    for (const event of events) {
      const data = event.split('\n').filter((line) => line.startsWith('data:'));
      expect(data).toHaveLength(1);
      JSON.parse(data[0]?.slice('data:'.length) ?? '');
    }
    for (const [index, id] of LARGE.entries()) expect(events[index + 1]).toContain(`"id":${id},`);
  });

  test('with a filter: only its rows, and refusals for what is no filter', async () => {
    const scratch = await deployed();
    const answer = openRows(scratch, { where: "tenant = 'b' AND id >= 10 AS I64" });
    await opened(answer);
    const posts = [
      [1, 'b'],
      [10, 'a'],
      [11, 'b'],
      [12, 'b'],
    ] as const;
    for (const [id, tenant] of posts) {
      await scratch.client.post('/events', JSON.stringify({ id, tenant }));
    }
    const body = await eventually(
      'the last row comes',
      () => answer.body(),
      (text) => text.includes('"id":12,'),
    );
    expect(body.match(/"id":\d+/g)).toEqual(['"id":11', '"id":12']);
    const bad: readonly [where: string, status: number, code: string][] = [
      ['tenant =', 422, 'PARSE_FAILED'],
      ['nothing = 1', 422, 'INVALID_MODEL'],
      ['tenant', 422, 'INVALID_MODEL'],
    ];
    for (const [where, status, code] of bad) {
      const refused = openRows(scratch, { where }, { connection: 'close' });
      await eventually(
        'an answer comes',
        () => refused.head(),
        (head) => head !== '',
      );
      expect(refused.head()).toContain(`HTTP/1.1 ${status} `);
      const url = `${scratch.node.addresses.session}/api/v1/domains/shop/relays/events/rows`;
      const { text } = await scratch.client.send(`${url}?${new URLSearchParams({ where })}`, {
        headers: { authorization: scratch.client.authorization },
      });
      expect(JSON.parse(text)).toMatchObject({ error: { code } });
    }
  });

  test('ends when its relay changes, and tells why', async () => {
    const scratch = await deployed();
    const answer = openRows(scratch);
    await opened(answer);
    await scratch.client.run('BEGIN; DROP INGESTOR events_in; DROP RELAY events; COMMIT;', {
      domain: 'shop',
    });
    const body = await eventually(
      'the stream ends',
      () => answer.body(),
      (text) => text.includes('"ended"'),
    );
    expect(JSON.parse(body.trimEnd().split('\n').at(-1) ?? '')).toEqual({
      ended: {
        reason: 'RelayRemoved',
        message: "relay 'events' in domain 'shop' does not exist any more",
      },
    });
    await scratch.client.run('DESCRIBE DOMAIN;', { domain: 'shop' });
  });

  test('ends when the node stops, and tells why', async () => {
    const scratch = await deployed();
    const answer = openRows(scratch);
    await opened(answer);
    const stopped = scratch.node.stop();
    await eventually(
      'it ends',
      () => answer.body(),
      (text) => text.includes('ServerShuttingDown'),
    );
    expect(await stopped).toEqual({ code: 0, signal: null });
  });

  test('needs a known user, a known relay and a running domain', async () => {
    const { node, client } = await deployed();
    const get = async (path: string, authorization: string) => {
      const url = `${node.addresses.session}/api/v1/domains/${path}/rows`;
      const { status, text } = await client.send(url, { headers: { authorization } });
      return [status, (JSON.parse(text) as { error: { message: string } }).error.message];
    };
    expect((await get('shop/relays/events', 'Basic eDp5'))[0]).toBe(401);
    expect(await get('shop/relays/gone', client.authorization)).toEqual([
      404,
      "stream 'gone' does not exist in domain 'shop'",
    ]);
    await client.run('STOP;', { domain: 'shop' });
    expect(await get('shop/relays/events', client.authorization)).toEqual([
      422,
      "failed to subscribe to relay 'events': domain 'shop' is stopped",
    ]);
  });
});
