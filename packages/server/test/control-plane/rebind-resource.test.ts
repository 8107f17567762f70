import path from 'node:path';
import { TEST_CERTIFICATES } from '@nervix/testkit';
import { describe, expect, test } from 'vitest';
import {
  type ControlNode,
  type ControlNodeSetup,
  openControlNode,
} from '../support/control-node.ts';
import { CrashPoint } from '../support/crash-point.ts';
import { temporaryFolder } from '../support/resources/open-store.ts';
import { inPieces, tarBytes } from '../support/resources/tar-bytes.ts';
import { identityOf } from '../support/users.ts';

async function upload(node: ControlNode, content: string, resource = 'certs'): Promise<void> {
  const bytes = tarBytes([{ path: 'ca.pem', content }]);
  const request = { owner: identityOf('ada'), domain: 'd', resource, identity: content };
  const body = inPieces(bytes, 900);
  const reply = await node.plane.upload({ ...request, bytes: bytes.length, body });
  expect(reply.kind).toBe('installed');
}

const client = (name: string, version: string | number): string =>
  `CREATE CLIENT ${name} TYPE HTTP MOUNT certs VERSION ${version} ` +
  "CONFIG { 'endpoint' = 'https://h', 'timeout_ms' = '5' };";

const EMITTER =
  "CREATE EMITTER e FROM r TO HTTP a METHOD 'POST' PATH '/' " +
  'MODE ACK RETRY POLICY BACKOFF 1s MAX 2s WITHOUT BODY ' +
  'FLUSH IMMEDIATE ON MESSAGE ERROR LOG ON GENERAL ERROR LOG;';

/** A node whose domain `d` has two versions of `certs`. */
async function openVersioned(setup: ControlNodeSetup = {}): Promise<ControlNode> {
  const directory = path.join(await temporaryFolder(), 'resources');
  const node = await openControlNode({ resources: { directory }, ...setup });
  await node.run('CREATE DOMAIN d;');
  await node.run('CREATE RESOURCE certs;');
  await upload(node, 'first');
  await upload(node, 'second');
  return node;
}

describe('bindings of versions (CP-124, CN-24)', () => {
  test('store the number that LATEST stands for', async () => {
    const node = await openVersioned();
    expect(await node.text(client('a', 'LATEST'))).toBe(
      'quiesce level: DYNAMIC; planned relocations: 0; ' +
        "resolved VERSION LATEST of resource 'certs' to version 2 for client 'a'",
    );
    await upload(node, 'third');
    expect(await node.text('SHOW CREATE CLIENT a;')).toContain('MOUNT certs VERSION 2');
    expect(await node.text(client('b', 1))).toBe('quiesce level: DYNAMIC; planned relocations: 0');
  });

  test('are refused where the version is not complete', async () => {
    const node = await openVersioned();
    expect(await node.refuse(client('a', 7))).toMatchObject({
      code: 'NOT_FOUND',
      message: "resource 'certs@7' is not a completed version in domain 'd'",
    });
    await node.run('CREATE RESOURCE empty;');
    expect(await node.refuse(client('a', 'LATEST').replace('certs', 'empty'))).toMatchObject({
      message: "resource 'empty' has no completed versions in domain 'd'",
    });
    expect(await node.refuse(client('a', 1).replace('certs', 'other'))).toMatchObject({
      message: "resource 'other@1' does not exist in domain 'd'",
    });
  });

  test('of kinds that this release does not run are judged all the same', async () => {
    const node = await openVersioned();
    const hashMap = (version: number) =>
      `CREATE HASH MAP m KEY id FROM RESOURCE certs VERSION ${version} PATH 'x' DECODE USING c;`;
    const refused = await node.refuse(hashMap(9));
    expect(JSON.stringify(refused.diagnostics)).toContain("resource 'certs@9' is not a completed");
    await node.run('CREATE SCHEMA s (id I64);');
    await node.run('CREATE WIRE JSON SCHEMA w MODE STRICT (id INTEGER);');
    await node.run('CREATE CODEC c FROM WIRE JSON SCHEMA w TO SCHEMA s;');
    expect(await node.refuse(hashMap(1))).toMatchObject({ code: 'UNSUPPORTED_CAPABILITY' });
  });

  test('are told by DESCRIBE RESOURCE (TX-24, TX-25)', async () => {
    const node = await openVersioned();
    await node.run(client('b', 1));
    await node.run(client('a', 2));
    expect(await node.text('DESCRIBE RESOURCE certs;')).toMatch(
      /\nusages:\n- kind=client name=a version=2\n- kind=client name=b version=1$/,
    );
    expect(await node.text('DESCRIBE RESOURCE certs VERSION 1;')).toMatch(
      /\nusages:\n- kind=client name=b version=1$/,
    );
  });
});

describe('REBIND RESOURCE (CP-125, T-10)', () => {
  test('moves every model that binds the resource', async () => {
    const node = await openVersioned();
    await node.run(client('b', 1));
    await node.run(client('a', 2));
    expect(await node.text('REBIND RESOURCE certs TO VERSION LATEST;')).toBe(
      [
        "rebound 1 of 2 usage(s) of resource 'certs' to version 2 (latest)",
        'quiesce level: DYNAMIC',
        "resolved VERSION LATEST of resource 'certs' to version 2 for client 'a'",
        "resolved VERSION LATEST of resource 'certs' to version 2 for client 'b'",
        '- kind=client name=a from=2 to=2 unchanged',
        '- kind=client name=b from=1 to=2',
      ].join('\n'),
    );
    expect(await node.text('SHOW CREATE CLIENT b;')).toContain('MOUNT certs VERSION 2');
  });

  test('moves those that are named, back too', async () => {
    const node = await openVersioned();
    await node.run(client('a', 2));
    await node.run(client('b', 2));
    expect(await node.text('REBIND RESOURCE certs TO VERSION 1 FOR CLIENT b;')).toBe(
      [
        "rebound 1 of 1 usage(s) of resource 'certs' to version 1",
        'quiesce level: DYNAMIC',
        '- kind=client name=b from=2 to=1',
      ].join('\n'),
    );
    expect(await node.text('SHOW CREATE CLIENT a;')).toContain('VERSION 2');
  });

  test('without a change writes nothing and succeeds', async () => {
    const node = await openVersioned();
    const before = node.state.revisionOf('domain/d');
    expect(await node.text('REBIND RESOURCE certs TO VERSION 1;')).toBe(
      "rebound 0 of 0 usage(s) of resource 'certs' to version 1\nquiesce level: DYNAMIC",
    );
    expect(node.state.revisionOf('domain/d')).toBe(before);
  });

  test.each([
    ['other TO VERSION 1', "resource 'other' does not exist"],
    ['certs TO VERSION 5', "resource 'certs@5' is not a completed version in domain 'd'"],
    ['certs TO VERSION 1 FOR CLIENT x', "CLIENT 'x' does not exist in domain 'd'"],
    ['certs TO VERSION 1 FOR CLIENT plain', "CLIENT 'plain' does not bind resource 'certs'"],
  ])('of %s is refused', async (rest, message) => {
    const node = await openVersioned();
    await node.run(client('a', 2));
    await node.run(
      "CREATE CLIENT plain TYPE HTTP CONFIG { 'endpoint' = 'http://h', 'timeout_ms' = '5' };",
    );
    expect(await node.refuse(`REBIND RESOURCE ${rest};`)).toMatchObject({ message });
    expect(await node.text('SHOW CREATE CLIENT a;')).toContain('VERSION 2');
  });

  test.each([
    [1, false],
    [2, false],
    [2, true],
    [3, false],
    [3, true],
  ])(
    'CP-16, CP-144: tells the same behind a stop at its write %i, durable: %s',
    async (write, isDurable) => {
      const point = new CrashPoint();
      const directory = path.join(await temporaryFolder(), 'resources');
      const resources = { directory };
      const node = await openVersioned({ intercept: point.intercept, resources });
      await node.run('CREATE SCHEMA s (id I64);');
      await node.run('CREATE RELAY r SCHEMA s UNBRANCHED;');
      await node.run(client('a', 1));
      await node.run(EMITTER);
      await node.run('START;');
      const execution_reference = node.reference();
      const rebind = 'REBIND RESOURCE certs TO VERSION LATEST;';
      point.arm(write, isDurable);
      await node.execute(rebind, { execution_reference });
      expect(point.isReached).toBe(true);
      const incarnation = { admitted: 'i2', observed: 'i2' };
      const restarted = await node.restart({ resources, incarnation });
      expect(await restarted.text(rebind, { execution_reference })).toBe(
        [
          "rebound 1 of 1 usage(s) of resource 'certs' to version 2 (latest)",
          'quiesce level: DOMAIN_PAUSE',
          "resolved VERSION LATEST of resource 'certs' to version 2 for client 'a'",
          '- kind=client name=a from=1 to=2',
        ].join('\n'),
      );
      expect(await restarted.text('SHOW CREATE CLIENT a;')).toContain('VERSION 2');
      expect([restarted.state.leases(), restarted.state.executions()]).toEqual([[], []]);
    },
  );

  test('in a running domain holds it while the client is replaced', async () => {
    const node = await openVersioned();
    await node.run('CREATE SCHEMA s (id I64);');
    await node.run('CREATE RELAY r SCHEMA s UNBRANCHED;');
    await node.run(client('a', 1));
    await node.run(EMITTER);
    await node.run('START;');
    expect(await node.text('REBIND RESOURCE certs TO VERSION 2;')).toContain(
      'quiesce level: DOMAIN_PAUSE\n- kind=client name=a from=1 to=2',
    );
  });
});

describe('files that a client mounts (CN-24, TX-58)', () => {
  test('keep a domain from starting where they are missing, and let it start once they are there', async () => {
    const node = await openVersioned();
    await node.run('CREATE SCHEMA s (id I64);');
    await node.run('CREATE RELAY r SCHEMA s UNBRANCHED;');
    await node.run(client('a', 1).replace(' };', ", 'tls_ca_file' = '{{ certs }}/none.pem' };"));
    await node.run(EMITTER);
    expect(await node.refuse('START;')).toMatchObject({
      code: 'ACTIVATION_FAILED',
      message:
        "failed to start domain 'd': failed to mount client resource 'certs' at 'none.pem': " +
        'the version has no such file',
    });
    expect(await node.text('DESCRIBE DOMAIN;')).toContain('status: stopped');
    const bytes = tarBytes([{ path: 'none.pem', content: TEST_CERTIFICATES.authority }]);
    const request = { owner: identityOf('ada'), domain: 'd', resource: 'certs', identity: 'whole' };
    const body = inPieces(bytes, 900);
    await node.plane.upload({ ...request, bytes: bytes.length, body });
    await node.run('REBIND RESOURCE certs TO VERSION LATEST;');
    expect(await node.text('START;')).toBe("starting domain 'd'");
  });
});

describe('resources in a transaction (CP-51, CP-56)', () => {
  test('are declared with it', async () => {
    const node = await openVersioned();
    const transaction = await node.begin();
    const asked = { transaction };
    expect(await node.text('CREATE RESOURCE models;', asked)).toBe('quiesce level: DYNAMIC');
    expect(await node.text('CREATE IF NOT EXISTS RESOURCE certs;', asked)).toBe(
      "resource 'certs' already exists; quiesce level: DYNAMIC",
    );
    expect((await node.refuse('CREATE RESOURCE models;', asked)).message).toContain(
      "resource 'models' already exists",
    );
    expect(node.state.resources.resource('d', 'models')).toBeUndefined();
    await node.run('COMMIT;', asked);
    expect(node.state.resources.resource('d', 'models')).toMatchObject({ nextVersion: 1 });
    await upload(node, 'model', 'models');
  });

  test('are bound provisionally until the commit', async () => {
    const node = await openVersioned();
    const transaction = await node.begin();
    const asked = { transaction };
    expect(await node.text(client('a', 'LATEST'), asked)).toBe(
      'quiesce level: DYNAMIC; ' +
        "provisionally resolved VERSION LATEST of resource 'certs' to version 2 for client 'a'",
    );
    expect(await node.text('REBIND RESOURCE certs TO VERSION LATEST;', asked)).toBe(
      [
        "rebound 0 of 1 usage(s) of resource 'certs' to version 2 (latest)",
        'quiesce level: DYNAMIC',
        "provisionally resolved VERSION LATEST of resource 'certs' to version 2 for client 'a'",
        '- kind=client name=a from=2 to=2 unchanged',
      ].join('\n'),
    );
    expect(await node.text('COMMIT;', asked)).toContain(
      "resolved VERSION LATEST of resource 'certs' to version 2 for client 'a'",
    );
    expect(await node.text('SHOW CREATE CLIENT a;')).toContain('VERSION 2');
  });

  test('a version completed meanwhile makes the preview stale (CP-100, CP-124)', async () => {
    const node = await openVersioned();
    const transaction = await node.begin();
    await node.run(client('a', 'LATEST'), { transaction });
    await upload(node, 'third');
    expect(await node.refuse('COMMIT;', { transaction })).toMatchObject({ code: 'PREVIEW_STALE' });
    await node.run('COMMIT;', { transaction });
    expect(await node.text('SHOW CREATE CLIENT a;')).toContain('VERSION 3');
  });
});
