import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, readdirSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { connect, type TLSSocket } from 'node:tls';
import { eventually, openHttpSink, TestAuthority, type TestCredentials } from '@nervix/testkit';
import { describe, expect, onTestFinished, test } from 'vitest';
import { delivery } from './support/pipelines.ts';
import { runTerminal } from './support/run-terminal.ts';
import { type ScratchNode, scratchFolder, scratchNode } from './support/scratch-node.ts';
import { newReference } from './support/uuid.ts';

const authority = new TestAuthority();
const bundleFor = (name: string): TestCredentials => authority.leaf({ names: [name] });
/** The third one is of somebody else. */
const BUNDLES = [bundleFor('shop.test'), bundleFor('shop.test'), bundleFor('other.test')] as const;
const SERIALS = BUNDLES.map(({ cert }) => new X509Certificate(cert).serialNumber);

const D = { domain: 'd' };
const REFUSED = "failed to install the HTTPS listener TLS configuration on node 'node-1': ";
const NOT_NAMED =
  `${REFUSED}vhost 'event_host' cannot be served over TLS: ` +
  "the certificate does not name 'shop.test'; the model batch was rolled back";
const rebind = (version: number): string => `REBIND RESOURCE certs TO VERSION ${version};`;

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

function bundleFolder({ ca, cert, key }: TestCredentials): string {
  const folder = scratchFolder();
  for (const [name, text] of Object.entries({ 'ca.crt': ca, 'tls.crt': cert, 'tls.key': key })) {
    writeFileSync(path.join(folder, name), text);
  }
  return folder;
}

async function upload({ node }: ScratchNode, folder: string): Promise<void> {
  const ran = await runTerminal(node, ['--domain', 'd', 'upload', 'certs', folder]);
  expect(ran.code).toBe(0);
}

/** A node whose domain `d` has the bundles as versions of `certs`, and nothing else. */
async function openBundled(dbPath: string, port: number): Promise<ScratchNode> {
  const current = await open(dbPath, port);
  await current.client.run('CREATE DOMAIN d;');
  await current.client.run('CREATE RESOURCE certs;', D);
  for (const bundle of BUNDLES) await upload(current, bundleFolder(bundle));
  return current;
}

function open(dbPath: string, port: number): Promise<ScratchNode> {
  return scratchNode({ dbPath, args: ['--https-listen-addr', `127.0.0.1:${port}`] });
}

/** Serial number of what a new handshake presents. */
async function presented(port: number, servername = 'shop.test'): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', ca: authority.certificate, servername });
  try {
    await once(socket, 'secureConnect');
    return socket.getPeerCertificate().serialNumber;
  } finally {
    socket.destroy();
  }
}

interface Posted {
  readonly status: number | undefined;
  /** Whether the connection was there before. */
  readonly isReused: boolean;
  readonly serial: string;
}

async function post(port: number, id: number, agent: Agent): Promise<Posted> {
  const sent = request({
    ...{ port, host: '127.0.0.1', servername: 'shop.test', path: '/events', method: 'POST' },
    ...{ ca: authority.certificate, headers: { host: 'shop.test' }, agent },
  });
  sent.end(JSON.stringify({ id, tenant: 'a' }));
  const [response] = await once(sent, 'response');
  const { serialNumber: serial } = (response.socket as TLSSocket).getPeerCertificate();
  response.resume();
  await once(response, 'end');
  return { status: response.statusCode, isReused: sent.reusedSocket, serial };
}

function keptAgent(): Agent {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  return agent;
}

/** Events over HTTPS that are sent on, with the first bundle. */
async function deployed(dbPath: string, port: number) {
  const sink = await openHttpSink();
  onTestFinished(() => sink.close());
  const current = await openBundled(dbPath, port);
  const statements = delivery(sink.origin).map((text) =>
    text.startsWith('CREATE VHOST')
      ? 'CREATE VHOST event_host shop.test WITH TLS certs VERSION 1;'
      : text,
  );
  await current.client.run(`BEGIN; ${statements.join('\n')} START; COMMIT;`, D);
  return { current, sink };
}

describe('virtual hosts with TLS', () => {
  test('CN-132, CN-138: posts over HTTPS are delivered while certificates move', async () => {
    const port = await freePort();
    const { current, sink } = await deployed(scratchFolder(), port);
    const { client, node } = current;
    const [agent, idle] = [keptAgent(), keptAgent()];
    expect(await post(port, 0, idle)).toMatchObject({ status: 202, serial: SERIALS[0] });
    let isMoving = true;
    const posts: Posted[] = [];
    const posting = (async () => {
      while (isMoving) posts.push(await post(port, posts.length + 1, agent));
    })();
    for (let round = 0; round < 10; round += 1) {
      const version = 2 - (round % 2);
      expect(await client.run(rebind(version), D)).toContain('quiesce level: DYNAMIC');
      expect(await presented(port)).toBe(SERIALS[version - 1]);
    }
    isMoving = false;
    await posting;
    expect(posts.length).toBeGreaterThan(10);
    expect(posts.every(({ status }) => status === 202)).toBe(true);
    expect(posts.slice(1).every(({ isReused }) => isReused)).toBe(true);
    const last = await post(port, posts.length + 1, idle);
    expect(last).toEqual({ status: 202, isReused: true, serial: SERIALS[0] });
    const ids = (): Set<unknown> =>
      new Set(sink.bodies.flatMap((body) => [JSON.parse(body)].flat().map(({ id }) => id)));
    await eventually(
      'every event arrives',
      () => ids().size,
      (count) => count === posts.length + 2,
    );
    const plain = await client.post('/events', '{"id":1,"tenant":"a"}', { host: 'shop.test' });
    expect(plain.status).toBe(404);
    await client.run('STOP;', D);
    expect(await post(port, 1, idle)).toMatchObject({ status: 503, isReused: true });
    expect(await client.run(rebind(2), D)).toContain('quiesce level: DYNAMIC');
    expect(await presented(port)).toBe(SERIALS[1]);
    expect(await node.stop()).toEqual({ code: 0, signal: null });
    await expect(presented(port)).rejects.toThrow('ECONNREFUSED');
  });

  test('CP-103: certificates that a listener refuses are rolled back in the failure record', async () => {
    const port = await freePort();
    const { current } = await deployed(scratchFolder(), port);
    const { client } = current;
    const agent = keptAgent();
    await post(port, 1, agent);
    const alone = await client.command(rebind(3), D);
    expect(alone.body.error).toMatchObject({ code: 'ACTIVATION_FAILED' });
    expect(alone.body.error?.message).toContain(NOT_NAMED);
    expect(await presented(port)).toBe(SERIALS[0]);
    const { body } = await client.command('BEGIN;', D);
    const transaction = body.transaction?.id;
    await client.run('CREATE SCHEMA kept (id I64);', { transaction });
    await client.run(rebind(3), { transaction });
    const { body: commit } = await client.command('COMMIT;', { transaction });
    expect(commit.error?.message).toContain(`transaction '${transaction}' committed the effect`);
    expect(commit.error?.message).toContain(NOT_NAMED);
    expect(await client.run(`DESCRIBE TRANSACTION '${transaction}';`, D)).toMatch(
      /\nstate: FAILED\n[\s\S]*\noperations: 2 accepted, 0 applied[\s\S]*actual DYNAMIC, outcome FAILED\n/,
    );
    expect(await client.run('SHOW CREATE VHOST event_host;', D)).toContain('VERSION 1');
    expect((await client.command('SHOW CREATE SCHEMA kept;', D)).status).not.toBe(200);
    expect(await presented(port)).toBe(SERIALS[0]);
    expect(await post(port, 2, agent)).toMatchObject({ status: 202, isReused: true });
    expect(await client.run(rebind(2), D)).toContain('quiesce level: DYNAMIC');
    expect(await presented(port)).toBe(SERIALS[1]);
  });

  test('CP-103: a port that somebody else has rolls the first host back', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;
    const { client } = await openBundled(scratchFolder(), port);
    const host = 'CREATE VHOST event_host shop.test WITH TLS certs VERSION 2;';
    for (const asked of [D, { transaction: await begin(client) }]) {
      if ('transaction' in asked) await client.run(host, asked);
      const { body } = await client.command('transaction' in asked ? 'COMMIT;' : host, asked);
      const { message } = body.error ?? {};
      expect(message).toContain(`${REFUSED}data listener cannot be opened at 127.0.0.1:${port}: `);
      expect(message).toMatch(/ EADDRINUSE.*; the model batch was rolled back/);
      expect((await client.command('SHOW CREATE VHOST event_host;', D)).status).not.toBe(200);
    }
    other.close();
    await once(other, 'close');
    await client.run(host, D);
    expect(await presented(port)).toBe(SERIALS[1]);
    await client.run('DROP VHOST event_host;', D);
    await expect(presented(port)).rejects.toThrow('ECONNREFUSED');
  });

  test.each([2, 3])(
    'CP-9, CP-103: kill -9 within a move to version %i settles it',
    async (version) => {
      const port = await freePort();
      const dbPath = scratchFolder();
      let { current } = await deployed(dbPath, port);
      const ends = new Set<string>();
      for (const waitMs of [0, 3, 8]) {
        const asked = { ...D, execution_reference: newReference() };
        const cut = current.client.command(rebind(version), asked).catch(() => undefined);
        await delay(waitMs);
        await current.node.kill9();
        ends.add((await cut) === undefined ? 'cut' : 'answered');
        current = await open(dbPath, port);
        const { status, body } = await current.client.command(rebind(version), asked);
        if (version === 2) expect(status).toBe(200);
        else expect(body.error?.message).toContain(NOT_NAMED);
        const present = version === 2 ? 2 : 1;
        const shown = await current.client.run('SHOW CREATE VHOST event_host;', D);
        expect(shown).toContain(`VERSION ${present};`);
        expect(await presented(port)).toBe(SERIALS[present - 1]);
        expect(await post(port, 1, keptAgent())).toMatchObject({ status: 202 });
        expect(await current.client.run(rebind(1), D)).toContain('quiesce level: DYNAMIC');
      }
      expect(ends).toContain('cut');
    },
  );

  test('CN-137: material that a node cannot load keeps the domain, until it is mended', async () => {
    const port = await freePort();
    const dbPath = scratchFolder();
    const { current } = await deployed(dbPath, port);
    await current.node.kill9();
    const objects = path.join(dbPath, 'resources', 'objects');
    for (const name of readdirSync(objects)) {
      const file = path.join(objects, name, 'tree', 'tls.key');
      chmodSync(file, 0o600);
      writeFileSync(file, 'CANARY');
    }
    const damaged = await open(dbPath, port);
    await expect(presented(port)).rejects.toThrow('ECONNREFUSED');
    const log = (): string => damaged.node.stderrLines.join('\n');
    expect(log()).toContain('domain did not resume');
    expect(log()).toContain("vhost 'event_host': resource 'certs@1' is damaged");
    expect(log()).not.toContain('CANARY');
    await upload(damaged, bundleFolder(BUNDLES[0]));
    const tryPost = (): Promise<number | undefined> =>
      post(port, 1, keptAgent()).then(
        ({ status }) => status,
        () => undefined,
      );
    await eventually('the domain comes up', tryPost, (status) => status === 202);
    expect(await presented(port)).toBe(SERIALS[0]);
  });
});

async function begin(client: ScratchNode['client']): Promise<string | undefined> {
  return (await client.command('BEGIN;', D)).body.transaction?.id;
}
