import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { eventually, TEST_CERTIFICATES } from '@nervix/testkit';
import { describe, expect, onTestFinished, test } from 'vitest';
import { rawSocket } from './support/raw-http.ts';
import { PASSWORD, type ScratchNode, scratchFolder, scratchNode } from './support/scratch-node.ts';

const command = path.join(import.meta.dirname, '../../../packages/client/bin/nervix.js');
const run = promisify(execFile);

/** Runs the terminal client against a node. */
async function nervix({ node }: ScratchNode, ...args: readonly string[]): Promise<string> {
  const { stdout } = await run(process.execPath, [command, ...args], {
    env: { NERVIX_PASSWORD: PASSWORD, NERVIX_SERVER: node.addresses.session, NO_COLOR: '1' },
  });
  return stdout.trimEnd();
}

/** Names in the node's store of contents, by folder. */
function stored(dbPath: string): { readonly objects: string[]; readonly staging: string[] } {
  const names = (folder: string): string[] => readdirSync(path.join(dbPath, 'resources', folder));
  return { objects: names('objects'), staging: names('staging') };
}

/** A folder of certificates. */
function certificates(authority: string = TEST_CERTIFICATES.authority): string {
  const folder = scratchFolder();
  mkdirSync(path.join(folder, 'deep'));
  writeFileSync(path.join(folder, 'deep', 'ca.pem'), authority);
  return folder;
}

describe('resources', () => {
  test('CL-82, CP-123: a folder becomes the next version, from the command and from NSPL', async () => {
    const node = await scratchNode();
    await node.client.run('CREATE DOMAIN d;');
    await node.client.run('CREATE RESOURCE certs;', { domain: 'd' });
    const folder = certificates();
    const upload = ['--domain', 'd', 'upload', 'certs', folder];
    expect(await nervix(node, ...upload)).toBe('uploaded resource version 1');
    expect(await nervix(node, ...upload)).toBe('uploaded resource version 2');
    const again = await nervix(node, '--format', 'json', ...upload, '--identity', 'mine');
    expect(JSON.parse(again)).toMatchObject({ version: 3, origin: 'Executed' });
    const recovered = await nervix(node, '--format', 'json', ...upload, '--identity', 'mine');
    expect(JSON.parse(recovered)).toMatchObject({ version: 3, origin: 'Recovered' });
    const statement = `UPLOAD RESOURCE certs VERSION '${folder}'; DESCRIBE RESOURCE certs VERSION 4;`;
    expect(await nervix(node, '--domain', 'd', '--command', statement)).toMatch(
      /^uploaded resource version 4\nresource: certs@4\n[\s\S]*path=deep\/ca.pem size=\d+ checksum=/,
    );
  });

  test('CP-123: kill -9 within an upload leaves nothing, and the repetition settles it', async () => {
    const dbPath = scratchFolder();
    let current = await scratchNode({ dbPath });
    await current.client.run('CREATE DOMAIN d;');
    await current.client.run('CREATE RESOURCE blob;', { domain: 'd' });
    const folder = scratchFolder();
    writeFileSync(path.join(folder, 'blob.bin'), randomBytes(3_000_000));
    const upload = ['--domain', 'd', 'upload', 'blob', folder, '--identity', 'mine'];
    for (const sent of [1, 700, 2_900_000]) {
      const socket = rawSocket(current.node.addresses.session);
      const head = [
        'PUT /api/v1/domains/d/resources/blob/uploads/cut HTTP/1.1',
        'Host: n',
        `Authorization: ${current.client.authorization}`,
        'Content-Length: 3002880',
        '',
        '',
      ];
      socket.write(head.join('\r\n'));
      // A header for a file that is larger than what comes of it.
      socket.write(cutArchive().subarray(0, sent));
      await eventually('the upload is under way', () => stored(dbPath).staging, hasOne);
      await current.node.kill9();
      current = await scratchNode({ dbPath });
      expect(stored(dbPath)).toEqual({ objects: [], staging: [] });
    }
    expect(await nervix(current, ...upload)).toBe('uploaded resource version 1');
    await current.node.kill9();
    current = await scratchNode({ dbPath });
    expect(stored(dbPath).objects).toHaveLength(1);
    expect(await nervix(current, ...upload)).toBe('uploaded resource version 1');
    expect(await nervix(current, '--domain', 'd', '--command', 'DESCRIBE RESOURCE blob')).toContain(
      'versions: 1\nlatest: 1\n',
    );
  });

  test('CN-24, CN-25, CP-125: an emitter trusts what its client mounts, and a rebinding moves it', async () => {
    const bodies: string[] = [];
    const { serverCertificate: cert, serverKey: key } = TEST_CERTIFICATES;
    const server = createServer({ cert, key }, (request, response) => {
      request.setEncoding('utf8').on('data', (text: string) => bodies.push(text));
      request.on('end', () => response.writeHead(204).end());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const dbPath = scratchFolder();
    let current = await scratchNode({ dbPath });
    await current.client.run('CREATE DOMAIN d;');
    const asked = { domain: 'd' };
    await current.client.run('CREATE RESOURCE certs;', asked);
    // The first version trusts someone else.
    const other = certificates(TEST_CERTIFICATES.serverCertificate);
    await nervix(current, '--domain', 'd', 'upload', 'certs', other);
    for (const statement of pipeline(origin)) await current.client.run(statement, asked);
    await current.client.run('START;', asked);
    const post = async (number: number): Promise<void> => {
      const body = JSON.stringify({ id: number });
      const reply = await current.client.send(`${current.node.addresses.http}/in`, {
        method: 'POST',
        headers: { host: 'localhost' },
        body,
      });
      expect(reply.status).toBe(202);
    };
    await nervix(current, '--domain', 'd', 'upload', 'certs', certificates());
    const rebound = await current.client.run('REBIND RESOURCE certs TO VERSION LATEST;', asked);
    expect(rebound).toContain('- kind=client name=sink from=1 to=2');
    await post(1);
    await eventually('the row arrives', () => bodies, hasOne);
    await current.node.kill9();
    current = await scratchNode({ dbPath });
    await post(2);
    await eventually(
      'rows arrive after a restart',
      () => bodies.join(),
      (all) => all.includes('2'),
    );
  });
});

function hasOne(found: readonly string[]): boolean {
  return found.length === 1;
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
    `CREATE CLIENT sink TYPE HTTP MOUNT certs VERSION LATEST
       CONFIG { 'endpoint' = '${origin}', 'timeout_ms' = '2000',
                'tls_ca_file' = '{{ certs }}/deep/ca.pem' };`,
    `CREATE EMITTER out FROM r TO HTTP sink METHOD 'POST' PATH '/'
       MODE ACK RETRY POLICY BACKOFF 50ms MAX 100ms ENCODE USING c INHERIT ALL
       FLUSH IMMEDIATE ON MESSAGE ERROR LOG ON GENERAL ERROR LOG;`,
  ];
}

/** The beginning of an archive of one file of 3,000,000 bytes. */
function cutArchive(): Buffer {
  const header = Buffer.alloc(512);
  header.write('blob.bin');
  header.write('0000644\0', 100);
  header.write('00013343300\0', 124);
  header.write('ustar\x0000', 257);
  header.fill(' ', 148, 156);
  header.write('0', 156);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return Buffer.concat([header, randomBytes(2_999_000)]);
}
