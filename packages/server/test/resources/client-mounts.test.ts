import { chmod, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ExecutionPlan, HttpClientPlan } from '@nervix/model';
import { TEST_CERTIFICATES } from '@nervix/testkit';
import { describe, expect, test } from 'vitest';
import { withClientFiles } from '../../src/resources/client-mounts.ts';
import { type ControlNode, openControlNode } from '../support/control-node.ts';
import { temporaryFolder } from '../support/resources/open-store.ts';
import { inPieces, type TarEntry, tarBytes } from '../support/resources/tar-bytes.ts';
import { identityOf } from '../support/users.ts';

const { authority, clientCertificate, clientKey } = TEST_CERTIFICATES;
const FILES: readonly TarEntry[] = [
  { path: 'ca.pem', content: authority },
  { path: 'deep/cert.pem', content: clientCertificate },
  { path: 'deep/key.pem', content: clientKey },
  { path: 'junk.pem', content: 'CANARY junk' },
];

/** A node whose domain `d` has version 1 of `certs`. */
async function openMounted(): Promise<{
  readonly node: ControlNode;
  readonly directory: string;
}> {
  const directory = path.join(await temporaryFolder(), 'resources');
  const node = await openControlNode({ resources: { directory } });
  await node.run('CREATE DOMAIN d;');
  await node.run('CREATE RESOURCE certs;');
  const bytes = tarBytes(FILES);
  const request = { owner: identityOf('ada'), domain: 'd', resource: 'certs', identity: 'a' };
  await node.plane.upload({ ...request, bytes: bytes.length, body: inPieces(bytes, 900) });
  return { node, directory };
}

const mounted = (name: string) => ({ kind: 'mounted', path: name }) as const;

async function load(
  { node }: { readonly node: ControlNode },
  parts: Partial<HttpClientPlan>,
): Promise<HttpClientPlan | undefined> {
  const client: HttpClientPlan = {
    name: 'c',
    type: 'HTTP',
    endpoint: 'https://h',
    timeoutMs: 1,
    mount: { resource: 'certs', version: 1 },
    ...parts,
  };
  const plan = { domain: 'd', clients: [client] } as unknown as ExecutionPlan;
  const loaded = await withClientFiles(node.context.resources.installed, plan);
  return loaded.clients[0];
}

describe('files of a mounted version (CN-24, CP-124)', () => {
  test('are read into the plan that is run', async () => {
    const node = await openMounted();
    const identity = { certificate: mounted('deep/cert.pem'), key: mounted('deep/key.pem') };
    expect(await load(node, { tls: { ca: mounted('ca.pem'), identity } })).toMatchObject({
      tls: {
        ca: { kind: 'content', text: authority },
        identity: {
          certificate: { kind: 'content', text: clientCertificate },
          key: { kind: 'content', text: clientKey },
        },
      },
    });
  });

  test('stand beside files of the node', async () => {
    const node = await openMounted();
    const file = path.join(await temporaryFolder(), 'ca.pem');
    await writeFile(file, authority);
    const local = (name: string) => ({ kind: 'local', path: name }) as const;
    expect(await load(node, { tls: { ca: local(file) } })).toMatchObject({
      tls: { ca: { kind: 'content', text: authority } },
    });
    await expect(load(node, { tls: { ca: local('/dev/zero') } })).rejects.toThrow(
      "client 'c' cannot read '/dev/zero' (EFBIG)",
    );
    await expect(load(node, { tls: { ca: local('/nowhere/ca') } })).rejects.toThrow(
      "client 'c' cannot read '/nowhere/ca' (ENOENT)",
    );
  });

  test.each<[string, Partial<HttpClientPlan>, string]>([
    [
      'a file that is not there',
      { tls: { ca: mounted('../ca.pem') } },
      "failed to mount client resource 'certs' at '../ca.pem': the version has no such file",
    ],
    [
      'a folder',
      { tls: { ca: mounted('deep') } },
      "failed to mount client resource 'certs' at 'deep': the version has no such file",
    ],
    [
      'a version that is not there',
      { mount: { resource: 'certs', version: 2 } },
      "failed to mount client resource 'certs' at '.': " +
        "resource 'certs@2' is not a completed version in domain 'd'",
    ],
    [
      'no certificates',
      { tls: { ca: mounted('junk.pem') } },
      "client 'c' has no usable certificates in 'tls_ca_file'",
    ],
    [
      'a key of another certificate',
      { tls: { identity: { certificate: mounted('ca.pem'), key: mounted('deep/key.pem') } } },
      "client 'c' has no usable certificates in 'tls_cert_file'",
    ],
  ])('are refused by name: %s (TX-58)', async (_what, parts, message) => {
    const refused = load(await openMounted(), parts);
    await expect(refused).rejects.toThrow(message);
    await expect(refused).rejects.not.toThrow('CANARY');
  });

  test('are refused when a bit of one was flipped since', async () => {
    const opened = await openMounted();
    await load(opened, { tls: { ca: mounted('ca.pem') } });
    const digest = opened.node.state.resources.version('d', 'certs', 1)?.archiveDigest ?? '';
    const file = path.join(opened.directory, 'objects', digest, 'tree', 'ca.pem');
    await chmod(file, 0o600);
    await writeFile(file, authority.replace('M', 'N'));
    await expect(load(opened, { tls: { ca: mounted('ca.pem') } })).rejects.toThrow(
      "failed to mount client resource 'certs' at 'ca.pem': 'ca.pem' is not as installed",
    );
  });
});
