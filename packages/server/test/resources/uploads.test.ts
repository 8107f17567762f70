import { rm } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { UploadReply, UploadRequest } from '../../src/resources/resource-uploads.ts';
import {
  type ControlNode,
  type ControlNodeSetup,
  openControlNode,
} from '../support/control-node.ts';
import { CrashPoint } from '../support/crash-point.ts';
import { pathsBelow, temporaryFolder } from '../support/resources/open-store.ts';
import { inPieces, tarBytes } from '../support/resources/tar-bytes.ts';
import { identityOf } from '../support/users.ts';

const FIRST = tarBytes([{ path: 'ca.pem', content: 'first' }]);
const SECOND = tarBytes([{ path: 'ca.pem', content: 'second' }]);

/** A node with a domain `d` that declares the resource `certs`. */
async function openWithResource(setup: ControlNodeSetup = {}): Promise<ControlNode> {
  const directory = path.join(await temporaryFolder(), 'resources');
  const node = await openControlNode({ ...setup, resources: { directory, ...setup.resources } });
  await node.run('CREATE DOMAIN d;');
  await node.run('CREATE RESOURCE certs;');
  return node;
}

function upload(
  node: ControlNode,
  bytes: Buffer,
  request: Partial<UploadRequest> = {},
): Promise<UploadReply> {
  return node.plane.upload({
    owner: identityOf('ada'),
    domain: 'd',
    resource: 'certs',
    identity: 'first',
    bytes: bytes.length,
    body: inPieces(bytes, 700),
    ...request,
  });
}

function textOf(reply: UploadReply): string {
  return reply.kind === 'installed'
    ? `${reply.value.message} ${reply.value.origin}`
    : `${reply.error.code} ${reply.error.message}`;
}

describe('CREATE RESOURCE (CP-123, T-7, T-8)', () => {
  test('declares a resource of the domain', async () => {
    const node = await openWithResource();
    expect(await node.text('CREATE RESOURCE models;')).toBe("created resource 'models'");
    await node.run('CREATE DOMAIN e;');
    expect(await node.text('CREATE RESOURCE certs;', { domain: 'e' })).toBe(
      "created resource 'certs'",
    );
  });

  test('of one that exists is an error, or already done', async () => {
    const node = await openWithResource();
    expect(await node.refuse('CREATE RESOURCE certs;')).toMatchObject({
      code: 'ALREADY_EXISTS',
      message: "resource 'certs' already exists",
    });
    const outcome = await node.run('CREATE IF NOT EXISTS RESOURCE certs;');
    expect(outcome.message).toBe("resource 'certs' already exists");
    expect(outcome.disposition).toEqual({ t: 'CommandCompleted', already_existed: true });
  });

  test('needs a domain that exists (CP-23)', async () => {
    const node = await openControlNode();
    expect(await node.refuse('CREATE RESOURCE r;', { domain: null })).toMatchObject({
      message: 'no active domain selected',
    });
    expect(await node.refuse('CREATE RESOURCE r;', { domain: 'x' })).toMatchObject({
      message: "domain 'x' does not exist",
    });
  });

  test('succeeds while another command holds the domain (CP-20)', async () => {
    const node = await openWithResource();
    expect(node.context.locks.acquire('d', "transaction 't'")).toBeUndefined();
    expect(await node.text('CREATE RESOURCE models;')).toBe("created resource 'models'");
  });

  test('repeated under its reference answers again', async () => {
    const node = await openWithResource();
    const asked = { execution_reference: node.reference() };
    await node.run('CREATE RESOURCE models;', asked);
    const again = await node.run('CREATE RESOURCE models;', asked);
    expect(again).toMatchObject({ message: "created resource 'models'", origin: 'Recovered' });
  });
});

describe('uploads (CP-123, CL-66, T-10)', () => {
  test('take the next number each', async () => {
    const node = await openWithResource();
    expect(await upload(node, FIRST, { identity: 'a' })).toEqual({
      kind: 'installed',
      value: {
        upload_identity: 'a',
        version: 1,
        origin: 'Executed',
        message: 'uploaded resource version 1',
      },
    });
    expect(textOf(await upload(node, SECOND, { identity: 'b' }))).toContain('version 2');
    // The same content again is another version all the same.
    expect(textOf(await upload(node, FIRST, { identity: 'c' }))).toContain('version 3');
    const opened = await node.context.resources.installed.open('d', 'certs', 2);
    if (opened.kind !== 'installed') throw new Error(opened.reason);
    expect((await opened.readFile('ca.pem'))?.toString()).toBe('second');
    expect(await opened.readFile('ca')).toBeUndefined();
  });

  test('repeated with the same bytes have one outcome, with others a conflict', async () => {
    const node = await openWithResource();
    await upload(node, FIRST);
    expect(textOf(await upload(node, FIRST))).toBe('uploaded resource version 1 Recovered');
    expect(textOf(await upload(node, SECOND))).toBe(
      "DIGEST_CONFLICT upload identity 'first' was already used with another archive",
    );
    // Identities belong to their user and resource.
    expect(textOf(await upload(node, SECOND, { owner: identityOf('bob') }))).toContain(
      'version 2 Executed',
    );
    const next = { ...identityOf('ada'), incarnation: 'another' };
    expect(textOf(await upload(node, SECOND, { owner: next }))).toContain('version 3 Executed');
    await node.run('CREATE RESOURCE other;');
    expect(textOf(await upload(node, SECOND, { resource: 'other' }))).toContain('version 1');
  });

  test('of one archive at once take one number', async () => {
    const node = await openWithResource();
    const replies = await Promise.all([1, 2, 3, 4].map(() => upload(node, FIRST)));
    expect(replies.map(textOf).sort()).toEqual([
      'uploaded resource version 1 Executed',
      ...Array.from({ length: 3 }, () => 'uploaded resource version 1 Recovered'),
    ]);
    const others = ['a', 'b', 'c'].map((identity) => upload(node, SECOND, { identity }));
    expect((await Promise.all(others)).map(textOf).sort()).toEqual(
      [2, 3, 4].map((version) => `uploaded resource version ${version} Executed`),
    );
  });

  test('are refused before their body is read where they cannot be taken', async () => {
    const node = await openWithResource();
    const refuse = async (request: Partial<UploadRequest>): Promise<string> => {
      const body = (async function* (): AsyncGenerator<Uint8Array> {
        yield await Promise.reject(new Error('nobody reads this'));
      })();
      return textOf(await upload(node, FIRST, { body, ...request }));
    };
    expect(await refuse({ domain: 'x' })).toBe("NOT_FOUND domain 'x' does not exist");
    expect(await refuse({ resource: 'x' })).toBe(
      "RESOURCE_NOT_DECLARED resource 'x' does not exist",
    );
    for (const identity of ['', 'a/b', 'ü', 'x'.repeat(129)]) {
      expect(await refuse({ identity })).toMatch(/^INVALID_REQUEST an upload identity is/);
    }
    expect(await refuse({ bytes: 1_048_577 })).toMatch(/^QUOTA_EXCEEDED the archive has 1048577/);
  });

  test('that do not come whole take no number', async () => {
    const node = await openWithResource();
    expect(textOf(await upload(node, FIRST, { bytes: FIRST.length + 1 }))).toMatch(
      /^SIZE_MISMATCH /,
    );
    expect(textOf(await upload(node, Buffer.from('no archive at all')))).toMatch(
      /^INVALID_STREAM this is no tar archive/,
    );
    const reset = Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
    const body = (async function* (): AsyncGenerator<Uint8Array> {
      yield FIRST.subarray(0, 512);
      throw reset;
    })();
    expect(textOf(await upload(node, FIRST, { body }))).toMatch(/^SIZE_MISMATCH /);
    expect(textOf(await upload(node, FIRST))).toBe('uploaded resource version 1 Executed');
  });

  test('say what is in the way when the disk is full', async () => {
    const node = await openWithResource();
    const body = (async function* (): AsyncGenerator<Uint8Array> {
      yield await Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' }));
    })();
    expect(textOf(await upload(node, FIRST, { body }))).toBe(
      'STORAGE_FAILED the disk of this node has no room for the archive',
    );
  });

  test('show in the entities of the domain (CL-69)', async () => {
    const node = await openWithResource();
    await node.run('CREATE SCHEMA s (id I64);');
    await node.run('CREATE RESOURCE empty;');
    await upload(node, FIRST);
    expect(node.plane.entities('d')).toEqual({
      kind: 'found',
      value: {
        entities: [
          { kind: 'resource', name: 'certs', latest_version: 1 },
          { kind: 'resource', name: 'empty' },
          { kind: 'schema', name: 's' },
        ],
      },
    });
  });

  test('log names and numbers, never contents', async () => {
    const node = await openWithResource();
    await upload(node, tarBytes([{ path: 'key.pem', content: 'CANARY-CONTENT' }]));
    await upload(node, Buffer.from('CANARY-ARCHIVE'.repeat(60)), { identity: 'other' });
    const log = node.logLines.join('');
    expect(log).toContain('resource version completed');
    expect(log).not.toContain('CANARY');
  });
});

describe('versions of resources outlive the process (CP-123)', () => {
  test('numbers go on, and identities are known', async () => {
    const directory = path.join(await temporaryFolder(), 'resources');
    const node = await openWithResource({ resources: { directory } });
    await upload(node, FIRST);
    const next = await node.restart({ resources: { directory } });
    expect(textOf(await upload(next, FIRST))).toBe('uploaded resource version 1 Recovered');
    expect(textOf(await upload(next, SECOND, { identity: 'b' }))).toContain('version 2 Executed');
    const opened = await next.context.resources.installed.open('d', 'certs', 1);
    expect(opened.kind).toBe('installed');
  });

  test.each([
    ['before it is durable', false],
    ['right after it', true],
  ])('the process may end at any write, %s', async (_when, isDurable) => {
    for (const write of [1, 2]) {
      const directory = path.join(await temporaryFolder(), 'resources');
      const point = new CrashPoint();
      const node = await openWithResource({
        resources: { directory },
        intercept: point.intercept,
      });
      point.arm(write, isDurable);
      expect(textOf(await upload(node, FIRST))).toMatch(/^OUTCOME_UNKNOWN /);
      expect(point.isReached).toBe(true);
      const next = await node.restart({ resources: { directory } });
      await next.context.resources.idle();
      const isAdmitted = write > 1 || isDurable;
      const versions = next.state.resources.versions('d', 'certs');
      expect(versions.map(({ state }) => state)).toEqual(isAdmitted ? ['completed'] : []);
      // What was admitted is kept, what was not is gone; either way the repetition settles it.
      const objects = await pathsBelow(path.join(directory, 'objects'));
      expect(objects.length > 0).toBe(isAdmitted);
      expect(textOf(await upload(next, FIRST))).toBe(
        `uploaded resource version 1 ${isAdmitted ? 'Recovered' : 'Executed'}`,
      );
      expect(await pathsBelow(path.join(directory, 'staging'))).toEqual([]);
    }
  });

  test('a published version whose content is lost fails for good', async () => {
    const directory = path.join(await temporaryFolder(), 'resources');
    const point = new CrashPoint();
    const node = await openWithResource({ resources: { directory }, intercept: point.intercept });
    point.arm(1, true);
    await upload(node, FIRST);
    await rm(path.join(directory, 'objects'), { recursive: true });
    const next = await node.restart({ resources: { directory } });
    await next.context.resources.idle();
    expect(next.state.resources.version('d', 'certs', 1)?.state).toBe('failed');
    const reply = await upload(next, FIRST);
    expect(textOf(reply)).toBe(
      "INSTALLATION_FAILED resource 'certs@1' could not be installed on node 'n1': " +
        'the manifest cannot be read (ENOENT)',
    );
    expect(reply).toMatchObject({ error: { assigned_version: 1 } });
    // Its number is never given again.
    expect(textOf(await upload(next, FIRST, { identity: 'b' }))).toContain('version 2 Executed');
  });

  test('contents go with their domain (CP-141)', async () => {
    const directory = path.join(await temporaryFolder(), 'resources');
    const node = await openWithResource({ resources: { directory } });
    await upload(node, FIRST);
    expect(await node.refuse('DROP DOMAIN d;')).toMatchObject({
      code: 'IN_USE',
      message: "domain 'd' still has 1 resource version(s); use CASCADE",
    });
    await node.run('DROP DOMAIN d CASCADE;');
    await node.context.resources.collect();
    expect(await pathsBelow(directory)).toEqual(['objects', 'staging']);
    await node.run('CREATE DOMAIN d;');
    expect(textOf(await upload(node, FIRST))).toMatch(/^RESOURCE_NOT_DECLARED/);
    await node.run('CREATE RESOURCE certs;');
    expect(textOf(await upload(node, SECOND))).toBe('uploaded resource version 1 Executed');
  });
});
