import { describe, expect, test } from 'vitest';
import { recover } from '../../src/control-plane/recover.ts';
import { publishSchedules } from '../../src/control-plane/scheduling/publish-schedules.ts';
import { leaseKey } from '../../src/replicated-state/record-keys.ts';
import type { LeaseOwner } from '../../src/replicated-state/records.ts';
import { type ControlNode, openControlNode, openWithRelay } from '../support/control-node.ts';
import { CrashPoint } from '../support/crash-point.ts';
import { FakeDataPlane } from '../support/fake-data-plane.ts';

const Q = 'CREATE RELAY q SCHEMA s UNBRANCHED CAPACITY 8;';

/** Puts a lease into the state as another leader would have. */
async function takeLease(node: ControlNode, owner: LeaseOwner): Promise<void> {
  await node.context.log.write({ put: [{ kind: 'lease', domain: 'd', owner }] });
}

/** Ends the node behind the write that holds the effect of a command, and starts it again. */
async function stoppedBehindEffect(
  statement: string,
  before: readonly string[],
): Promise<{ readonly node: ControlNode; readonly execution_reference: string }> {
  const point = new CrashPoint();
  const node = await openWithRelay({ intercept: point.intercept });
  for (const each of before) await node.run(each);
  const execution_reference = node.reference();
  // The write of the outcome is lost; before the effect stands what is to be held for it.
  point.arm(statement === Q ? 3 : 2, false);
  await node.execute(statement, { execution_reference });
  expect(point.isReached).toBe(true);
  return { node, execution_reference };
}

describe('the lease of a command (CP-19)', () => {
  test('is held from its effect to its outcome, and no longer', async () => {
    const node = await openWithRelay();
    await node.run('START;');
    expect(node.state.leases()).toEqual([]);
    const installing = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    const install = node.dataPlane.install.bind(node.dataPlane);
    node.dataPlane.install = async (plan) => {
      asked.resolve();
      await installing.promise;
      return install(plan);
    };
    const execution_reference = node.reference();
    const change = node.run(Q, { execution_reference });
    await asked.promise;
    expect(node.state.lease('d')?.owner).toEqual({
      kind: 'command',
      reference: execution_reference,
    });
    expect(node.state.reference(execution_reference), 'no outcome yet').toBeUndefined();
    const busy = `domain 'd' mutation is owned by command '${execution_reference}'`;
    expect((await node.refuse('STOP;')).message).toBe(busy);
    installing.resolve();
    await change;
    expect(node.state.leases()).toEqual([]);
    expect(node.state.reference(execution_reference)?.outcome.kind).toBe('completed');
  });

  test('is no write more where nothing has to be brought up', async () => {
    const node = await openWithRelay();
    let writes = 0;
    const { log } = node.context;
    const write = log.write.bind(log);
    log.write = (command) => {
      writes += 1;
      return write(command);
    };
    await node.run(Q);
    await node.run('ALTER DOMAIN SET PLACEMENT PREFER COLOCATION;');
    expect(writes).toBe(2);
  });

  test('of somebody else keeps every change and every automatic schedule out (CP-20)', async () => {
    const node = await openWithRelay();
    await node.run('CORDON NODE n1;');
    await node.run(Q);
    await takeLease(node, { kind: 'command', reference: 'other' });
    const busy = "domain 'd' mutation is owned by command 'other'";
    for (const statement of [
      'DROP RELAY q;',
      'START;',
      'ALTER DOMAIN SET PLACEMENT PREFER COLOCATION;',
      'RELOCATE RELAY r ONTO NODE n1 FOLLOW PREFERENCES;',
      'DROP DOMAIN d CASCADE;',
    ]) {
      expect((await node.refuse(statement)).message, statement).toBe(busy);
    }
    const transaction = await node.begin();
    await node.run('CREATE SCHEMA x (a I64);', { transaction });
    expect((await node.refuse('COMMIT;', { transaction })).message).toBe(
      `transaction '${transaction}' cannot mutate domain 'd' while it is owned by command 'other'`,
    );
    const before = node.state.schedule('d');
    await node.context.log.write({ remove: ['cordon/n1'] });
    await publishSchedules(node.context);
    expect(node.state.schedule('d')).toEqual(before);
    await node.run('CREATE RESOURCE beside;');
    await node.run('CREATE DOMAIN elsewhere;');
  });

  test('that moved on refuses the write of who held it', async () => {
    const node = await openWithRelay();
    const { log } = node.context;
    const write = log.write.bind(log);
    log.write = async (command) => {
      log.write = write;
      await takeLease(node, { kind: 'transaction', id: 't' });
      return write(command);
    };
    const execution_reference = node.reference();
    const error = await node.refuse(Q, { execution_reference });
    expect(error.message).toBe(
      `domain 'd' mutation lease for command '${execution_reference}' is no longer authoritative`,
    );
    expect(node.state.models('d').has('relay/q')).toBe(false);
  });
});

describe('a command whose node stops behind its effect (CP-144, CP-145)', () => {
  test.each([
    ['START;', [], 'running'],
    ['STOP;', ['START;'], 'stopped'],
    [Q, ['START;'], 'running'],
  ] as const)('%s comes to its outcome with the next start', async (statement, before, status) => {
    const { node, execution_reference } = await stoppedBehindEffect(statement, before);
    const restarted = await node.restart();
    expect(restarted.state.leases()).toEqual([]);
    expect(restarted.state.domain('d')?.status).toBe(status);
    expect(restarted.dataPlane.plans.has('d')).toBe(status === 'running');
    const again = await restarted.run(statement, { execution_reference });
    expect(again.disposition.t).toBe('CommandCompleted');
    const conflict = await restarted.refuse('STOP;', { execution_reference, user: 'bob' });
    expect(conflict.code).toBe('EXECUTION_REFERENCE_CONFLICT');
  });

  test('CP-144: is joined by who repeats it while it is taken up, and refused to anything else', async () => {
    const { node, execution_reference } = await stoppedBehindEffect(Q, ['START;']);
    const restarted = await node.restart({ isIdle: true });
    const asked = Promise.withResolvers<void>();
    const installed = Promise.withResolvers<undefined>();
    const { effects } = restarted.context;
    const activate = effects.activate.bind(effects);
    let activations = 0;
    effects.activate = async (...given) => {
      activations += 1;
      asked.resolve();
      await installed.promise;
      return activate(...given);
    };
    const resumed = restarted.commits.resumeAll();
    await asked.promise;
    const again = restarted.run(Q, { execution_reference });
    const conflict = await restarted.refuse('DROP RELAY r;', { execution_reference });
    expect(conflict.code, 'CP-13').toBe('EXECUTION_REFERENCE_CONFLICT');
    expect((await restarted.refuse('STOP;')).code).toBe('DOMAIN_BUSY');
    installed.resolve(undefined);
    expect((await again).disposition.t).toBe('CommandCompleted');
    await resumed;
    expect(activations).toBe(1);
    expect([restarted.state.leases(), restarted.state.executions()]).toEqual([[], []]);
  });

  test('CP-69: that has lost its plan ends, and holds its domain no longer', async () => {
    const { node, execution_reference } = await stoppedBehindEffect(Q, ['START;']);
    const idle = await node.restart({ isIdle: true });
    const [digest] = idle.state.executions()[0]?.progress?.plan ?? [];
    await idle.context.log.write({ remove: [`content/${execution_reference}/${digest}`] });
    const restarted = await idle.restart();
    expect([restarted.state.leases(), restarted.state.executions()]).toEqual([[], []]);
    expect(restarted.state.domain('d')).not.toHaveProperty('pausedBy');
    const error = await restarted.refuse(Q, { execution_reference });
    expect(error.message).toBe(
      `command '${execution_reference}' retains no readable plan of its execution`,
    );
  });

  test('stays committed where the next start cannot bring it up, and tells each repetition so (CP-104)', async () => {
    const { node, execution_reference } = await stoppedBehindEffect(Q, ['START;']);
    node.disk.crash();
    await node.close();
    const dataPlane = new FakeDataPlane();
    dataPlane.onInstall = (plan) =>
      plan.relays.some(({ name }) => name === 'q') ? 'no room' : undefined;
    const restarted = await openControlNode({ disk: node.disk, clock: node.clock, dataPlane });
    expect([restarted.state.leases(), restarted.state.executions()]).toEqual([[], []]);
    expect(restarted.state.models('d').has('relay/q')).toBe(true);
    expect(restarted.state.domain('d')).not.toHaveProperty('pausedBy');
    const error = await restarted.refuse(Q, { execution_reference });
    expect(error.message).toBe(
      "committed models and schedule for domain 'd', but the destination failed to activate: " +
        "plan of domain 'd' cannot be installed: no room",
    );
  });
});

test('CP-145: contents that belong to nothing are removed by the next start', async () => {
  const node = await openWithRelay();
  const bytes = Uint8Array.of(1);
  const owner = node.reference();
  const stray = { kind: 'content', transaction: owner, digest: 'ab'.repeat(32), bytes } as const;
  await node.context.log.write({ put: [stray] });
  const transaction = await node.begin();
  await node.run(Q, { transaction });
  const restarted = await node.restart();
  expect(restarted.state.contentOwners()).toEqual([transaction]);
});

test('CP-145: a lease that belongs to nothing is given back by the next start', async () => {
  const node = await openWithRelay();
  await takeLease(node, { kind: 'transaction', id: 'gone' });
  expect(node.state.revisionOf(leaseKey('d'))).toBeGreaterThan(0);
  const restarted = await node.restart();
  expect(restarted.state.leases()).toEqual([]);
  await restarted.run(Q);
});

test('CP-19: a commit holds its domain from admission to its end, over a restart too', async () => {
  const point = new CrashPoint();
  const node = await openWithRelay({ intercept: point.intercept });
  const transaction = await node.begin();
  await node.run(Q, { transaction });
  point.arm(2, false);
  await node.execute('COMMIT;', { transaction });
  const restarted = await node.restart({ wrapEffects: (effects) => effects, isIdle: true });
  expect(restarted.state.lease('d')?.owner).toEqual({ kind: 'transaction', id: transaction });
  await restarted.commits.resumeAll();
  expect(restarted.state.leases()).toEqual([]);
  expect(restarted.state.transaction(transaction)?.state).toBe('COMMITTED');
});

test('a commit whose transaction somebody else wrote stops, and writes nothing over that', async () => {
  const node = await openWithRelay();
  await node.run('START;');
  const transaction = await node.begin();
  await node.run(Q, { transaction });
  const { onInstall } = node.dataPlane;
  node.dataPlane.onInstall = async (plan) => {
    node.dataPlane.onInstall = onInstall;
    const record = node.state.transaction(transaction);
    if (record !== undefined)
      await node.context.log.write({ put: [{ ...record, sourceBytes: 7 }] });
    return onInstall(plan);
  };
  const cut = await node.run('COMMIT;', { transaction });
  expect(cut.message).toContain('changed outside of its execution');
  expect(node.state.transaction(transaction)).toMatchObject({
    state: 'COMMITTING',
    sourceBytes: 7,
  });
  await node.commits.resumeAll();
  expect(node.state.transaction(transaction)?.state).toBe('COMMITTED');
});

test('CP-109: a domain that does not stop keeps no other from being brought up', async () => {
  const node = await openWithRelay();
  await node.run('CREATE DOMAIN e;');
  await node.run('CREATE SCHEMA s (id I64);', { domain: 'e' });
  await node.run('CREATE RELAY r SCHEMA s UNBRANCHED;', { domain: 'e' });
  await node.run('START;');
  await node.run('START;', { domain: 'e' });
  node.dataPlane.stopDomain = async (domain) => {
    if (domain === 'd') throw new Error('it hangs');
  };
  const execution_reference = node.reference();
  const cut = await node.run('STOP;', { execution_reference });
  expect(cut.disposition).toEqual({ t: 'OutcomeUnknown', cause: 'StillApplying' });
  await recover(node.context, node.commits);
  expect(node.dataPlane.plans.has('e')).toBe(true);
  expect(node.logLines.join('')).toContain('domain did not stop');
  node.dataPlane.stopDomain = async (domain) => void node.dataPlane.plans.delete(domain);
  expect(await node.text('STOP;', { execution_reference })).toBe("stopped domain 'd'");
});
