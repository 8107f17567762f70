import { RaftError } from '@nervix/consensus';
import { modelKey } from '@nervix/model';
import { describe, expect, test } from 'vitest';
import { type ControlNode, openControlNode, openWithRelay } from '../support/control-node.ts';

const Q = 'CREATE RELAY q SCHEMA s UNBRANCHED CAPACITY 8;';

/** Names of the relays that are stored, sorted: what should run. */
function storedRelays(node: ControlNode): readonly string[] {
  return [...node.state.models('d').values()]
    .filter(({ kind }) => kind === 'relay')
    .map(({ name }) => name)
    .sort();
}

/** Refuses every plan that holds the relay. */
function refusePlansWith(node: ControlNode, relay: string): void {
  node.dataPlane.onInstall = (plan) =>
    plan.relays.some(({ name }) => name === relay) ? 'no memory' : undefined;
}

const FAULT = "plan of domain 'd' cannot be installed: no memory";

describe('domains and users', () => {
  test('CP-22, CP-28: a new domain is stopped and of generation 0', async () => {
    const node = await openControlNode();
    expect(await node.text('CREATE DOMAIN Orders;')).toBe("created domain 'orders'");
    expect(node.plane.domains()).toEqual([
      { domain: 'orders', status: 'Stopped', pace: { t: 'Unpaced' }, generation: 0 },
    ]);
    const error = await node.refuse('CREATE DOMAIN orders;');
    expect([error.code, error.message]).toEqual([
      'ALREADY_EXISTS',
      "domain 'orders' already exists",
    ]);
  });

  test('CP-22: of two that arrive together one is created', async () => {
    const node = await openControlNode();
    const replies = await Promise.all([1, 2].map(() => node.execute('CREATE DOMAIN d;')));
    expect(replies.map(({ kind }) => kind).sort()).toEqual(['completed', 'failed']);
  });

  test('CP-27: the password is stored as a hash and an existing one stays', async () => {
    const node = await openControlNode();
    const text = await node.text("CREATE USER Bob WITH PASSWORD 'secret';");
    expect(text).toBe("created user 'bob'");
    expect(node.plane.user('bob')?.passwordHash).toBe('hash of secret');
    const again = await node.run("CREATE IF NOT EXISTS USER bob WITH PASSWORD 'other';");
    expect(again.message).toBe("user 'bob' already exists");
    const error = await node.refuse("CREATE USER bob WITH PASSWORD 'other';");
    expect(error.code).toBe('ALREADY_EXISTS');
    const restarted = await node.restart();
    expect(restarted.plane.user('bob')?.passwordHash).toBe('hash of secret');
    expect(restarted.logLines.join('')).not.toMatch(/secret|other/);
  });

  test.each([['CREATE PACED DOMAIN p PERIOD 1s SKEW 0s;', 'p']])(
    'a capability that is missing is said: %s',
    async (statement, name) => {
      const node = await openControlNode();
      const reply = await node.execute(statement);
      expect(reply.kind).toBe('failed');
      if (reply.kind === 'failed') {
        expect(['UNSUPPORTED_CAPABILITY', 'PARSE_FAILED']).toContain(reply.error.code);
      }
      expect(node.state.domain(name)).toBeUndefined();
    },
  );
});

describe('lifecycle', () => {
  test('CP-24, CP-25: START and STOP, and their refusals', async () => {
    const node = await openWithRelay();
    expect((await node.refuse('STOP;')).message).toBe("domain 'd' is already stopped");
    expect(await node.text('START;')).toBe("starting domain 'd'");
    expect(node.state.domain('d')).toMatchObject({ status: 'running', generation: 1 });
    expect(node.dataPlane.relaysOf('d')).toEqual(['r']);
    expect((await node.refuse('START;')).message).toBe("domain 'd' is already running");
    expect(await node.text('STOP;')).toBe("stopped domain 'd'");
    expect(node.dataPlane.plans.has('d')).toBe(false);
    await node.run('START;');
    expect(node.state.domain('d')).toMatchObject({ status: 'running', generation: 2 });
  });

  test('CP-24: a START that fails to activate leaves the domain stopped', async () => {
    const node = await openWithRelay();
    refusePlansWith(node, 'r');
    const execution_reference = node.reference();
    const error = await node.refuse('START;', { execution_reference });
    expect([error.code, error.message]).toEqual([
      'ACTIVATION_FAILED',
      `failed to start domain 'd': ${FAULT}`,
    ]);
    expect(node.state.domain('d')?.status).toBe('stopped');
    expect(node.dataPlane.plans.size).toBe(0);
    expect([node.state.leases(), node.state.executions()]).toEqual([[], []]);
    expect(await node.refuse('START;', { execution_reference }), 'CP-12').toEqual(error);
    node.dataPlane.onInstall = () => undefined;
    await node.run('START;');
    expect(node.dataPlane.relaysOf('d')).toEqual(['r']);
  });

  test('CP-24: a START that can neither be brought up nor taken back says both', async () => {
    const node = await openWithRelay();
    refusePlansWith(node, 'r');
    node.dataPlane.stopDomain = () => Promise.reject(new Error('it hangs'));
    const error = await node.refuse('START;');
    expect(error.message).toBe(
      `failed to start domain 'd': ${FAULT}; the domain may still be running because it hangs`,
    );
    expect(node.state.domain('d')).toMatchObject({ status: 'stopped', generation: 1 });
    expect([node.state.leases(), node.state.executions()]).toEqual([[], []]);
  });

  test('CP-2: a running domain runs again after a crash, a stopped one does not', async () => {
    const node = await openWithRelay();
    await node.run('CREATE DOMAIN e;');
    await node.run('START;');
    const restarted = await node.restart();
    expect([...restarted.dataPlane.plans.keys()]).toEqual(['d']);
    expect(restarted.dataPlane.relaysOf('d')).toEqual(['r']);
    expect(restarted.state.domain('d')?.generation).toBe(1);
  });

  test('a domain that cannot be resumed does not keep others or the node from running', async () => {
    const node = await openWithRelay();
    await node.run('START;');
    await node.run('CREATE DOMAIN e;');
    await node.run('START;', { domain: 'e' });
    const { dataPlane } = await openControlNode();
    dataPlane.onInstall = ({ domain }) => (domain === 'd' ? 'no memory' : undefined);
    const restarted = await node.restart({ dataPlane });
    expect([...dataPlane.plans.keys()]).toEqual(['e']);
    expect(restarted.context.activation.failureOf('d')).toBe(FAULT);
    expect(restarted.logLines.join('')).toContain('domain did not resume');
    const graph = await restarted.plane.graph('d');
    expect(graph).toMatchObject({ value: { nodes: [{ status: 'ERROR', status_detail: FAULT }] } });
    // Stopping and starting is the way out.
    await restarted.run('STOP;');
    dataPlane.onInstall = () => undefined;
    await restarted.run('START;');
    expect(restarted.context.activation.failureOf('d')).toBeUndefined();
  });
});

describe('model changes', () => {
  test('T-4, T-6, T-7: the texts of a stopped domain', async () => {
    const node = await openWithRelay();
    const none = 'quiesce level: DYNAMIC; planned relocations: 0';
    expect(await node.text(Q)).toBe(none);
    expect(await node.text('CREATE IF NOT EXISTS RELAY q SCHEMA s UNBRANCHED CAPACITY 1;')).toBe(
      "model 'q' already exists in domain 'd'",
    );
    expect(await node.text('DROP RELAY q;')).toBe(`dropped model 'q' from domain 'd'; ${none}`);
    expect(node.dataPlane.offered).toEqual([]);
  });

  test('CP-30: a running domain runs what is stored after every change', async () => {
    const node = await openWithRelay();
    await node.run('START;');
    const revisions = [node.dataPlane.plans.get('d')?.revision ?? 0];
    for (const [statement, level] of [
      [Q, 'DOMAIN_PAUSE'],
      ['CREATE SCHEMA other (a BOOL);', 'DYNAMIC'],
      ['DROP RELAY r;', 'DOMAIN_PAUSE'],
    ] as const) {
      expect(await node.text(statement)).toContain(`quiesce level: ${level}`);
      expect(node.dataPlane.relaysOf('d')).toEqual(storedRelays(node));
      revisions.push(node.dataPlane.plans.get('d')?.revision ?? 0);
    }
    expect([...revisions].sort((a, b) => a - b)).toEqual(revisions);
    expect(new Set(revisions).size).toBe(revisions.length);
  });

  test('CP-34, CP-35: what changes nothing installs nothing', async () => {
    const node = await openWithRelay();
    await node.run('START;');
    const offered = node.dataPlane.offered.length;
    const revision = node.state.revisionOf('domain/d');
    await node.run('CREATE IF NOT EXISTS RELAY r SCHEMA s UNBRANCHED CAPACITY 99;');
    expect(node.dataPlane.offered).toHaveLength(offered);
    expect(node.state.revisionOf('domain/d')).toBe(revision);
  });

  test('CP-35: what changes nothing tells that the models that are there are not usable', async () => {
    const node = await openWithRelay();
    await node.run('START;');
    refusePlansWith(node, 'q');
    const relay = node.state.models('d').get('relay/r');
    const domain = node.state.domain('d');
    if (relay?.kind !== 'relay' || domain === undefined) throw new Error('the relay was created');
    const model = { ...relay, name: 'q' };
    const entry = { kind: 'relay', name: 'q', nodes: ['n1'] } as const;
    await node.context.log.write({
      put: [
        domain,
        { kind: 'model', domain: 'd', model },
        { kind: 'assignment', domain: 'd', entry },
      ],
    });
    await node.context.effects.settled();
    const nothing = 'CREATE IF NOT EXISTS SCHEMA s (id I64);';
    const execution_reference = node.reference();
    const error = await node.refuse(nothing, { execution_reference });
    expect([error.code, error.message]).toEqual([
      'ACTIVATION_FAILED',
      `the existing models in domain 'd' are not usable everywhere: ${FAULT}`,
    ]);
    expect(node.dataPlane.relaysOf('d'), 'what ran goes on').toEqual(['r']);
    node.dataPlane.onInstall = () => undefined;
    expect(await node.refuse(nothing, { execution_reference }), 'CP-12').toEqual(error);
    expect(await node.text(nothing)).toBe("model 's' already exists in domain 'd'");
    expect(node.dataPlane.relaysOf('d'), 'it was brought up').toEqual(['q', 'r']);
    expect(node.context.activation.failureOf('d')).toBeUndefined();
  });

  test('CP-35: what changes nothing asks a stopped domain for nothing', async () => {
    const node = await openWithRelay();
    refusePlansWith(node, 'r');
    await node.run('CREATE IF NOT EXISTS SCHEMA s (id I64);');
    expect(node.dataPlane.offered).toEqual([]);
  });

  test('CP-104: a change that cannot be activated stays committed, and what ran goes on', async () => {
    const node = await openWithRelay();
    await node.run('START;');
    refusePlansWith(node, 'q');
    const execution_reference = node.reference();
    const error = await node.refuse(Q, { execution_reference });
    expect([error.code, error.message]).toEqual([
      'ACTIVATION_FAILED',
      `committed models and schedule for domain 'd', but the destination failed to activate: ${FAULT}`,
    ]);
    expect(storedRelays(node)).toEqual(['q', 'r']);
    expect(node.dataPlane.relaysOf('d')).toEqual(['r']);
    expect(node.dataPlane.held.size).toBe(0);
    expect(node.context.activation.failureOf('d')).toBe(FAULT);
    expect(node.state.domain('d'), 'CP-105').not.toHaveProperty('pausedBy');
    expect(await node.refuse(Q, { execution_reference }), 'CP-12').toEqual(error);
    const restarted = await node.restart();
    expect(storedRelays(restarted)).toEqual(['q', 'r']);
    expect(restarted.dataPlane.relaysOf('d')).toEqual(['q', 'r']);
    expect(await restarted.refuse(Q, { execution_reference })).toEqual(error);
  });

  test('CP-104: so does a drop', async () => {
    const node = await openWithRelay();
    await node.run(Q);
    await node.run('START;');
    node.dataPlane.onInstall = (plan) => (plan.relays.length === 1 ? 'no memory' : undefined);
    await node.refuse('DROP RELAY q;');
    expect(storedRelays(node)).toEqual(['r']);
    expect(node.dataPlane.relaysOf('d')).toEqual(['q', 'r']);
  });

  test('CP-104: what cannot be published leaves models, schedule and graph, and resumes the domain', async () => {
    const node = await openWithRelay();
    await node.run('START;');
    const { log } = node.context;
    const write = log.write.bind(log);
    const before = [node.state.domain('d'), node.state.schedule('d')];
    log.write = async (command) => {
      if (!command.put?.some(({ kind }) => kind === 'model')) return write(command);
      expect(node.state.domain('d')?.pausedBy).toBeDefined();
      throw new RaftError('RAFT_ENTRY_TOO_LARGE', { bytes: 9, bytesMax: 8 });
    };
    const execution_reference = node.reference();
    const error = await node.refuse(Q, { execution_reference });
    expect(error.code).toBe('LIMIT_REACHED');
    expect(error.message).toMatch(/^failed to publish schedule for domain 'd': /);
    expect([node.state.domain('d'), node.state.schedule('d')]).toEqual(before);
    expect(storedRelays(node)).toEqual(['r']);
    expect(node.dataPlane.relaysOf('d')).toEqual(['r']);
    expect(node.dataPlane.held.size).toBe(0);
    expect([node.state.leases(), node.state.executions()]).toEqual([[], []]);
    expect(await node.refuse(Q, { execution_reference }), 'CP-12').toEqual(error);
  });

  test('CP-103, CP-104: a virtual host that no listener takes is taken back with the outcome', async () => {
    const node = await openWithRelay();
    await node.run('START;');
    node.dataPlane.onInstall = () =>
      node.state.models('d').has('vhost/shop_host') ? 'no memory' : undefined;
    const error = await node.refuse('CREATE VHOST shop_host shop.example;');
    expect(error.message).toBe(
      `committed models and schedule for domain 'd', but the destination failed to activate: ${FAULT}` +
        '; the model batch was rolled back',
    );
    expect([...node.state.models('d').keys()].sort()).toEqual(['relay/r', 'schema/s']);
    expect(node.context.activation.failureOf('d')).toBeUndefined();
    expect(node.dataPlane.relaysOf('d')).toEqual(['r']);
    expect([node.state.leases(), node.state.executions()]).toEqual([[], []]);
  });

  test('CP-21: a second change of the domain is refused, of another one not', async () => {
    const node = await openWithRelay();
    await node.run('CREATE DOMAIN e;');
    await node.run('START;');
    const installing = Promise.withResolvers<void>();
    const installed = Promise.withResolvers<undefined>();
    node.dataPlane.onInstall = () => {
      installing.resolve();
      return installed.promise;
    };
    const reference = node.reference();
    const first = node.run(Q, { execution_reference: reference });
    await installing.promise;
    for (const statement of ['CREATE SCHEMA x (a BOOL);', 'STOP;']) {
      const error = await node.refuse(statement);
      expect([error.code, error.message]).toEqual([
        'DOMAIN_BUSY',
        `domain 'd' mutation is owned by command '${reference}'`,
      ]);
    }
    await node.run('CREATE SCHEMA x (a BOOL);', { domain: 'e' });
    installed.resolve(undefined);
    await first;
    await node.run('STOP;');
  });

  test('CP-21: the domain is free again after every kind of end', async () => {
    const node = await openWithRelay();
    await node.refuse('DROP SCHEMA s;');
    await node.refuse('STOP;');
    await node.run('START;');
    refusePlansWith(node, 'q');
    await node.refuse(Q);
    expect(node.context.locks.ownerOf('d')).toBeUndefined();
    const transaction = await node.begin();
    await node.run('DROP RELAY r;', { transaction });
    await node.refuse('COMMIT;', { transaction });
    expect(node.context.locks.ownerOf('d')).toBeUndefined();
  });
});

describe('failed steps of a commit', () => {
  test('CP-101, CP-102: a model step that cannot be activated ends the commit, its effect stays', async () => {
    const node = await openWithRelay();
    const transaction = await node.begin();
    for (const statement of ['CREATE SCHEMA x (a BOOL);', 'START;', Q]) {
      await node.run(statement, { transaction });
    }
    refusePlansWith(node, 'q');
    const error = await node.refuse('COMMIT;', { transaction });
    expect(error.message).toBe(
      `transaction '${transaction}' committed the effect beginning at statement 3, but it failed ` +
        `to become usable: ${FAULT}; quiesce level: DOMAIN_PAUSE`,
    );
    expect(error.transaction).toMatchObject({
      state: 'Failed',
      accepted_operations: 3,
      applied_operations: 3,
    });
    expect(node.state.transaction(transaction)?.error?.operation).toBe(3);
    expect(storedRelays(node)).toEqual(['q', 'r']);
    // What ran before goes on, and the domain says why it is not what is stored.
    expect(node.dataPlane.relaysOf('d')).toEqual(['r']);
    expect(node.dataPlane.held.size).toBe(0);
    expect(node.context.activation.failureOf('d')).toBe(FAULT);
    expect(node.state.domain('d')).not.toHaveProperty('pausedBy');
    expect(node.state.models('d').has(modelKey('schema', 'x'))).toBe(true);
  });

  test('CP-102: a START step that cannot be activated ends the commit, the domain is to run', async () => {
    const node = await openWithRelay();
    const transaction = await node.begin();
    for (const statement of [Q, 'START;', 'CREATE SCHEMA x (a BOOL);']) {
      await node.run(statement, { transaction });
    }
    refusePlansWith(node, 'q');
    const error = await node.refuse('COMMIT;', { transaction });
    expect(error.message).toBe(
      `transaction '${transaction}' committed the effect beginning at statement 2, but it failed ` +
        `to become usable: ${FAULT}; quiesce level: DYNAMIC`,
    );
    expect(error.transaction).toMatchObject({ state: 'Failed', applied_operations: 2 });
    expect(node.state.domain('d')?.status).toBe('running');
    expect(node.dataPlane.plans.size).toBe(0);
    expect(storedRelays(node)).toEqual(['q', 'r']);
    expect(node.state.models('d').has(modelKey('schema', 'x'))).toBe(false);
  });
});
