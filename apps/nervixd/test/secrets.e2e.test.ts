import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { TLSSocket } from 'node:tls';
import { eventually, TEST_CERTIFICATES } from '@nervix/testkit';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type ScratchNode, scratchFolder, scratchNode } from './support/scratch-node.ts';

const { authority, clientCertificate, clientKey, serverCertificate, serverKey } = TEST_CERTIFICATES;
const CANARY = 'canary-4711';

/** A line of each value that was stored, none of which may be found anywhere. */
const VALUES: readonly string[] = [
  CANARY,
  ...[authority, clientKey, clientCertificate, serverKey].map((pem) => pem.split('\n')[2] ?? pem),
];

/** Everything that a node has answered in a test. */
const told: string[] = [];

interface Receiver {
  readonly origin: string;
  /** Fingerprint of the client and row of each request. */
  readonly requests: { client: string; body: string }[];
  /** Answers that are held back while there is a list. */
  held: (() => void)[] | undefined;
}

/** An HTTPS server that keeps who proved what to it. */
async function openReceiver(): Promise<Receiver> {
  const requests: Receiver['requests'] = [];
  const settings = { cert: serverCertificate, key: serverKey, ca: authority };
  const isAsked = { requestCert: true, rejectUnauthorized: false };
  const server = createServer({ ...settings, ...isAsked }, (request, response) => {
    const { fingerprint256 = 'nobody' } = (request.socket as TLSSocket).getPeerCertificate();
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      requests.push({ client: fingerprint256, body });
      const answer = (): void => void response.writeHead(204).end();
      if (receiver.held === undefined) answer();
      else receiver.held.push(answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  const origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const receiver: Receiver = { origin, requests, held: undefined };
  return receiver;
}

function pipeline(origin: string): readonly string[] {
  return [
    'CREATE SCHEMA s (id I64);',
    'CREATE WIRE JSON SCHEMA s_json MODE STRICT (id INTEGER);',
    'CREATE CODEC c FROM WIRE JSON SCHEMA s_json TO SCHEMA s;',
    'CREATE RELAY r SCHEMA s UNBRANCHED;',
    'CREATE VHOST here localhost;',
    "CREATE ENDPOINT e ON here PATH '/in' TYPE HTTP;",
    `CREATE INGESTOR i FROM ENDPOINT e MODE NO_ACK SEQUENTIAL ON QUIESCE REJECT RETRY AFTER 1s
       DECODE USING c TO r INHERIT ALL UNBRANCHED FLUSH IMMEDIATE ON MESSAGE ERROR LOG
       ON GENERAL ERROR LOG;`,
    `CREATE CLIENT sink TYPE HTTP CONFIG { 'endpoint' = '${origin}', 'timeout_ms' = '20000',
       'tls_ca_file' = SECRET 'authority', 'tls_cert_file' = SECRET 'desk' KEY 'cert',
       'tls_key_file' = SECRET 'desk' KEY 'key' };`,
    `CREATE EMITTER out FROM r TO HTTP sink METHOD 'POST' PATH '/'
       MODE ACK RETRY POLICY BACKOFF 50ms MAX 100ms ENCODE USING c INHERIT ALL
       FLUSH IMMEDIATE ON MESSAGE ERROR LOG ON GENERAL ERROR LOG;`,
  ];
}

/** A request of the secrets of domain `d`. */
async function secrets(
  { node, client }: ScratchNode,
  method: string,
  place = '',
  body?: string,
): Promise<{ status: number; text: string }> {
  const url = `${node.addresses.session}/api/v1/domains/d/secrets${place}`;
  const { authorization } = client;
  const headers = { authorization };
  const reply = await client.send(url, {
    method,
    headers,
    ...(body === undefined ? {} : { body }),
  });
  told.push(JSON.stringify(reply));
  return reply;
}

async function write(node: ScratchNode, place: string, value: string): Promise<string> {
  const { status, text } = await secrets(node, 'PUT', place, value);
  expect([status, text]).toEqual([200, expect.stringContaining('wrote secret')]);
  return (JSON.parse(text) as { message: string }).message;
}

async function command({ client }: ScratchNode, query: string, rest = {}) {
  const answer = await client.command(query, { domain: 'd', ...rest });
  told.push(JSON.stringify(answer));
  return answer;
}

async function post({ client }: ScratchNode, id: number): Promise<void> {
  expect((await client.post('/in', JSON.stringify({ id }))).status).toBe(202);
}

/** Files below a folder that hold one of the values. */
function leaks(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(folder, name))
    .filter((file) => statSync(file).isFile())
    .filter((file) => {
      const bytes = readFileSync(file);
      return VALUES.some((value) => bytes.includes(value));
    });
}

describe('secrets of a domain', () => {
  test('CL-113, CN-387, CP-136: prove an emitter, rotate beside what is under way, and survive kill -9', async () => {
    const receiver = await openReceiver();
    const dbPath = scratchFolder();
    let current = await scratchNode({ dbPath, env: { NERVIX_LOG: 'debug' } });
    const first = current.node;
    await current.client.run('CREATE DOMAIN d;');
    await write(current, '/authority', authority);
    await write(current, '/desk?key=cert', clientCertificate);
    const [client = ''] = pipeline(receiver.origin).filter((text) => text.includes('CLIENT'));
    const refused = await command(current, client);
    expect(refused).toMatchObject({
      status: 422,
      body: { error: { code: 'SECRET_UNAVAILABLE', message: "secret 'desk' has no key 'key'" } },
    });
    await write(current, '/desk?key=key', clientKey);
    for (const statement of pipeline(receiver.origin)) {
      expect(await command(current, statement)).toMatchObject({ status: 200 });
    }
    expect(await command(current, 'START;')).toMatchObject({ status: 200 });
    await post(current, 1);
    await eventually(
      'the first row arrives',
      () => receiver.requests.length,
      (n) => n === 1,
    );
    const before = receiver.requests[0]?.client ?? '';
    expect(before).toMatch(/^[0-9A-F:]{95}$/u);

    // What is under way while the secret is rotated goes on as it began.
    receiver.held = [];
    await post(current, 2);
    await eventually(
      'an attempt is under way',
      () => receiver.held?.length,
      (n) => n === 1,
    );
    const { body } = await command(current, 'BEGIN;');
    const transaction = body.transaction?.id;
    await command(current, 'CREATE SCHEMA x (id I64);', { domain: undefined, transaction });
    expect(await write(current, '/desk?key=cert', serverCertificate)).toContain('version 2');
    await write(current, '/desk?key=key', serverKey);
    for (const answer of receiver.held) answer();
    receiver.held = undefined;
    await post(current, 3);
    await eventually(
      'a later row arrives',
      () => receiver.requests.length,
      (n) => n === 3,
    );
    const clients = receiver.requests.map((request) => request.client);
    expect(clients.slice(0, 2)).toEqual([before, before]);
    const after = clients[2];
    expect(after).not.toBe(before);
    const stale = await command(current, 'COMMIT;', { domain: undefined, transaction });
    expect(stale).toMatchObject({ status: 412, body: { error: { code: 'PREVIEW_STALE' } } });

    await write(current, '/spare', CANARY);
    await current.node.kill9();
    current = await scratchNode({ dbPath, env: { NERVIX_LOG: 'debug' } });
    await post(current, 4);
    await eventually(
      'rows arrive after a restart',
      () => receiver.requests.length,
      (n) => n === 4,
    );
    expect(receiver.requests[3]).toEqual({ client: after, body: '{"id":4}' });
    expect((await command(current, 'SHOW SECRETS;')).body.message).toBe(
      [
        '- name=authority key=- version=1 provider=store used_by=client sink',
        '- name=desk key=cert version=2 provider=store used_by=client sink',
        '- name=desk key=key version=2 provider=store used_by=client sink',
        '- name=spare key=- version=1 provider=store used_by=-',
      ].join('\n'),
    );
    for (const query of ['SHOW CREATE CLIENT sink WITH SECRETS;', 'DESCRIBE EMITTER out;']) {
      expect((await command(current, query)).status).toBe(200);
    }

    expect(statSync(path.join(dbPath, 'secret.key')).mode & 0o777).toBe(0o600);
    expect(leaks(dbPath)).toEqual([]);
    const logs = [...first.stderrLines, ...current.node.stderrLines].join('\n');
    expect(logs).toContain('secret version written');
    const whole = [logs, ...told].join('\n');
    expect(VALUES.filter((value) => whole.includes(value))).toEqual([]);
  });

  test('CL-113: the routes refuse what is no value, no secret, or still needed', async () => {
    const current = await scratchNode();
    await current.client.run('CREATE DOMAIN d;');
    const code = async (method: string, place: string, body?: string): Promise<unknown> => {
      const { status, text } = await secrets(current, method, place, body);
      const { error } = JSON.parse(text) as { error?: { code: string } };
      return [status, error?.code];
    };
    expect(await code('PUT', '/a', 'x'.repeat(65_536))).toEqual([200, undefined]);
    expect(await code('PUT', '/a', 'x'.repeat(65_537))).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    expect(await code('PUT', '/a', '')).toEqual([400, 'INVALID_REQUEST']);
    expect(await code('PUT', '/a%20b', CANARY)).toEqual([400, 'INVALID_REQUEST']);
    expect(await code('PUT', '/a?keys=b', CANARY)).toEqual([400, 'INVALID_REQUEST']);
    expect(await code('POST', '/a', CANARY)).toEqual([405, 'METHOD_NOT_ALLOWED']);
    expect(await code('DELETE', '/b')).toEqual([404, 'NOT_FOUND']);
    await command(
      current,
      "CREATE CLIENT c TYPE HTTP CONFIG {'endpoint' = 'http://h', 'token' = SECRET 'a'};",
    );
    expect(await code('DELETE', '/a')).toEqual([422, 'IN_USE']);
    const list = JSON.parse((await secrets(current, 'GET')).text) as unknown;
    const entry = { name: 'a', key: null, version: 1, provider: 'store', used_by: ['client c'] };
    expect(list).toEqual({ secrets: [entry] });
    await command(current, 'DROP CLIENT c;');
    expect(await code('DELETE', '/a')).toEqual([200, undefined]);
    const url = `${current.node.addresses.session}/api/v1/domains/d/secrets`;
    expect((await current.client.send(url)).status).toBe(401);
    expect(told.join('\n')).not.toContain(CANARY);
  });

  test('CL-113: of the environment or of files are used and not written', async () => {
    const env = { NERVIX_SECRET_PROVIDER: 'env', NERVIX_SECRET_DESK_TOKEN: CANARY };
    const current = await scratchNode({ env });
    await current.client.run('CREATE DOMAIN d;');
    const client = `CREATE CLIENT c TYPE HTTP CONFIG
      {'endpoint' = 'http://h', 'token' = SECRET 'desk' KEY 'token'};`;
    expect(await command(current, client)).toMatchObject({ status: 200 });
    const other = await command(
      current,
      client.replace("KEY 'token'", "KEY 'other'").replace('CLIENT c', 'CLIENT e'),
    );
    expect(other.body.error?.message).toBe("secret 'desk' has no key 'other'");
    const { status, text } = await secrets(current, 'PUT', '/desk?key=token', CANARY);
    expect([status, text]).toEqual([422, expect.stringContaining("the provider 'env'")]);
    expect((await command(current, 'SHOW SECRETS;')).body.message).toContain(
      '- name=desk key=token version=1 provider=env used_by=client c',
    );
    expect(current.node.stderrLines.join('\n') + told.join('\n')).not.toContain(CANARY);
  });
});
