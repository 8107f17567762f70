import path from 'node:path';
import { runtimeError } from '@nervix/runtime';
import { TestAuthority, type TestCredentials } from '@nervix/testkit';
import { describe, expect, test } from 'vitest';
import {
  type ControlNode,
  type ControlNodeSetup,
  openControlNode,
} from '../support/control-node.ts';
import { CrashPoint } from '../support/crash-point.ts';
import { FakeDataPlane } from '../support/fake-data-plane.ts';
import { temporaryFolder } from '../support/resources/open-store.ts';
import { inPieces, tarBytes } from '../support/resources/tar-bytes.ts';
import { identityOf } from '../support/users.ts';

const authority = new TestAuthority();
const [FIRST, SECOND] = [1, 2].map(() => authority.leaf({ names: ['shop.test'] })) as [
  TestCredentials,
  TestCredentials,
];

const VHOST = 'CREATE VHOST web Shop.test WITH TLS certs VERSION';
const REBIND = 'REBIND RESOURCE certs TO VERSION 2;';
const REFUSED =
  "failed to install the HTTPS listener TLS configuration on node 'n1': " +
  "vhost 'web' cannot be served over TLS: not today";

type Files = Readonly<Record<string, string | undefined>>;

function bundle({ ca, cert, key }: TestCredentials): Files {
  return { 'tls.crt': cert, 'tls.key': key, 'ca.crt': ca };
}

async function upload(node: ControlNode, files: Files): Promise<void> {
  const entries = Object.entries(files).flatMap(([name, content]) =>
    content === undefined ? [] : [{ path: name, content }],
  );
  const bytes = tarBytes(entries);
  const request = {
    owner: identityOf('ada'),
    domain: 'd',
    resource: 'certs',
    identity: node.reference(),
  };
  const reply = await node.plane.upload({
    ...request,
    bytes: bytes.length,
    body: inPieces(bytes, 900),
  });
  expect(reply.kind).toBe('installed');
}

/** A node whose domain `d` has two bundles as versions of `certs`. */
async function openBundled(setup: ControlNodeSetup = {}): Promise<ControlNode> {
  const directory = path.join(await temporaryFolder(), 'resources');
  const node = await openControlNode({ resources: { directory }, ...setup });
  await node.run('CREATE DOMAIN d;');
  await node.run('CREATE SCHEMA s (id I64);');
  await node.run('CREATE RELAY r SCHEMA s UNBRANCHED;');
  await node.run('CREATE RESOURCE certs;');
  await upload(node, bundle(FIRST));
  await upload(node, bundle(SECOND));
  return node;
}

/** Refuses to serve with the second bundle, as often as it is asked to. */
function picky(): FakeDataPlane {
  const dataPlane = new FakeDataPlane();
  dataPlane.onServe = (hosts) =>
    hosts.some(({ certificate }) => certificate === SECOND.cert)
      ? runtimeError('RUNTIME_SECURE_HOST_REFUSED', { vhost: 'web', problem: 'not today' })
      : undefined;
  return dataPlane;
}

const served = ({ dataPlane }: ControlNode): readonly string[] =>
  (dataPlane.served.get('d') ?? []).map(({ certificate }) => certificate);

describe('a bundle that cannot be used (CP-31, CN-137)', () => {
  const other = authority.leaf({ names: ['shop.test'] });
  const whole = bundle(FIRST);
  test.each<[string, Files, string]>([
    ['no certificate', { ...whole, 'tls.crt': undefined }, "the version has no file 'tls.crt'"],
    ['no key', { ...whole, 'tls.key': undefined }, "the version has no file 'tls.key'"],
    ['no authority', { ...whole, 'ca.crt': undefined }, "the version has no file 'ca.crt'"],
    ['files elsewhere', { 'deep/tls.crt': FIRST.cert }, "the version has no file 'tls.crt'"],
    [
      'a certificate that is none',
      { ...whole, 'tls.crt': 'CANARY' },
      "'tls.crt' holds no certificates that can be read",
    ],
    [
      'an authority that is none',
      { ...whole, 'ca.crt': FIRST.cert.replace('M', '!') },
      "'ca.crt' holds no certificates that can be read",
    ],
    ['a key that is none', { ...whole, 'tls.key': 'CANARY' }, 'the key cannot be read'],
    [
      'the key of another',
      { ...whole, 'tls.key': other.key },
      'the key does not belong to the certificate',
    ],
  ])('is refused before anything is written: %s', async (_what, files, cause) => {
    const node = await openBundled();
    await upload(node, files);
    const message = `invalid TLS resource for VHOST 'web': ${cause}`;
    expect((await node.refuse(`${VHOST} 3;`)).message).toContain(message);
    expect(node.state.models('d').has('vhost/web')).toBe(false);
    const transaction = await node.begin();
    expect((await node.refuse(`${VHOST} 3;`, { transaction })).message).toContain(message);
    await node.run(`${VHOST} 1;`);
    const refused = await node.refuse('REBIND RESOURCE certs TO VERSION LATEST;');
    expect(refused.message).toContain(message);
    expect(served(node)).toEqual([FIRST.cert]);
    expect(node.logLines.join()).not.toContain('CANARY');
  });
});

describe.each([false, true])('virtual hosts with TLS of a domain that runs: %s', (isRunning) => {
  async function open(setup: ControlNodeSetup = {}): Promise<ControlNode> {
    const node = await openBundled(setup);
    if (isRunning) await node.run('START;');
    return node;
  }

  test('CP-103, CN-138: are served when the command returns, and move without a pause', async () => {
    const node = await open();
    expect(await node.text(`${VHOST} 1;`)).toContain('quiesce level: DYNAMIC');
    expect(node.dataPlane.served.get('d')).toEqual([
      { name: 'web', hostnames: ['shop.test'], certificate: FIRST.cert, key: FIRST.key },
    ]);
    expect(await node.text(REBIND)).toBe(
      [
        "rebound 1 of 1 usage(s) of resource 'certs' to version 2",
        'quiesce level: DYNAMIC',
        '- kind=vhost name=web from=1 to=2',
      ].join('\n'),
    );
    expect(served(node)).toEqual([SECOND.cert]);
    expect(node.dataPlane.admissions.every((admitted) => admitted?.level !== 'DOMAIN_PAUSE')).toBe(
      true,
    );
    await node.run('DROP VHOST web;');
    expect(served(node)).toEqual([]);
  });

  test('CN-138: a new version alone changes nothing', async () => {
    const node = await open();
    await node.run(`${VHOST} 1;`);
    let asked = 0;
    node.dataPlane.onServe = () => {
      asked += 1;
      return undefined;
    };
    await upload(node, bundle(authority.leaf({ names: ['shop.test'] })));
    await node.run('CREATE VHOST plain other.test;');
    expect([asked, served(node)]).toEqual([0, [FIRST.cert]]);
  });

  test('CN-138: outlast STOP and a restart, and end with the domain', async () => {
    const directory = path.join(await temporaryFolder(), 'resources');
    const node = await open({ resources: { directory } });
    await node.run(`${VHOST} 1;`);
    if (isRunning) await node.run('STOP;');
    expect(served(node)).toEqual([FIRST.cert]);
    const restarted = await node.restart({ resources: { directory } });
    expect(served(restarted)).toEqual([FIRST.cert]);
    await restarted.run('DROP VHOST web;');
    await restarted.run(`${VHOST} 1;`);
    await restarted.run('DROP DOMAIN d CASCADE;', { domain: null });
    expect(served(restarted)).toEqual([]);
  });

  test('CP-103, CP-104: a statement that listeners refuse is rolled back', async () => {
    const node = await open({ dataPlane: picky() });
    expect((await node.refuse(`${VHOST} 2;`)).message).toBe(
      "committed models and schedule for domain 'd', but the destination failed to activate: " +
        `${REFUSED}; the model batch was rolled back`,
    );
    expect(node.state.models('d').has('vhost/web')).toBe(false);
    await node.run(`${VHOST} 1;`);
    expect((await node.refuse(REBIND)).message).toContain(`${REFUSED}; the model batch was rolled`);
    expect(await node.text('SHOW CREATE VHOST web;')).toContain('VERSION 1');
    expect(served(node)).toEqual([FIRST.cert]);
    expect(node.context.activation.failureOf('d')).toBeUndefined();
    node.dataPlane.onServe = () => undefined;
    await node.run(REBIND);
    expect(served(node)).toEqual([SECOND.cert]);
  });

  test('CP-103: a port that is taken is told, and rolled back', async () => {
    const node = await open();
    const reason = 'listen EADDRINUSE';
    node.dataPlane.onServe = (hosts) =>
      hosts.length === 0
        ? undefined
        : runtimeError('RUNTIME_LISTEN_FAILED', { host: '127.0.0.1', port: 8443, reason });
    expect((await node.refuse(`${VHOST} 1;`)).message).toContain(
      "TLS configuration on node 'n1': data listener cannot be opened at 127.0.0.1:8443: " +
        'listen EADDRINUSE; the model batch was rolled back',
    );
    expect(node.state.models('d').has('vhost/web')).toBe(false);
  });

  test.each([1, 2, 3, 4])(
    'CP-103: a commit is rolled back in its failure record, behind a stop at its write %i too',
    async (write) => {
      const point = new CrashPoint();
      const directory = path.join(await temporaryFolder(), 'resources');
      const resources = { directory };
      const setup = { dataPlane: picky(), intercept: point.intercept, resources };
      let node = await open(setup);
      await node.run(`${VHOST} 1;`);
      const transaction = await node.begin();
      await node.run(REBIND, { transaction });
      const asked = { transaction, execution_reference: node.reference() };
      point.arm(write, true);
      await node.execute('COMMIT;', asked);
      if (point.isReached) node = await node.restart({ dataPlane: picky(), resources });
      const error = await node.refuse('COMMIT;', asked);
      expect(error.message).toContain(
        `transaction '${transaction}' committed the effect beginning at statement 1, but it failed ` +
          `to become usable: ${REFUSED}; the model batch was rolled back`,
      );
      expect(error.transaction).toMatchObject({ state: 'Failed', applied_operations: 0 });
      expect(await node.text('SHOW CREATE VHOST web;')).toContain('VERSION 1');
      expect(served(node)).toEqual([FIRST.cert]);
      expect(node.context.activation.failureOf('d')).toBeUndefined();
      expect([node.state.leases(), node.state.executions()]).toEqual([[], []]);
    },
  );

  test.each([1, 2, 3])(
    'CP-16: a statement is rolled back behind a stop at its write %i',
    async (write) => {
      const point = new CrashPoint();
      const directory = path.join(await temporaryFolder(), 'resources');
      const resources = { directory };
      let node = await open({ dataPlane: picky(), intercept: point.intercept, resources });
      await node.run(`${VHOST} 1;`);
      const execution_reference = node.reference();
      point.arm(write, true);
      await node.execute(REBIND, { execution_reference });
      if (point.isReached) node = await node.restart({ dataPlane: picky(), resources });
      const error = await node.refuse(REBIND, { execution_reference });
      expect(error.message).toContain(`${REFUSED}; the model batch was rolled back`);
      expect(await node.text('SHOW CREATE VHOST web;')).toContain('VERSION 1');
      expect(served(node)).toEqual([FIRST.cert]);
    },
  );
});

describe('a domain whose hosts cannot be served behind a restart', () => {
  test('comes up as soon as they can, and stops at once all the same', async () => {
    const directory = path.join(await temporaryFolder(), 'resources');
    const resources = { directory };
    const node = await openBundled({ resources });
    await node.run(`${VHOST} 2;`);
    await node.run('START;');
    const restarted = await node.restart({ resources, dataPlane: picky() });
    expect(restarted.context.activation.failureOf('d')).toBe(REFUSED);
    expect(restarted.dataPlane.plans.has('d')).toBe(false);
    expect(restarted.logLines.join()).toContain('domain did not resume');
    await restarted.run('STOP;');
    expect((await restarted.refuse('START;')).message).toBe(
      `failed to start domain 'd': ${REFUSED}`,
    );
    restarted.dataPlane.onServe = () => undefined;
    await restarted.run('START;');
    expect(served(restarted)).toEqual([SECOND.cert]);
    expect(restarted.dataPlane.plans.has('d')).toBe(true);
  });
});
