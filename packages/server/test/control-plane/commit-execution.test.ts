import type { TransactionDocument } from '@nervix/planner';
import { describe, expect, test } from 'vitest';
import type { StateRecord } from '../../src/replicated-state/records.ts';
import { type ControlNode, openWithRelay, until } from '../support/control-node.ts';
import { CrashPoint } from '../support/crash-point.ts';
import { FakeDataPlane } from '../support/fake-data-plane.ts';

const X = 'CREATE SCHEMA x (id I64);';
const Y = 'CREATE SCHEMA y (id I64);';
const Q = 'CREATE RELAY q SCHEMA s UNBRANCHED CAPACITY 8;';
const FOREIGN: StateRecord = {
  kind: 'model',
  domain: 'd',
  model: { kind: 'schema', name: 'foreign', fields: [] },
};

/** Writes a model as somebody else's, so that whatever was planned before is planned from others. */
async function disturb(node: ControlNode, turn: number): Promise<void> {
  const schema = node.state.models('d').get('schema/s');
  if (schema === undefined) throw new Error('the schema was created');
  const model = { ...schema, name: `foreign${turn}` };
  await node.context.log.write({ put: [{ kind: 'model', domain: 'd', model }] });
}

async function opened(node: ControlNode, ...statements: readonly string[]): Promise<string> {
  const transaction = await node.begin();
  for (const statement of statements) await node.run(statement, { transaction });
  return transaction;
}

async function stepsOf(node: ControlNode, transaction: string) {
  const text = await node.text(`DESCRIBE TRANSACTION '${transaction}' FORMAT JSON;`);
  return (JSON.parse(text) as TransactionDocument).report.execution_steps;
}

/** What each pause of a step came to. */
function histories(steps: Awaited<ReturnType<typeof stepsOf>>): readonly (readonly string[])[] {
  return steps.flatMap(({ actual }) =>
    actual.quiescence.map(({ outcomes }) => outcomes.map(({ kind }) => kind)),
  );
}

const DEDUPLICATOR = `CREATE DEDUPLICATOR once FROM r DEDUPLICATE ON input.id MAX TIME 10m UNBRANCHED
  TO p INHERIT ALL FLUSH IMMEDIATE ON MESSAGE ERROR LOG;`;
const REKEY = 'ALTER DEDUPLICATOR once SET DEDUPLICATE ON input.id, input.tenant;';

/** Whether what is stored and what runs is the result of a statement of {@link crashedAt}. */
function isChanged(node: ControlNode, statement: string): boolean {
  const models = node.state.models('d');
  const model = models.get('deduplicator/once');
  const [plan] = node.dataPlane.plans.get('d')?.processors ?? [];
  if (model?.kind !== 'deduplicator' || plan?.kind !== 'deduplicator') {
    throw new Error('the deduplicator is there');
  }
  const [isStored, isRunning] =
    statement === Q
      ? [models.has('relay/q'), node.dataPlane.relaysOf('d').includes('q')]
      : [model.deduplicateOn.length === 2, plan.keys.length === 2];
  expect(isRunning, 'what runs is what is stored').toBe(isStored);
  return isStored;
}

/** A node whose domain runs, and that ends at a write of a COMMIT of a paused step. */
async function crashedAt(write: number, point: CrashPoint, statement = Q) {
  const node = await openWithRelay({ intercept: point.intercept });
  await node.run('CREATE RELAY p SCHEMA s UNBRANCHED CAPACITY 8;');
  await node.run(DEDUPLICATOR);
  await node.run('START;');
  const transaction = await opened(node, statement);
  const asked = { transaction, execution_reference: node.reference() };
  point.arm(write, true);
  await node.execute('COMMIT;', asked);
  return { node, transaction, asked };
}

describe('a step of a commit', () => {
  test('CP-99, CP-106: is recorded, held, written, brought up and let go in this order', async () => {
    const events: string[] = [];
    const node = await openWithRelay();
    await node.run('START;');
    const transaction = await opened(node, Q);
    const write = node.context.log.write.bind(node.context.log);
    node.context.log.write = async (command) => {
      const record = command.put?.find((each) => each.kind === 'transaction');
      const step = record?.progress?.steps[0];
      const outcomes = step?.attempts.flatMap((attempt) => attempt.outcomes) ?? [];
      events.push([record?.state, step?.outcome, ...outcomes.map(({ kind }) => kind)].join(' '));
      return write(command);
    };
    node.dataPlane.onPrepare = () => {
      const { pausedBy } = node.state.domain('d') ?? {};
      events.push(`hold, paused by ${pausedBy === transaction ? 'the transaction' : pausedBy}`);
      return undefined;
    };
    node.dataPlane.onInstall = () => {
      events.push('install');
      return undefined;
    };
    await node.run('COMMIT;', { transaction });
    expect(events).toEqual([
      'COMMITTING UNATTEMPTED',
      'COMMITTING UNATTEMPTED REQUESTED',
      'hold, paused by the transaction',
      'COMMITTING APPLYING REQUESTED CONFIRMED',
      'install',
      'COMMITTING APPLIED REQUESTED CONFIRMED RELEASED',
      'COMMITTED APPLIED REQUESTED CONFIRMED RELEASED',
    ]);
    expect(node.state.domain('d')).not.toHaveProperty('pausedBy');
  });

  test('CP-98, CP-101: is being applied for as long as anything of its activation is outstanding', async () => {
    const node = await openWithRelay();
    await node.run('START;');
    const transaction = await opened(node, Q);
    const installed = Promise.withResolvers<undefined>();
    node.dataPlane.onInstall = () => installed.promise;
    const reply = node.run('COMMIT;', { transaction });
    await until(() => node.state.models('d').has('relay/q'));
    const [step] = await stepsOf(node, transaction);
    expect(step?.actual.outcome).toEqual({ status: 'APPLYING' });
    expect(node.state.transaction(transaction)).toMatchObject({ state: 'COMMITTING' });
    installed.resolve(undefined);
    await reply;
    const [applied] = await stepsOf(node, transaction);
    expect(applied?.actual.outcome).toEqual({ status: 'APPLIED' });
    expect(node.state.transaction(transaction)).toMatchObject({ state: 'COMMITTED' });
  });

  test('CP-100: whose inputs changed ends the commit, and the prefix stays', async () => {
    const node = await openWithRelay();
    const transaction = await opened(node, 'START;', Y);
    node.dataPlane.onInstall = async () => {
      await node.context.log.write({ put: [FOREIGN] });
      return undefined;
    };
    const error = await node.refuse('COMMIT;', { transaction });
    expect([error.code, error.message]).toEqual([
      'INPUTS_CHANGED',
      `transaction '${transaction}' planning inputs changed: domain 'd' model inputs changed; ` +
        'quiesce level: DYNAMIC',
    ]);
    expect(error.transaction).toMatchObject({ state: 'Failed', applied_operations: 1 });
    expect(node.state.transaction(transaction)?.error?.operation).toBe(2);
    expect(node.state.domain('d')?.status).toBe('running');
    expect(node.state.models('d').has('schema/y')).toBe(false);
  });

  test('CP-100, CP-105: inputs that change during the drain leave nothing held', async () => {
    const node = await openWithRelay();
    await node.run('START;');
    const transaction = await opened(node, Q);
    node.dataPlane.onPrepare = async () => {
      await node.context.log.write({ put: [FOREIGN] });
      return undefined;
    };
    const error = await node.refuse('COMMIT;', { transaction });
    expect(error.message).toContain('planning inputs changed');
    expect(node.dataPlane.held.size).toBe(0);
    expect(node.state.domain('d')).toMatchObject({ status: 'running' });
    expect(node.state.domain('d')).not.toHaveProperty('pausedBy');
    expect(histories(await stepsOf(node, transaction))).toEqual([
      ['REQUESTED', 'CONFIRMED', 'RELEASED'],
    ]);
    expect(error.message, 'CP-107: it was held').toContain('quiesce level: DOMAIN_PAUSE');
    expect(node.state.models('d').has('relay/q')).toBe(false);
  });

  test('CP-139, CP-100: another feature level that is activated during the drain ends it', async () => {
    const node = await openWithRelay();
    await node.run('START;');
    const transaction = await opened(node, Q);
    node.dataPlane.onPrepare = () => {
      node.activateLevel(2);
      return undefined;
    };
    const error = await node.refuse('COMMIT;', { transaction });
    expect(error.message).toContain("planning inputs changed: domain 'd' cluster inputs changed");
    expect(node.dataPlane.held.size).toBe(0);
    expect(node.state.models('d').has('relay/q')).toBe(false);
  });

  test('CP-108: what cannot be held in part is held whole, and the report says both', async () => {
    const node = await openWithRelay();
    await node.run('START;');
    const relay = node.state.models('d').get('relay/r');
    if (relay?.kind !== 'relay') throw new Error('the relay was created');
    const unseen: StateRecord = { kind: 'model', domain: 'd', model: { ...relay, name: 'q' } };
    // What runs stays behind what is stored, so that the next change is wider than it was planned.
    node.dataPlane.onInstall = () => 'refused';
    await node.context.log.write({ put: [unseen] });
    await node.context.effects.settled();
    node.dataPlane.onInstall = () => undefined;
    const transaction = await node.begin();
    const told = await node.text('ALTER RELAY r SET CAPACITY 16;', { transaction });
    expect(told).toBe('quiesce level: DYNAMIC');
    expect(await node.text('COMMIT;', { transaction })).toBe('quiesce level: DOMAIN_PAUSE');
    const text = await node.text(`DESCRIBE TRANSACTION '${transaction}';`);
    expect(text).toContain('planned DYNAMIC, actual DOMAIN_PAUSE, outcome APPLIED');
    expect(text).toContain('quiescence: DOMAIN domain=d REQUESTED, CONFIRMED, RELEASED');
    const [step] = await stepsOf(node, transaction);
    expect(step?.planned.effects.rebuilds).toEqual([]);
    expect(step?.actual.effects.rebuilds).toEqual([
      expect.objectContaining({ reason: 'RECOVERY', attribution: [1] }),
    ]);
  });

  test('RT-31, RT-198: what may change while all runs holds nothing of the graph', async () => {
    const node = await openWithRelay();
    await node.run('START;');
    const transaction = await opened(node, 'ALTER RELAY r SET CAPACITY 16;');
    expect(await node.text('COMMIT;', { transaction })).toBe('quiesce level: DYNAMIC');
    const [step] = await stepsOf(node, transaction);
    expect(step?.actual.quiescence).toEqual([]);
    expect(node.dataPlane.plans.get('d')?.relays).toMatchObject([{ name: 'r', capacity: 16 }]);
    const told = await node.text('ALTER RELAY r SET CAPACITY 4;');
    expect(told).toContain('quiesce level: DYNAMIC');
    expect(node.dataPlane.plans.get('d')?.relays).toMatchObject([{ name: 'r', capacity: 4 }]);
  });

  test('CP-35, CP-98: without effect holds nothing, and is applied', async () => {
    const node = await openWithRelay();
    await node.run('START;');
    const offered = node.dataPlane.offered.length;
    const transaction = await opened(node, X, 'DROP SCHEMA x;');
    expect(await node.text('COMMIT;', { transaction })).toBe('quiesce level: DYNAMIC');
    expect(node.dataPlane.offered).toHaveLength(offered);
    expect((await stepsOf(node, transaction)).map(({ actual }) => actual.outcome.status)).toEqual([
      'APPLIED',
    ]);
  });
});

describe('CP-35: a step without effect, of models that could not be activated', () => {
  /** A running domain with a relay `q` that its data plane does not take. */
  async function openUnusable(): Promise<ControlNode> {
    const node = await openWithRelay();
    await node.run('START;');
    node.dataPlane.onInstall = () => 'no memory';
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
    expect(node.context.activation.failureOf('d')).toContain('no memory');
    return node;
  }

  test('tells that they are not usable, and ends the commit', async () => {
    const node = await openUnusable();
    const transaction = await opened(node, X, 'DROP SCHEMA x;');
    const error = await node.refuse('COMMIT;', { transaction });
    expect([error.code, error.message]).toEqual([
      'ACTIVATION_FAILED',
      "the existing models in domain 'd' are not usable everywhere: plan of domain 'd' cannot be " +
        'installed: no memory; quiesce level: DYNAMIC',
    ]);
    expect(error.transaction).toMatchObject({ state: 'Failed', applied_operations: 0 });
    const [step] = await stepsOf(node, transaction);
    expect(step?.actual).toMatchObject({ outcome: { status: 'FAILED' }, quiescence: [] });
    expect(node.dataPlane.relaysOf('d'), 'what ran goes on').toEqual(['r']);
  });

  test('brings them up where they can be', async () => {
    const node = await openUnusable();
    const transaction = await opened(node, X, 'DROP SCHEMA x;');
    node.dataPlane.onInstall = () => undefined;
    expect(await node.text('COMMIT;', { transaction })).toBe('quiesce level: DYNAMIC');
    expect(node.dataPlane.relaysOf('d')).toEqual(['q', 'r']);
    expect(node.context.activation.failureOf('d')).toBeUndefined();
  });
});

describe('CP-147: a commit that is taken up again', () => {
  /** Moments, with what the writes until then leave to do; the start of the node does all of it once. */
  const MOMENTS = [
    ['behind its admission', 1, 2],
    ['behind the request of its pause', 2, 2],
    ['behind its effect', 3, 1],
    ['behind its completion', 4, 1],
  ] as const;
  const HELD = ['REQUESTED', 'CONFIRMED', 'RELEASED'];
  const LOST = ['REQUESTED', 'UNCERTAIN', 'RELEASED'];

  /** A paused step, and how each moment ends in the same process and in another one. */
  const PAUSES = [
    {
      level: 'DOMAIN_PAUSE',
      statement: Q,
      resumed: [[HELD], [HELD], [HELD], [HELD]],
      failed: [[], [['REQUESTED', 'RELEASED']]],
    },
    {
      level: 'ENTITY_PAUSE',
      statement: REKEY,
      resumed: [[HELD], [LOST, HELD], [HELD], [HELD]],
      failed: [[], [LOST]],
    },
  ];
  const ENDS = PAUSES.flatMap((pause) =>
    MOMENTS.map(([name, write, applied]) => ({ name, write, applied, ...pause })),
  );

  test.each(ENDS)('CP-106, CP-109 $name of $level: does what is left, once', async (expected) => {
    const { statement, level, write } = expected;
    const { node, transaction, asked } = await crashedAt(write, new CrashPoint(), statement);
    const dataPlane = new FakeDataPlane();
    let prepared = 0;
    dataPlane.onPrepare = () => {
      prepared += 1;
      return undefined;
    };
    const restarted = await node.restart({ dataPlane });
    expect(restarted.state.transaction(transaction)).toMatchObject({
      state: 'COMMITTED',
      applied: 1,
    });
    expect([prepared, dataPlane.offered.length]).toEqual([expected.applied, expected.applied]);
    expect(isChanged(restarted, statement)).toBe(true);
    expect(restarted.state.domain('d')).not.toHaveProperty('pausedBy');
    const steps = await stepsOf(restarted, transaction);
    expect(histories(steps)).toEqual(expected.resumed[write - 1]);
    expect(await restarted.text('COMMIT;', asked)).toBe(`quiesce level: ${level}`);
    expect(restarted.context.locks.ownerOf('d')).toBeUndefined();
  });

  test.each(ENDS)(
    'CP-105, CP-107, CP-109 $name of $level by another process: what is not applied has other inputs',
    async (expected) => {
      const { statement, level, write, resumed, failed } = expected;
      const { node, transaction, asked } = await crashedAt(write, new CrashPoint(), statement);
      const incarnation = { admitted: 'i2', observed: 'i2' };
      const restarted = await node.restart({ incarnation });
      const isFailed = write <= 2;
      expect(restarted.state.transaction(transaction)?.state).toBe(
        isFailed ? 'FAILED' : 'COMMITTED',
      );
      expect(restarted.state.domain('d')).not.toHaveProperty('pausedBy');
      expect(isChanged(restarted, statement)).toBe(!isFailed);
      const steps = await stepsOf(restarted, transaction);
      expect(histories(steps)).toEqual((isFailed ? failed : resumed)[write - 1]);
      const reply = await restarted.execute('COMMIT;', asked);
      const told = reply.kind === 'failed' ? reply.error.message : reply.outcome.message;
      expect(told).toContain(`quiesce level: ${write === 1 ? 'DYNAMIC' : level}`);
    },
  );

  test('CP-106, CP-109: gates of an ended coordinator are told as uncertain, with the reason', async () => {
    const incarnation = { admitted: 'i2', observed: 'i2' };
    for (const setup of [{}, { incarnation }]) {
      const { node, transaction } = await crashedAt(2, new CrashPoint(), REKEY);
      const [step] = await stepsOf(await node.restart(setup), transaction);
      expect(step?.actual.quiescence[0]?.outcomes[1]).toEqual({
        kind: 'UNCERTAIN',
        diagnostic: {
          kind: 'QUIESCENCE',
          operation: 1,
          message:
            'the original coordinator left while the gate was engaged; its fenced lease owns cleanup',
        },
      });
    }
  });

  test.each([
    ['a pause of its own', Q, [HELD]],
    ['one of some nodes', REKEY, [HELD]],
    ['none', 'CREATE SCHEMA x (id I64);', []],
  ])(
    'of a domain that another step left paused: resumes it before a step with %s',
    async (...row) => {
      const [, statement, held] = row;
      const point = new CrashPoint();
      const { node, transaction } = await crashedAt(1, point, statement);
      const domain = node.state.domain('d');
      if (domain === undefined) throw new Error('the domain is gone');
      const paused = await node.restart({ isIdle: true });
      await paused.context.log.write({ put: [{ ...domain, pausedBy: transaction }] });
      const restarted = await paused.restart();
      expect(restarted.state.transaction(transaction)?.state).toBe('COMMITTED');
      expect(restarted.state.domain('d')).not.toHaveProperty('pausedBy');
      expect(histories(await stepsOf(restarted, transaction))).toEqual(held);
    },
  );

  test('CP-19, CP-20, CP-109, CP-145: that is stuck keeps its domain and no other', async () => {
    const node = await openWithRelay();
    await node.run('CREATE DOMAIN e;');
    const activate = node.context.effects.activate.bind(node.context.effects);
    const isStuck = Promise.withResolvers<undefined>();
    node.context.effects.activate = () => Promise.reject(new Error('no thread'));
    const transactions = await Promise.all(
      ['d', 'e'].map(async (domain) => {
        const transaction = await node.begin({ domain });
        await node.run('START;', { transaction });
        const outcome = await node.run('COMMIT;', { transaction });
        expect([outcome.disposition.t, outcome.message], 'CP-110').toEqual([
          'OutcomeUnknown',
          `transaction '${transaction}' commit remains in progress after an execution error: no thread`,
        ]);
        return transaction;
      }),
    );
    const states = () => transactions.map((id) => node.state.transaction(id)?.state);
    expect(states()).toEqual(['COMMITTING', 'COMMITTING']);
    expect(await node.refuse(X), 'CP-19, CP-20, CP-145: it keeps its domain').toMatchObject({
      code: 'DOMAIN_BUSY',
      message: `domain 'd' mutation is owned by transaction '${transactions[0]}'`,
    });
    await node.run('CREATE DOMAIN f;');
    node.context.effects.activate = (domain, graph) =>
      domain === 'd' ? isStuck.promise : activate(domain, graph);
    const resumed = node.commits.resumeAll();
    await until(() => states()[1] === 'COMMITTED');
    expect(states()[0]).toBe('COMMITTING');
    isStuck.resolve(undefined);
    await resumed;
    expect(states()).toEqual(['COMMITTED', 'COMMITTED']);
  });

  test('CP-69: a lost plan ends it, for nothing of it is decided again', async () => {
    const { node, transaction } = await crashedAt(2, new CrashPoint());
    const idle = await node.restart({ isIdle: true });
    const [digest] = idle.state.transaction(transaction)?.progress?.plan ?? [];
    await idle.context.log.write({ remove: [`content/${transaction}/${digest}`] });
    const restarted = await idle.restart();
    expect(restarted.state.transaction(transaction)).toMatchObject({
      state: 'FAILED',
      error: { message: `transaction '${transaction}' retains no readable plan of its commit` },
    });
    expect(restarted.state.domain('d')).not.toHaveProperty('pausedBy');
    const steps = await stepsOf(restarted, transaction);
    expect(histories(steps), 'CP-105').toEqual([['REQUESTED', 'RELEASED']]);
    await restarted.run(X);
  });
});

describe('CP-103: a change of virtual hosts that listeners cannot take', () => {
  const VHOST = 'CREATE VHOST shop_host shop.example;';

  /** Refuses plans while the host is there. */
  function pickyPlane(node: () => ControlNode): FakeDataPlane {
    const dataPlane = new FakeDataPlane();
    dataPlane.onInstall = () =>
      node().state.models('d').has('vhost/shop_host') ? 'no certificate' : undefined;
    return dataPlane;
  }

  test.each([false, true])(
    'is rolled back in the record of its failure, crash: %s',
    async (isCrash) => {
      let node: ControlNode | undefined;
      const current = () => {
        if (node === undefined) throw new Error('the node is being opened');
        return node;
      };
      const point = new CrashPoint();
      node = await openWithRelay({ dataPlane: pickyPlane(current), intercept: point.intercept });
      await node.run('START;');
      const transaction = await opened(node, 'STOP;', 'START;', X, VHOST);
      const asked = { transaction, execution_reference: node.reference() };
      // Admission, STOP and START with two writes each, the effect.
      if (isCrash) point.arm(6, true);
      const reply = await node.execute('COMMIT;', asked);
      if (isCrash) {
        const dataPlane = new FakeDataPlane();
        dataPlane.onInstall = () => (dataPlane.offered.length <= 2 ? 'no certificate' : undefined);
        node = await node.restart({ dataPlane });
      }
      const error = reply.kind === 'failed' ? reply.error : await node.refuse('COMMIT;', asked);
      expect(error.message).toBe(
        `transaction '${transaction}' committed the effect beginning at statement 3, but it failed ` +
          "to become usable: plan of domain 'd' cannot be installed: no certificate; the model " +
          'batch was rolled back; quiesce level: DYNAMIC',
      );
      expect(error.transaction).toMatchObject({ state: 'Failed', applied_operations: 2 });
      expect([...node.state.models('d').keys()].sort()).toEqual(['relay/r', 'schema/s']);
      expect(node.context.activation.failureOf('d')).toBeUndefined();
      expect(node.dataPlane.relaysOf('d')).toEqual(['r']);
      const [, , step] = await stepsOf(node, transaction);
      expect(step?.actual).toMatchObject({ outcome: { status: 'FAILED' } });
      expect(step?.actual.effects.changed_configuration).toEqual([]);
    },
  );

  test('behind a pause is kept, for what was paused goes on with it', async () => {
    let node: ControlNode | undefined;
    const dataPlane = pickyPlane(() => node as ControlNode);
    node = await openWithRelay({ dataPlane });
    await node.run('START;');
    const transaction = await opened(node, Q, VHOST);
    const asked = { transaction, execution_reference: node.reference() };
    const error = await node.refuse('COMMIT;', asked);
    expect(error.message).toBe(
      `transaction '${transaction}' committed the effect beginning at statement 1, but it failed ` +
        "to become usable: plan of domain 'd' cannot be installed: no certificate; " +
        'quiesce level: DOMAIN_PAUSE',
    );
    expect(error.transaction).toMatchObject({ state: 'Failed', applied_operations: 2 });
    expect([...node.state.models('d').keys()].sort()).toEqual([
      'relay/q',
      'relay/r',
      'schema/s',
      'vhost/shop_host',
    ]);
    expect(node.state.domain('d')).not.toHaveProperty('pausedBy');
    expect(node.dataPlane.held.size).toBe(0);
    const restarted = await node.restart({ dataPlane: new FakeDataPlane() });
    expect((await restarted.refuse('COMMIT;', asked)).message, 'the same outcome').toBe(
      error.message,
    );
    expect(restarted.state.models('d').has('vhost/shop_host')).toBe(true);
  });
});

describe('CP-16, CP-31: a statement by itself', () => {
  /** Disturbs the domain whenever the graph of the statement is about to be held; counts how often. */
  function disturbing(node: ControlNode, isDisturbed: (turn: number) => boolean) {
    const met = { attempts: 0 };
    node.dataPlane.onPrepare = async ({ relays }) => {
      if (!relays.some(({ name }) => name === 'q') || node.state.models('d').has('relay/q')) return;
      met.attempts += 1;
      const turn = met.attempts + (node.state.executions()[0]?.spent.length ?? 0) * 100;
      if (isDisturbed(met.attempts)) await disturb(node, turn);
      return undefined;
    };
    return met;
  }

  test('is planned again from what changed meanwhile, under its one reference', async () => {
    const node = await openWithRelay();
    await node.run('START;');
    const met = disturbing(node, (turn) => turn <= 2);
    const execution_reference = node.reference();
    await node.run(Q, { execution_reference });
    expect(met.attempts).toBe(3);
    expect(node.dataPlane.relaysOf('d')).toEqual(['q', 'r']);
    expect((await node.run(Q, { execution_reference })).origin).toBe('Recovered');
  });

  test('is not planned again behind writes that change no input', async () => {
    const node = await openWithRelay();
    await node.run('START;');
    const domain = node.state.domain('d');
    if (domain === undefined) throw new Error('the domain is gone');
    let prepared = 0;
    node.dataPlane.onPrepare = async () => {
      prepared += 1;
      const { pausedBy = '' } = node.state.domain('d') ?? {};
      await node.context.log.write({ put: [{ ...domain, pausedBy }] });
      return undefined;
    };
    await node.run(Q);
    expect(prepared).toBe(1);
  });

  test('CP-139: is planned again behind another feature level', async () => {
    const node = await openWithRelay();
    await node.run('START;');
    let prepared = 0;
    node.dataPlane.onPrepare = () => {
      prepared += 1;
      if (prepared === 1) node.activateLevel(2);
      return undefined;
    };
    await node.run(Q);
    expect(prepared).toBe(2);
    expect(node.dataPlane.relaysOf('d')).toEqual(['q', 'r']);
  });

  test('keeps each spent attempt with what was held for it, and no list shows it', async () => {
    const node = await openWithRelay();
    await node.run('START;');
    const records: ReturnType<ControlNode['state']['executions']>[number][] = [];
    const { log } = node.context;
    const write = log.write.bind(log);
    log.write = async (command) => {
      const result = await write(command);
      records.push(...node.state.executions());
      expect(node.plane.transactions()).toEqual([]);
      return result;
    };
    disturbing(node, (turn) => turn === 1);
    const execution_reference = node.reference();
    await node.run(Q, { execution_reference });
    const { spent = [], progress } = records.at(-1) ?? {};
    expect(spent.map(({ reason }) => reason)).toEqual(["domain 'd' model inputs changed"]);
    const outcomes = spent.flatMap(({ engagements }) =>
      engagements.flatMap((each) => each.outcomes),
    );
    expect(outcomes.map(({ kind }) => kind)).toEqual(['REQUESTED', 'CONFIRMED', 'RELEASED']);
    expect(progress?.steps.map(({ outcome }) => outcome)).toEqual(['APPLYING']);
    expect(node.state.executions()).toEqual([]);
    expect(await node.text('SHOW TRANSACTIONS;')).not.toContain(execution_reference);
    const described = await node.refuse(`DESCRIBE TRANSACTION '${execution_reference}';`);
    expect(described.code).toBe('TRANSACTION_NOT_FOUND');
  });

  test('gives up on inputs that change all the time, and nothing is held', async () => {
    const node = await openWithRelay();
    await node.run('START;');
    const met = disturbing(node, () => true);
    const error = await node.refuse(Q);
    expect([error.code, error.message]).toEqual([
      'INPUTS_CHANGED',
      "domain 'd' changed after the mutation batch was planned",
    ]);
    expect(met.attempts).toBe(16);
    expect(node.dataPlane.held.size).toBe(0);
    expect([node.state.executions(), node.state.leases()]).toEqual([[], []]);
    expect(node.state.models('d').has('relay/q')).toBe(false);
  });

  test.each([{}, { incarnation: { admitted: 'i2', observed: 'i2' } }])(
    'counts the attempts that a former process spent: %o',
    async (setup) => {
      const point = new CrashPoint();
      const node = await openWithRelay({ intercept: point.intercept });
      await node.run('START;');
      const met = disturbing(node, (turn) => {
        // The record of this one is lost, so that it is spent by the next process.
        if (turn === 10) point.arm(2, false);
        return true;
      });
      const execution_reference = node.reference();
      await node.execute(Q, { execution_reference });
      expect([met.attempts, point.isReached]).toEqual([10, true]);
      const restarted = await node.restart({ ...setup, isIdle: true });
      await restarted.context.effects.settled();
      expect(restarted.state.executions()[0]?.spent).toHaveLength(9);
      const further = disturbing(restarted, () => true);
      const error = await restarted.refuse(Q, { execution_reference });
      expect(error.code).toBe('INPUTS_CHANGED');
      expect(further.attempts).toBe(6);
      expect([restarted.state.executions(), restarted.state.leases()]).toEqual([[], []]);
      expect(restarted.state.domain('d')).not.toHaveProperty('pausedBy');
    },
  );
});
