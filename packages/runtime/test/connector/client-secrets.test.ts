import { createServer as createPlainServer } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { HttpClientPlan, SecretReference } from '@nervix/model';
import { TEST_CERTIFICATES } from '@nervix/testkit';
import { describe, expect, onTestFinished, test } from 'vitest';
import { SystemClock } from '../../src/clock/system-clock.ts';
import type { SecretReading } from '../../src/connector/client-secrets.ts';
import { HttpSink } from '../../src/connector/http/http-sink.ts';

const { authority, serverCertificate, serverKey, clientCertificate, clientKey } = TEST_CERTIFICATES;

type Server = ReturnType<typeof createPlainServer>;

async function opened(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** An HTTPS server that takes known clients alone, and keeps their names. */
async function openServer(): Promise<{ endpoint: string; clients: unknown[] }> {
  const clients: unknown[] = [];
  const settings = { cert: serverCertificate, key: serverKey, ca: authority };
  const isAsked = { requestCert: true, rejectUnauthorized: true };
  const server = createServer({ ...settings, ...isAsked }, (request, response) => {
    clients.push((request.socket as TLSSocket).getPeerCertificate().subject.CN);
    response.writeHead(204).end();
  });
  return { endpoint: `https://127.0.0.1:${await opened(server)}`, clients };
}

const secret = (key: string) => ({ kind: 'secret', secret: { name: 'desk', key } }) as const;

function plan(parts: Partial<HttpClientPlan>): HttpClientPlan {
  return { name: 'c', type: 'HTTP', endpoint: 'http://127.0.0.1:1', timeoutMs: 5_000, ...parts };
}

/** A sink over secrets that the test changes; each reading is counted. */
function sinkOver(
  parts: Partial<HttpClientPlan>,
  values: Record<string, string>,
): { send: () => ReturnType<HttpSink['send']>; asked: (readonly SecretReference[])[] } {
  const asked: (readonly SecretReference[])[] = [];
  const read = async (secrets: readonly SecretReference[]): Promise<SecretReading> => {
    asked.push(secrets);
    const missing = secrets.find(({ key }) => values[key ?? ''] === undefined);
    if (missing !== undefined) {
      return {
        kind: 'unavailable',
        reason: `secret '${missing.name}' has no key '${missing.key}'`,
      };
    }
    return { kind: 'read', values: secrets.map(({ key }) => values[key ?? ''] ?? '') };
  };
  const sink = new HttpSink(plan(parts), new SystemClock(), read);
  const request = { method: 'POST', path: '/', headers: [], body: null };
  return { send: () => sink.send(request, new AbortController().signal), asked };
}

describe('secrets of clients (CN-387)', () => {
  test('prove a client, and are read anew by each attempt', async () => {
    const { endpoint, clients } = await openServer();
    const identity = { certificate: secret('cert'), key: secret('key') };
    const values: Record<string, string> = { ca: authority };
    const { send, asked } = sinkOver({ endpoint, tls: { ca: secret('ca'), identity } }, values);
    expect(await send()).toEqual({
      kind: 'retry',
      reason: "secret 'desk' has no key 'cert'",
      waitMs: null,
    });
    values['cert'] = clientCertificate;
    values['key'] = 'canary4711';
    const unusable = await send();
    expect(unusable).toMatchObject({ kind: 'retry', waitMs: null });
    expect(JSON.stringify(unusable)).not.toContain('canary4711');
    values['key'] = clientKey;
    expect(await send()).toEqual({ kind: 'delivered' });
    expect(await send()).toEqual({ kind: 'delivered' });
    expect(clients).toHaveLength(2);
    expect(asked).toHaveLength(4);
    // Nothing of the former version remains: without its values there is no further attempt.
    delete values['key'];
    expect(await send()).toMatchObject({ reason: "secret 'desk' has no key 'key'" });
    expect(clients).toHaveLength(2);
  });

  test('hold an endpoint and a time limit, and no reason quotes them', async () => {
    const server = createPlainServer((_request, response) => response.writeHead(204).end());
    const origin = `http://127.0.0.1:${await opened(server)}`;
    const values: Record<string, string> = { url: `${origin}/\n`, limit: '5000\n' };
    const endpoint = { name: 'desk', key: 'url' };
    const timeoutMs = { name: 'desk', key: 'limit' };
    const { send } = sinkOver({ endpoint, timeoutMs }, values);
    expect(await send()).toEqual({ kind: 'delivered' });
    values['limit'] = 'canary4711';
    expect(await send()).toEqual({
      kind: 'retry',
      reason: "client 'c' has no usable 'timeout_ms' in secret 'desk'",
      waitMs: null,
    });
    values['url'] = 'http://me:canary4711@h';
    expect(await send()).toMatchObject({
      reason: "client 'c' has no usable 'endpoint' in secret 'desk'",
    });
  });

  test('a client without any asks for none', async () => {
    const { send, asked } = sinkOver({}, {});
    expect(await send()).toMatchObject({ kind: 'retry' });
    expect(asked).toEqual([]);
  });
});
