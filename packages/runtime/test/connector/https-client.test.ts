import { createServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { ClientTlsPlan } from '@nervix/model';
import { TEST_CERTIFICATES } from '@nervix/testkit';
import { describe, expect, onTestFinished, test } from 'vitest';
import { SystemClock } from '../../src/clock/system-clock.ts';
import { HttpSink } from '../../src/connector/http/http-sink.ts';

const { authority, serverCertificate, serverKey, clientCertificate, clientKey } = TEST_CERTIFICATES;
const content = (text: string) => ({ kind: 'content', text }) as const;
const CA: ClientTlsPlan = { ca: content(authority) };
const IDENTITY: ClientTlsPlan['identity'] = {
  certificate: content(clientCertificate),
  key: content(clientKey),
};

/** An HTTPS server that answers with 204 and keeps the names of the clients that proved themselves. */
async function openServer(options: ServerOptions = {}): Promise<{
  readonly endpoint: string;
  readonly clients: (string | undefined)[];
}> {
  const clients: (string | undefined)[] = [];
  const server = createServer(
    { cert: serverCertificate, key: serverKey, ...options },
    (request, response) => {
      const { subject } = (request.socket as TLSSocket).getPeerCertificate();
      clients.push([subject?.CN].flat()[0]);
      response.writeHead(204).end();
    },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { endpoint: `https://127.0.0.1:${port}`, clients };
}

function send(endpoint: string, tls?: ClientTlsPlan): ReturnType<HttpSink['send']> {
  const plan = { name: 'c', type: 'HTTP', endpoint, timeoutMs: 5_000 } as const;
  const sink = new HttpSink(tls === undefined ? plan : { ...plan, tls }, new SystemClock());
  const request = { method: 'POST', path: '/', headers: [], body: null };
  return sink.send(request, new AbortController().signal);
}

describe('HTTP clients over TLS (CN-25)', () => {
  test('trust the certificates of their plan', async () => {
    const { endpoint, clients } = await openServer();
    expect(await send(endpoint, CA)).toEqual({ kind: 'delivered' });
    expect(clients).toEqual([undefined]);
  });

  test('trust nobody else but the platform', async () => {
    const { endpoint, clients } = await openServer();
    const refused = { kind: 'retry', waitMs: null } as const;
    expect(await send(endpoint)).toMatchObject(refused);
    expect(
      await send(endpoint, IDENTITY === undefined ? {} : { identity: IDENTITY }),
    ).toMatchObject(refused);
    expect(clients).toEqual([]);
  });

  test('do not talk to a server of another name', async () => {
    const { endpoint, clients } = await openServer({ cert: clientCertificate, key: clientKey });
    expect(await send(endpoint, CA)).toMatchObject({ kind: 'retry' });
    expect(clients).toEqual([]);
  });

  test('prove themselves where that is asked for', async () => {
    const { endpoint, clients } = await openServer({ requestCert: true, ca: authority });
    expect(await send(endpoint, CA)).toMatchObject({ kind: 'retry' });
    expect(await send(endpoint, { ...CA, identity: IDENTITY })).toEqual({ kind: 'delivered' });
    expect(clients).toEqual(['client']);
  });

  test('fail each attempt whose plan holds no usable texts', async () => {
    const { endpoint, clients } = await openServer();
    expect(await send(endpoint, { ca: { kind: 'mounted', path: 'ca.pem' } })).toMatchObject({
      kind: 'retry',
    });
    const identity = { certificate: content('none'), key: content('none') };
    expect(await send(endpoint, { identity })).toMatchObject({ kind: 'retry' });
    expect(clients).toEqual([]);
  });
});
