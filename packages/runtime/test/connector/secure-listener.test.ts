import { once } from 'node:events';
import { Agent, request } from 'node:https';
import { type AddressInfo, connect as connectPlain, createServer, type Socket } from 'node:net';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import type { ExecutionPlan } from '@nervix/model';
import { TestAuthority } from '@nervix/testkit';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { HttpListenerOptions } from '../../src/connector/http/http-listener.js';
import type { SecureHost } from '../../src/connector/http/secure-hosts.js';
import { createInProcessDataPlane, type DataPlane, type LogRecord } from '../../src/index.js';
import * as p from '../support/plans.js';
import { event, post } from '../support/post.js';
import { until } from '../support/until.js';

const authority = new TestAuthority();
const LOOPBACK = { host: '127.0.0.1', port: 0 } as const;

interface Opened {
  readonly plane: DataPlane;
  readonly logs: LogRecord[];
  /** Port of the HTTPS listener that was opened last. */
  port(): number;
}

async function open(
  https: Partial<HttpListenerOptions> = {},
  isListeningDeferred = false,
): Promise<Opened> {
  const logs: LogRecord[] = [];
  const plane = await createInProcessDataPlane({
    http: LOOPBACK,
    https: { ...LOOPBACK, ...https },
    isListeningDeferred,
    onLog: (record) => logs.push(record),
  });
  onTestFinished(() => plane.close());
  const opened = (): LogRecord | undefined =>
    logs.findLast(({ message }) => message === 'HTTPS listener opened');
  return { plane, logs, port: () => Number(opened()?.fields['port']) };
}

/** A host with a certificate of its own, for its names unless others are given. */
function host(name: string, hostnames: readonly string[], names = hostnames): SecureHost {
  const { cert, key } = authority.leaf({ names });
  return { name, hostnames, certificate: cert, key };
}

const secure = (rest: Partial<ExecutionPlan> = {}): ExecutionPlan =>
  p.plan({ endpoints: p.plan().endpoints.map((each) => ({ ...each, isSecure: true })), ...rest });

/** A connection whose handshake has succeeded; rejects for one that fails. */
async function shake(port: number, options: ConnectionOptions = {}): Promise<TLSSocket> {
  const socket = connect({ port, host: '127.0.0.1', ca: authority.certificate, ...options });
  onTestFinished(() => void socket.destroy());
  await once(socket, 'secureConnect');
  return socket;
}

const serial = (socket: TLSSocket): string => socket.getPeerCertificate().serialNumber;

/** Serial number of what a new handshake presents. */
async function presented(port: number, servername = 'shop.test'): Promise<string> {
  const socket = await shake(port, { servername });
  const number = serial(socket);
  socket.destroy();
  return number;
}

interface Posted {
  readonly agent?: Agent;
  readonly method?: string;
  readonly servername?: string;
  readonly path?: string;
}

async function postSecurely(
  port: number,
  { agent, method = 'POST', servername = 'shop.test', path = '/events' }: Posted = {},
): Promise<{ readonly status: number | undefined; readonly serial: string }> {
  const sent = request({
    port,
    host: '127.0.0.1',
    ca: authority.certificate,
    servername,
    method,
    path,
    headers: { host: servername },
    agent: agent ?? false,
  });
  sent.end(method === 'POST' ? event(1) : undefined);
  const [response] = await once(sent, 'response');
  const found = { status: response.statusCode, serial: serial(response.socket as TLSSocket) };
  response.resume();
  await once(response, 'end');
  return found;
}

/** A listener of somebody else on a port of its own. */
async function takenPort(): Promise<{ readonly port: number; free(): Promise<void> }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const free = async (): Promise<void> => {
    if (!server.listening) return;
    server.close();
    await once(server, 'close');
  };
  onTestFinished(free);
  return { port: (server.address() as AddressInfo).port, free };
}

describe('HTTPS listener (CN-132, CN-137)', () => {
  test('serves the endpoints of hosts with TLS, which the plain listener does not know', async () => {
    const { plane, port } = await open();
    await plane.serveHosts('shop', [host('main', ['shop.test'])]);
    await plane.install(secure());
    expect((await postSecurely(port())).status).toBe(202);
    expect((await postSecurely(port(), { path: '/other' })).status).toBe(404);
    expect((await postSecurely(port(), { method: 'GET' })).status).toBe(405);
    expect(await post(plane, event(1))).toMatchObject({ status: 404, code: 'NO_ROUTE' });
    await plane.install(p.plan({ revision: 2 }));
    expect((await postSecurely(port())).status).toBe(404);
    expect((await post(plane, event(1))).status).toBe(202);
  });

  test('chooses the certificate by the name that is asked for, over all domains', async () => {
    const { plane, port } = await open();
    const [shop, taxi] = [host('a', ['shop.test', 'b.test']), host('a', ['taxi.test'])];
    await plane.serveHosts('shop', [shop]);
    await plane.serveHosts('taxi', [taxi]);
    const [one, two, other] = [
      await presented(port()),
      await presented(port(), 'B.test'),
      await presented(port(), 'taxi.test'),
    ];
    expect(one).toBe(two);
    expect(other).not.toBe(one);
  });

  test.each<[string, ConnectionOptions]>([
    ['another name', { servername: 'other.test' }],
    ['no name', { servername: '' }],
    ['an older version', { servername: 'shop.test', maxVersion: 'TLSv1.1', minVersion: 'TLSv1' }],
    ['another protocol', { servername: 'shop.test', ALPNProtocols: ['h2'] }],
  ])('fails the handshake for %s', async (_what, options) => {
    const { plane, port } = await open();
    await plane.serveHosts('shop', [host('main', ['shop.test'])]);
    await expect(
      shake(port(), { checkServerIdentity: () => undefined, ...options }),
    ).rejects.toThrow();
    expect((await shake(port(), { servername: 'shop.test' })).getProtocol()).toBe('TLSv1.3');
    const old = { servername: 'shop.test', maxVersion: 'TLSv1.2' } as const;
    expect((await shake(port(), old)).getProtocol()).toBe('TLSv1.2');
  });

  test('ends connections that never finish a handshake, or speak another language', async () => {
    const { plane, port } = await open({ headerTimeoutMs: 300 });
    await plane.serveHosts('shop', [host('main', ['shop.test'])]);
    const plain = (): Socket => {
      const socket = connectPlain(port(), '127.0.0.1');
      socket.on('error', () => undefined).resume();
      onTestFinished(() => void socket.destroy());
      return socket;
    };
    const [silent, talking] = [plain(), plain()];
    talking.write('POST /events HTTP/1.1\r\nHost: shop.test\r\n\r\n');
    await Promise.all([once(silent, 'close'), once(talking, 'close')]);
    expect(await plane.metrics()).toEqual([]);
  });

  test('lets connections wait until the node listens', async () => {
    const { plane, port } = await open({}, true);
    await plane.serveHosts('shop', [host('main', ['shop.test'])]);
    const early = shake(port(), { servername: 'shop.test' });
    const settled: string[] = [];
    void early.then(() => settled.push('shaken'));
    await plane.install(secure());
    expect(settled).toEqual([]);
    await plane.listen();
    await early;
    expect((await postSecurely(port())).status).toBe(202);
  });
});

describe('a change of hosts (CN-138)', () => {
  test('is met by new handshakes, while connections go on', async () => {
    const { plane, port } = await open();
    const former = host('main', ['shop.test']);
    await plane.serveHosts('shop', [former]);
    await plane.install(secure());
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    const before = await postSecurely(port(), { agent });
    await plane.serveHosts('shop', [host('main', ['shop.test'])]);
    expect(await postSecurely(port(), { agent })).toEqual(before);
    const after = await presented(port());
    expect(after).not.toBe(before.serial);
    await plane.serveHosts('shop', [former]);
    expect(await presented(port())).toBe(before.serial);
    expect(await postSecurely(port(), { agent })).toEqual(before);
  });

  test.each(['TLSv1.2', 'TLSv1.3'] as const)(
    'ends what sessions of %s could resume, since those present nothing',
    async (maxVersion) => {
      const { plane, port } = await open();
      await plane.serveHosts('shop', [host('main', ['shop.test'])]);
      await plane.install(secure());
      const options = { servername: 'shop.test', maxVersion };
      const first = await shake(port(), options);
      first.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
      // Tickets of TLS 1.3 come with the first data.
      await once(first, 'data');
      const ticket = first.getSession();
      const again = await shake(port(), { ...options, session: ticket });
      expect(again.isSessionReused()).toBe(true);
      await plane.serveHosts('shop', [host('main', ['shop.test'])]);
      const later = await shake(port(), { ...options, session: ticket });
      expect(later.isSessionReused()).toBe(false);
      expect(serial(later)).not.toBe(serial(first));
    },
  );

  const other = authority.leaf({ names: ['shop.test'] });
  test.each<[string, Partial<SecureHost>, string]>([
    [
      'a certificate for another name',
      host('main', ['shop.test', 'b.test'], ['shop.test']),
      "the certificate does not name 'b.test'",
    ],
    [
      'the key of another certificate',
      { key: other.key },
      'the key does not belong to the certificate',
    ],
    ['a key that is none', { key: 'CANARY' }, 'the key cannot be read'],
    ['a certificate that is none', { certificate: 'CANARY' }, 'the certificate cannot be read'],
  ])('is refused for %s, and changes nothing', async (_what, parts, problem) => {
    const { plane, port } = await open();
    const served = host('main', ['shop.test']);
    await plane.serveHosts('shop', [served]);
    const before = await presented(port());
    const refused = plane.serveHosts('shop', [{ ...served, ...parts }]);
    await expect(refused).rejects.toMatchObject({
      code: 'RUNTIME_SECURE_HOST_REFUSED',
      message: `vhost 'main' cannot be served over TLS: ${problem}`,
    });
    expect(await presented(port())).toBe(before);
  });

  test('is refused where a name belongs to another domain, until that gives it up', async () => {
    const { plane, port } = await open();
    await plane.serveHosts('shop', [host('main', ['shop.test'])]);
    const taken = plane.serveHosts('taxi', [host('main', ['shop.test'])]);
    await expect(taken).rejects.toThrow("hostname 'shop.test' already belongs to domain 'shop'");
    await plane.removeDomain('shop');
    await plane.serveHosts('taxi', [host('main', ['shop.test'])]);
    expect(await presented(port())).not.toBe('');
  });
});

describe('the port of the HTTPS listener', () => {
  test('is open while a domain has hosts', async () => {
    const { port: number, free } = await takenPort();
    await free();
    const { plane, logs } = await open({ port: number });
    const changes = (): string[] => logs.map(({ message }) => message);
    await plane.serveHosts('shop', []);
    await expect(shake(number)).rejects.toThrow('ECONNREFUSED');
    for (let round = 0; round < 2; round += 1) {
      await plane.serveHosts('shop', [host('main', ['shop.test'])]);
      await plane.serveHosts('taxi', [host('main', ['taxi.test'])]);
      await plane.serveHosts('shop', []);
      await presented(number, 'taxi.test');
      await plane.serveHosts('taxi', []);
      await expect(shake(number)).rejects.toThrow('ECONNREFUSED');
    }
    const round = ['HTTPS listener opened', 'HTTPS listener closed'];
    expect(changes()).toEqual([...round, ...round]);
  });

  test('that is taken refuses the hosts, and takes them when it is free', async () => {
    const { port: number, free } = await takenPort();
    const { plane } = await open({ port: number });
    const hosts = [host('main', ['shop.test'])];
    await expect(plane.serveHosts('shop', hosts)).rejects.toMatchObject({
      code: 'RUNTIME_LISTEN_FAILED',
      message: expect.stringContaining('EADDRINUSE'),
    });
    await free();
    await plane.serveHosts('shop', hosts);
    await presented(number);
  });

  test.each([true, false])(
    'ends with the data plane, also what it finished: %s',
    async (isFinished) => {
      const { plane, port } = await open();
      await plane.serveHosts('shop', [host('main', ['shop.test'])]);
      await plane.install(secure());
      const socket = await shake(port(), { servername: 'shop.test' });
      socket.on('error', () => undefined);
      if (isFinished) {
        const head = `POST /events HTTP/1.1\r\nHost: shop.test\r\nContent-Length: ${event(1).length}`;
        socket.write(`${head}\r\n\r\n${event(1)}`);
        await once(socket, 'data');
      }
      socket.resume();
      await plane.serveHosts('shop', []);
      await plane.close();
      await until('the connection ends', () => socket.closed);
    },
  );

  test('that is given up lets a request finish', async () => {
    const { plane, port } = await open();
    await plane.serveHosts('shop', [host('main', ['shop.test'])]);
    await plane.install(secure());
    const socket = await shake(port(), { servername: 'shop.test' });
    let answer = '';
    socket.on('data', (chunk: Buffer) => {
      answer += chunk.toString();
    });
    const head = 'POST /events HTTP/1.1\r\nHost: shop.test\r\nExpect: 100-continue\r\n';
    socket.write(`${head}Content-Length: ${event(1).length}\r\n\r\n`);
    await until('the head has arrived', () => answer.includes('100 Continue'));
    await plane.serveHosts('shop', []);
    socket.write(event(1));
    await until('the answer comes', () => answer.includes('202 Accepted'));
  });

  test('that is given up is left by who says nothing', async () => {
    const { plane, port } = await open({ requestTimeoutMs: 300, headerTimeoutMs: 200 });
    await plane.serveHosts('shop', [host('main', ['shop.test'])]);
    const socket = await shake(port(), { servername: 'shop.test' });
    socket.on('error', () => undefined).resume();
    await plane.serveHosts('shop', []);
    await until('the connection ends', () => socket.closed);
  });

  test('of a data plane without one refuses every host', async () => {
    const plane = await createInProcessDataPlane({ http: LOOPBACK });
    onTestFinished(() => plane.close());
    const refused = plane.serveHosts('shop', [host('main', ['shop.test'])]);
    await expect(refused).rejects.toThrow('this data plane has no HTTPS listener');
  });
});
