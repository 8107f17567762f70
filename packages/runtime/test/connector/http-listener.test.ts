import { connect, type Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { useHarness } from '../support/harness.js';
import * as p from '../support/plans.js';
import { event, post } from '../support/post.js';
import { until } from '../support/until.js';

const harness = useHarness({
  http: {
    host: '127.0.0.1',
    port: 0,
    maxBodyBytes: 4096,
    headerTimeoutMs: 600,
    requestTimeoutMs: 900,
  },
});

const head = (rest: string): string => `POST /events HTTP/1.1\r\nHost: shop.test\r\n${rest}`;

/** Opens a raw connection and gathers what comes back. */
async function raw(): Promise<{ socket: Socket; received: () => string; isEnded: () => boolean }> {
  const { host, port } = harness.plane.httpAddress;
  const socket = connect({ host, port, allowHalfOpen: true });
  let text = '';
  let ended = false;
  socket.on('data', (chunk) => {
    text += chunk.toString();
  });
  socket.on('end', () => {
    ended = true;
  });
  socket.on('close', () => {
    ended = true;
  });
  socket.on('error', () => undefined);
  await new Promise<void>((resolve) => {
    socket.once('connect', resolve);
  });
  return { socket, received: () => text, isEnded: () => ended };
}

describe('data listener', () => {
  test('answers what has no route, another method or too large a body (CN-131…133, CN-377)', async () => {
    const { plane } = harness;
    expect(await post(plane, event(1))).toMatchObject({ status: 404, code: 'NO_ROUTE' });
    await plane.install(p.plan());
    const cases = [
      [{ host: 'other.test' }, 404, 'NO_ROUTE'],
      [{ path: '/events/' }, 404, 'NO_ROUTE'],
      [{ path: '/events/1' }, 404, 'NO_ROUTE'],
      [{ method: 'GET' }, 405, 'METHOD_NOT_ALLOWED'],
      [{ method: 'OPTIONS' }, 405, 'METHOD_NOT_ALLOWED'],
    ] as const;
    for (const [options, status, code] of cases) {
      expect(await post(plane, event(1), options)).toMatchObject({ status, code });
    }
    expect(await post(plane, 'x'.repeat(5000))).toMatchObject({
      status: 413,
      code: 'BODY_TOO_LARGE',
    });
    for (const options of [{ path: '/events?a=1' }, { host: ' SHOP.Test:8080 ' }]) {
      expect((await post(plane, event(1), options)).status).toBe(202);
    }
  });

  test('a chunked body is counted while it arrives (CN-133)', async () => {
    await harness.plane.install(p.plan());
    const { socket, received } = await raw();
    socket.write(head('Transfer-Encoding: chunked\r\n\r\n'));
    for (let part = 0; part < 5; part += 1) socket.write(`400\r\n${'x'.repeat(1024)}\r\n`);
    await until('the answer comes', () => received().includes('BODY_TOO_LARGE'));
    expect(received()).toMatch(/^HTTP\/1\.1 413 /);
    socket.destroy();
  });

  test('a body that ends early answers 400 (CN-133)', async () => {
    await harness.plane.install(p.plan());
    const { socket, received } = await raw();
    socket.end(head('Content-Length: 100\r\n\r\n{"id"'));
    await until('the answer comes', () => received().includes('BODY_INCOMPLETE'));
    expect(received()).toMatch(/^HTTP\/1\.1 400 /);
    const received0 = { target_kind: 'INGESTOR', direction: 'received' };
    expect(await harness.metric('nervix_messages_total', received0)).toBe(0);
  });

  test('slow heads and bodies are cut with 408 while others go on', async () => {
    const { plane } = harness;
    await plane.install(p.plan());
    const slowHead = await raw();
    slowHead.socket.write('POST /events HTTP/1.1\r\nHost: sh');
    const slowBody = await raw();
    slowBody.socket.write(head('Content-Length: 100\r\n\r\n{'));
    let posts = 0;
    await until('both are cut', async () => {
      expect((await post(plane, event(posts++))).status).toBe(202);
      return slowHead.isEnded() && slowBody.isEnded();
    });
    for (const slow of [slowHead, slowBody]) {
      expect(slow.received()).toMatch(/^HTTP\/1\.1 408 /);
      expect(slow.received()).toContain('REQUEST_TIMEOUT');
    }
    expect(posts).toBeGreaterThan(5);
  });

  test('one connection carries many requests, pipelined ones in order', async () => {
    await harness.plane.install(p.plan());
    const { socket, received } = await raw();
    const body = event(1);
    const good = `${head(`Content-Length: ${body.length}\r\n\r\n`)}${body}`;
    const bad = `${head('Content-Length: 3\r\n\r\n')}bad`;
    socket.write(good + bad + good);
    const statuses = () => [...received().matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, code]) => code);
    await until('three answers come', () => statuses().length === 3);
    expect(statuses()).toEqual(['202', '422', '202']);
    socket.destroy();
  });

  test('a route of another domain cannot be taken', async () => {
    const { plane } = harness;
    await plane.install(p.plan());
    await expect(plane.install(p.plan({ domain: 'other' }))).rejects.toMatchObject({
      code: 'RUNTIME_ROUTE_CONFLICT',
      details: { domain: 'shop', path: '/events' },
    });
    expect((await post(plane, event(1))).status).toBe(202);
    await plane.removeDomain('shop');
    expect((await post(plane, event(1))).status).toBe(404);
    await plane.install(p.plan({ domain: 'other' }));
    expect((await post(plane, event(1))).status).toBe(202);
  });

  const answers = (labels: Record<string, string>) =>
    harness.metric('nervix_endpoint_responses_total', labels);

  test.each([
    ['no Host header', 'POST /events HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}', 400, 'HOST_MISSING'],
    ['no Host header, HTTP/1.0', 'POST /events HTTP/1.0\r\n\r\n', 400, 'HOST_MISSING'],
    ['another host', 'POST /events HTTP/1.1\r\nHost: other\r\n\r\n', 404, 'NO_ROUTE'],
    [
      'CONNECT',
      'CONNECT shop.test:1 HTTP/1.1\r\nHost: shop.test\r\n\r\n',
      405,
      'METHOD_NOT_ALLOWED',
    ],
    [
      'an upgrade without a route',
      'GET /socket HTTP/1.1\r\nHost: shop.test\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n',
      404,
      'NO_ROUTE',
    ],
    [
      'an expectation without a route',
      'POST /other HTTP/1.1\r\nHost: shop.test\r\nExpect: tea\r\n\r\n',
      417,
      'EXPECTATION_FAILED',
    ],
    ['a slow head', 'POST /events HTTP/1.1\r\nHost: sh', 408, 'REQUEST_TIMEOUT'],
    [
      'a large head',
      `POST /events HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n`,
      431,
      'HEADERS_TOO_LARGE',
    ],
    ['no HTTP', 'hello\r\n\r\n', 400, 'BODY_INCOMPLETE'],
  ])(
    'what leads to no endpoint is answered in form and counted: %s',
    async (_, sent, status, code) => {
      await harness.plane.install(p.plan());
      const { socket, received } = await raw();
      socket.write(sent);
      await until('the answer comes', () => received().includes('"}}'));
      const [head = '', body = ''] = received().split('\r\n\r\n');
      expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      expect(head.toLowerCase()).toContain('content-type: application/json');
      expect(JSON.parse(body)).toMatchObject({ error: { code } });
      expect(await answers({ domain: '-', endpoint: '-', status: String(status) })).toBe(1);
      expect(await answers({ endpoint: 'intake' })).toBe(0);
      socket.destroy();
    },
  );

  test.each([
    [
      'an expectation',
      head('Expect: tea\r\nContent-Length: 2\r\n\r\n{}'),
      417,
      'EXPECTATION_FAILED',
    ],
    [
      'an upgrade',
      'GET /events HTTP/1.1\r\nHost: shop.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
      405,
      'METHOD_NOT_ALLOWED',
    ],
    ['a slow body', head('Content-Length: 9\r\n\r\n{'), 408, 'REQUEST_TIMEOUT'],
    [
      'a broken body',
      head('Transfer-Encoding: chunked\r\n\r\nno chunk\r\n'),
      400,
      'BODY_INCOMPLETE',
    ],
  ])(
    'what is refused on its way to an endpoint counts there: %s',
    async (_, sent, status, code) => {
      await harness.plane.install(p.plan());
      const { socket, received } = await raw();
      socket.write(sent);
      await until('the answer comes', () => received().includes(code));
      expect(received()).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      expect(await answers({ endpoint: 'intake', status: String(status) })).toBe(1);
      expect(await answers({ endpoint: '-' })).toBe(0);
      socket.destroy();
    },
  );

  test('100-continue is answered before the body comes', async () => {
    await harness.plane.install(p.plan());
    const { socket, received } = await raw();
    const body = event(1);
    socket.write(head(`Expect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n`));
    await until('the body is asked for', () => received().startsWith('HTTP/1.1 100 '));
    socket.write(body);
    await until('the answer comes', () => received().includes('HTTP/1.1 202 '));
    socket.destroy();
  });
});
