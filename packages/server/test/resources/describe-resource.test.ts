import { chmod, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type ControlNode, openControlNode } from '../support/control-node.ts';
import { temporaryFolder } from '../support/resources/open-store.ts';
import { inPieces, tarBytes } from '../support/resources/tar-bytes.ts';
import { identityOf } from '../support/users.ts';

interface Described {
  readonly node: ControlNode;
  readonly directory: string;
  upload(bytes: Buffer, identity: string): Promise<void>;
}

async function openDescribed(): Promise<Described> {
  const directory = path.join(await temporaryFolder(), 'resources');
  const node = await openControlNode({ resources: { directory } });
  await node.run('CREATE DOMAIN d;');
  await node.run('CREATE RESOURCE certs;');
  const upload = async (bytes: Buffer, identity: string): Promise<void> => {
    const body = inPieces(bytes, 512);
    const request = { owner: identityOf('ada'), domain: 'd', resource: 'certs', identity, body };
    const reply = await node.plane.upload({ ...request, bytes: bytes.length });
    expect(reply.kind).toBe('installed');
  };
  return { node, directory, upload };
}

const ARCHIVE = tarBytes([
  { path: 'deep/ca.pem', content: 'ca' },
  { path: 'key pem', content: '' },
]);

/** Long checksums and what depends on the test's own archives, by what they are. */
function masked(text: string): string {
  return text.replaceAll(/\b[0-9a-f]{64}\b/g, 'HEX');
}

describe('DESCRIBE RESOURCE (CP-126, TX-24)', () => {
  test('of one without versions', async () => {
    const { node } = await openDescribed();
    expect(await node.text('DESCRIBE RESOURCE certs;')).toBe(
      [
        'resource: certs',
        'versions: (none)',
        'latest: (none)',
        'version_details:',
        '- none',
        'usages:',
        '- none',
      ].join('\n'),
    );
  });

  test('lists versions with their entries', async () => {
    const { node, upload } = await openDescribed();
    await upload(ARCHIVE, 'a');
    node.clock.nowMs += 500;
    await upload(tarBytes([{ path: './' }]), 'b');
    expect(masked(await node.text('DESCRIBE RESOURCE certs;'))).toBe(
      [
        'resource: certs',
        'versions: 1,2',
        'latest: 2',
        'version_details:',
        '- version=1 root_checksum=HEX manifest_checksum=HEX file_count=2 total_bytes=2 ' +
          'created_by_node=n1 created_at=2027-01-15T08:00:00+00:00',
        '  entries:',
        '  - type=directory path=deep size=0 checksum=-',
        '  - type=file path=deep/ca.pem size=2 checksum=HEX',
        '  - type=file path=key pem size=0 checksum=HEX',
        '- version=2 root_checksum=HEX manifest_checksum=HEX file_count=0 total_bytes=0 ' +
          'created_by_node=n1 created_at=2027-01-15T08:00:00.500+00:00',
        '  entries:',
        '  - none',
        'usages:',
        '- none',
      ].join('\n'),
    );
  });

  test('of one that is not declared', async () => {
    const { node } = await openDescribed();
    expect(await node.refuse('DESCRIBE RESOURCE other;')).toMatchObject({
      code: 'NOT_FOUND',
      message: "resource 'other' does not exist",
      diagnostics: [{ span: { start: 18, end: 23 } }],
    });
  });
});

describe('DESCRIBE RESOURCE … VERSION (CP-126, TX-25)', () => {
  test('shows the version and where it is', async () => {
    const { node, upload } = await openDescribed();
    await upload(ARCHIVE, 'a');
    expect(masked(await node.text('DESCRIBE RESOURCE certs VERSION 1;'))).toBe(
      [
        'resource: certs@1',
        'root_checksum: HEX',
        'manifest_checksum: HEX',
        'file_count: 2',
        'total_bytes: 2',
        'created_by_node: n1',
        'created_at: 2027-01-15T08:00:00+00:00',
        'cluster_ready: true',
        'entries:',
        '  - type=directory path=deep size=0 checksum=-',
        '  - type=file path=deep/ca.pem size=2 checksum=HEX',
        '  - type=file path=key pem size=0 checksum=HEX',
        'alive_nodes: n1',
        'dead_nodes: (none)',
        'nodes:',
        '- n1 topology=alive state=ready checksum=HEX verified_at=2027-01-15T08:00:00+00:00 ' +
          'source=n1 error=-',
        'usages:',
        '- none',
      ].join('\n'),
    );
  });

  test('tells of members that do not have it', async () => {
    const { node, upload } = await openDescribed();
    await upload(ARCHIVE, 'a');
    node.members = [
      { name: 'n3', isLive: false, isTerminating: false },
      { name: 'n1', isLive: true, isTerminating: false },
      { name: 'n2', isLive: true, isTerminating: false },
    ];
    const text = await node.text('DESCRIBE RESOURCE certs VERSION 1;');
    expect(text).toContain('cluster_ready: false\n');
    expect(text).toContain('alive_nodes: n1,n2\ndead_nodes: n3\nnodes:\n- n1 topology=alive');
    expect(text).toContain(
      '- n2 topology=alive state=pending checksum=- verified_at=- source=- error=-\n' +
        '- n3 topology=dead state=untracked checksum=- verified_at=- source=- error=-',
    );
    node.members = [];
    const alone = await node.text('DESCRIBE RESOURCE certs VERSION 1;');
    expect(alone).toContain('alive_nodes: (none)\n');
    expect(alone).toContain('- n1 topology=unknown state=ready');
  });

  test('of a version, or a resource, that does not exist', async () => {
    const { node } = await openDescribed();
    expect(await node.refuse('DESCRIBE RESOURCE certs VERSION 7;')).toMatchObject({
      message: "resource 'certs@7' does not exist",
    });
    expect(await node.refuse('DESCRIBE RESOURCE other VERSION 7;')).toMatchObject({
      message: "resource 'other' does not exist",
    });
  });

  test('says by name what is damaged on the node that answers', async () => {
    const { node, directory, upload } = await openDescribed();
    await upload(ARCHIVE, 'a');
    const digest = node.state.resources.version('d', 'certs', 1)?.archiveDigest ?? '';
    const object = path.join(directory, 'objects', digest);
    await chmod(path.join(object, 'tree', 'deep', 'ca.pem'), 0o600);
    await writeFile(path.join(object, 'tree', 'deep', 'ca.pem'), 'cA');
    const next = await node.restart({ resources: { directory } });
    const opened = await next.context.resources.installed.open('d', 'certs', 1);
    expect(opened).toEqual({
      kind: 'unavailable',
      reason: "resource 'certs@1' is damaged: 'deep/ca.pem' is not as installed",
    });
    expect(next.logLines.join('')).toContain('a resource version is damaged');
    const text = await next.text('DESCRIBE RESOURCE certs VERSION 1;');
    expect(text).toContain('cluster_ready: false');
    expect(text).toContain("source=n1 error='deep/ca.pem' is not as installed");
    await chmod(path.join(object, 'manifest'), 0o600);
    await writeFile(path.join(object, 'manifest'), '');
    expect(await next.text('DESCRIBE RESOURCE certs;')).toContain(
      '  entries:\n  - unavailable error=the manifest is not as installed\n',
    );
    // The same archive sent again mends it.
    const body = inPieces(ARCHIVE, 512);
    const request = {
      owner: identityOf('ada'),
      domain: 'd',
      resource: 'certs',
      identity: 'a',
      body,
    };
    await next.plane.upload({ ...request, bytes: ARCHIVE.length });
    expect(await next.text('DESCRIBE RESOURCE certs VERSION 1;')).toContain('cluster_ready: true');
    expect((await next.context.resources.installed.open('d', 'certs', 1)).kind).toBe('installed');
  });
});
