import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eventually, type HttpReply, NodeClient, startNervixd } from '@nervix/testkit';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { INTAKE } from './support/pipelines.ts';
import { rawSocket, readToEnd } from './support/raw-http.ts';
import { type ScratchNode, scratchNode } from './support/scratch-node.ts';

const GOOD = '{"id":1,"tenant":"t","amount":5}';

interface BadCase {
  readonly name: string;
  readonly body: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

const undecodable: readonly BadCase[] = [
  { name: 'malformed JSON', body: '{"id":1,"tenant":' },
  { name: 'no JSON at all', body: 'hello' },
  { name: 'an empty body', body: '' },
  { name: 'an array', body: '[1]' },
  { name: 'two values', body: `${GOOD}${GOOD}` },
  { name: 'an unknown field in STRICT', body: '{"id":1,"tenant":"t","more":1}' },
  { name: 'a wrong type', body: '{"id":"1","tenant":"t"}' },
  { name: 'a fraction for an integer', body: '{"id":1.5,"tenant":"t"}' },
  { name: 'a missing required field', body: '{"id":1}' },
  { name: 'null for a required field', body: '{"id":1,"tenant":null}' },
  { name: '2^63', body: '{"id":9223372036854775808,"tenant":"t"}' },
  { name: '-2^63-1', body: '{"id":-9223372036854775809,"tenant":"t"}' },
  { name: 'too large for I32', body: '{"id":1,"tenant":"t","amount":2147483648}' },
  {
    name: 'invalid UTF-8',
    body: Buffer.concat([
      Buffer.from('{"id":1,"tenant":"'),
      Buffer.from([0xc3, 0x28]),
      Buffer.from('"}'),
    ]),
  },
  { name: 'a lone surrogate', body: '{"id":1,"tenant":"\\ud800"}' },
  { name: 'deep nesting', body: '['.repeat(100_000) },
  {
    name: 'one bad line among good ones',
    body: `${GOOD}\n{"id":2}\n${GOOD}\n`,
    headers: { 'content-type': 'application/x-ndjson' },
  },
];

let shared: ScratchNode;

beforeAll(async () => {
  // One node for all: every case starts from what was counted so far.
  const dbPath = mkdtempSync(path.join(tmpdir(), 'nervixd-'));
  const node = await startNervixd({
    dbPath,
    args: ['--http-max-body-bytes', '1MiB'],
    env: { NERVIX_INIT_DEFAULT_USER_PASSWORD: 'p', NERVIX_LOG: 'warn' },
  });
  const client = new NodeClient(node, 'p');
  shared = { node, client };
  await client.deploy('shop', INTAKE);
  return async () => {
    client.close();
    await node.kill9();
    rmSync(dbPath, { recursive: true, force: true });
  };
});

interface Counts {
  readonly received: number;
  readonly sent: number;
  readonly undecodable: number;
  answers(status: number): number;
}

async function counts(): Promise<Counts> {
  const metrics = await shared.client.metrics();
  const messages = (direction: string, relay: string): number =>
    metrics.sum('nervix_messages_total', { target: 'events_in', direction, relay });
  return {
    received: messages('received', '-'),
    sent: messages('sent', 'events'),
    undecodable: metrics.sum('nervix_ingestor_decode_errors_total', { ingestor: 'events_in' }),
    answers: (status) => metrics.sum('nervix_endpoint_responses_total', { status: String(status) }),
  };
}

/** What is served is served: a good post after all is accepted and counted. */
async function expectUnharmed(before: Counts): Promise<void> {
  const reply = await shared.client.post('/events', GOOD);
  expect(reply.status).toBe(202);
  await eventually('the good record is sent on', counts, ({ sent }) => sent === before.sent + 1);
}

function codeOf({ text }: HttpReply): string {
  return (JSON.parse(text) as { readonly error: { readonly code: string } }).error.code;
}

describe('CN-133, CN-377: what cannot be decoded', () => {
  test.each(undecodable)('$name is 422 and counted', async ({ body, headers }) => {
    const before = await counts();
    const reply = await shared.client.post('/events', body, headers);
    expect([reply.status, codeOf(reply)]).toEqual([422, 'UNDECODABLE']);
    expect(reply.headers['content-type']).toBe('application/json');
    expect(reply.text).not.toContain('"t"');
    const after = await counts();
    expect(after.answers(422)).toBe(before.answers(422) + 1);
    expect(after.undecodable).toBe(before.undecodable + 1);
    await expectUnharmed(before);
  });

  test.each([
    ['the smallest and the largest I64', '{"id":9223372036854775807,"tenant":"t"}'],
    ['an absent optional field', '{"id":1,"tenant":"t"}'],
    ['a field that stands twice: the last counts', '{"id":-1,"id":1,"tenant":"t"}'],
    ['blanks around', ` \r\n\t${GOOD}\n`],
  ])('%s is accepted', async (_name, body) => {
    const before = await counts();
    expect((await shared.client.post('/events', body)).status).toBe(202);
    await eventually('the record is sent on', counts, ({ sent }) => sent === before.sent + 1);
    expect((await counts()).undecodable).toBe(before.undecodable);
  });

  test('CN-133: what is filtered is accepted', async () => {
    const before = await counts();
    expect((await shared.client.post('/events', '{"id":-1,"tenant":"t"}')).status).toBe(202);
    const after = await counts();
    expect(after.received).toBe(before.received + 1);
    await expectUnharmed(before);
  });
});

describe('CN-133: bodies of 20 MB', () => {
  const twentyMegabytes = `{"id":1,"tenant":"${'x'.repeat(20_000_000)}"}`;

  test('above http-max-body-bytes: 413, whether announced or not', async () => {
    const before = await counts();
    const announced = await shared.client
      .post('/events', twentyMegabytes)
      .catch((error: NodeJS.ErrnoException) => error.code);
    // The node may cut the rest of the body off while it is still being sent.
    if (typeof announced === 'object') {
      expect([announced.status, codeOf(announced)]).toEqual([413, 'BODY_TOO_LARGE']);
    } else expect(['ECONNRESET', 'EPIPE']).toContain(announced);
    const chunked = await rawExchange(
      'POST /events HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n' +
        'Transfer-Encoding: chunked\r\n\r\n',
      [...Array.from({ length: 20 }, () => `10000\r\n${'x'.repeat(65_536)}\r\n`), '0\r\n\r\n'],
    );
    expect(chunked).toMatch(/^HTTP\/1\.1 413 /);
    expect((await counts()).answers(413)).toBe(before.answers(413) + 2);
    await expectUnharmed(before);
  });

  test('within it: accepted when it decodes, 422 when not', async () => {
    const { client } = await scratchNode();
    await client.deploy('shop', INTAKE);
    expect((await client.post('/events', twentyMegabytes)).status).toBe(202);
    expect((await client.post('/events', 'x'.repeat(20_000_000))).status).toBe(422);
    expect((await client.post('/events', GOOD)).status).toBe(202);
  });
});

describe('CN-131, CN-132, CN-133: routing', () => {
  test.each([
    ['an unknown path', '/event', {}, 404],
    ['a longer path', '/events/1', {}, 404],
    ['a trailing slash', '/events/', {}, 404],
    ['an unknown host', '/events', { host: 'example.com' }, 404],
    ['a query', '/events?x=1', {}, 202],
    ['another port and letter case of the host', '/events', { host: 'LocalHost:1' }, 202],
  ] as const)('%s', async (_name, path, headers, status) => {
    const before = await counts();
    const reply = await shared.client.post(path, GOOD, headers);
    expect(reply.status).toBe(status);
    if (status === 404) expect(codeOf(reply)).toBe('NO_ROUTE');
    else await eventually('it is sent on', counts, ({ sent }) => sent === before.sent + 1);
  });

  test.each(['GET', 'PUT', 'OPTIONS', 'DELETE'])('%s is 405 and counted', async (method) => {
    const before = await counts();
    const url = `${shared.node.addresses.http}/events`;
    const reply = await shared.client.send(url, { method, headers: { host: 'localhost' } });
    expect([reply.status, reply.headers['allow']]).toEqual([405, 'POST']);
    expect((await counts()).answers(405)).toBe(before.answers(405) + 1);
  });

  test('no HTTP at all is 400', async () => {
    expect(await rawExchange('GARBAGE\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /);
    await expectUnharmed(await counts());
  });

  test('CN-133: a stopped domain refuses, and takes again when started', async () => {
    await shared.client.run('STOP;', { domain: 'shop' });
    const reply = await shared.client.post('/events', GOOD);
    expect([reply.status, codeOf(reply)]).toEqual([503, 'NOT_RUNNING']);
    expect(reply.headers['retry-after']).toBeUndefined();
    await shared.client.run('START;', { domain: 'shop' });
    await expectUnharmed(await counts());
  });
});

describe('slow clients', () => {
  test('a head that never ends is cut on every listener while others are served', async () => {
    const before = await counts();
    const { addresses } = shared.node;
    const cut = [addresses.http, addresses.session].map((origin) => {
      const socket = rawSocket(origin);
      socket.write('POST /events HTTP/1.1\r\nHost: localhost\r\nX-Slow: ');
      const drip = setInterval(() => socket.write('x'), 100);
      onTestFinished(() => clearInterval(drip));
      return readToEnd(socket);
    });
    let ended = 0;
    for (const each of cut) void each.finally(() => (ended += 1));
    let served = 0;
    await eventually(
      'the slow connections are cut',
      async () => {
        const { status } = await shared.client.post('/events', GOOD);
        if (status === 202) served += 1;
        return ended;
      },
      (count) => count === cut.length,
    );
    expect(served).toBeGreaterThan(50);
    for (const text of await Promise.all(cut)) expect(text).toMatch(/^HTTP\/1\.1 408 /);
    await eventually('all are sent on', counts, ({ sent }) => sent === before.sent + served);
  });

  test('a body that breaks off is nothing', async () => {
    const before = await counts();
    const socket = rawSocket(shared.node.addresses.http);
    socket.write('POST /events HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"id":1');
    socket.destroySoon();
    await expectUnharmed(before);
    expect((await counts()).undecodable).toBe(before.undecodable);
  });
});

async function rawExchange(head: string, chunks: readonly string[] = []): Promise<string> {
  const socket = rawSocket(shared.node.addresses.http);
  socket.write(head);
  for (const chunk of chunks) socket.write(chunk);
  return readToEnd(socket);
}
