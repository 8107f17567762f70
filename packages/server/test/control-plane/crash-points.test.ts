import { type ModelKind, modelKey } from '@nervix/model';
import { describe, expect, test } from 'vitest';
import {
  type ControlNode,
  type ControlNodeSetup,
  openControlNode,
  openWithRelay,
} from '../support/control-node.ts';
import { CrashPoint } from '../support/crash-point.ts';
import { FakeDataPlane } from '../support/fake-data-plane.ts';

const WRITES_MAX = 16;
const MOMENTS = [false, true];

/** A data plane that refuses plans with a relay whose name starts with `bad`. */
function pickyPlane(): FakeDataPlane {
  const dataPlane = new FakeDataPlane();
  dataPlane.onInstall = (plan) =>
    plan.relays.some(({ name }) => name.startsWith('bad')) ? 'refused' : undefined;
  return dataPlane;
}

/**
 * Lets the process end at every write of a command in turn, and hands the restarted node to a check
 * each time. The last round needs no crash any more.
 */
async function atEveryWrite(
  prepare: (
    node: ControlNode,
  ) => Promise<(node: ControlNode) => ReturnType<ControlNode['execute']>>,
  check: (node: ControlNode, reply: Awaited<ReturnType<ControlNode['execute']>>) => Promise<void>,
): Promise<number> {
  for (let write = 1; write <= WRITES_MAX; write += 1) {
    for (const isDurable of MOMENTS) {
      const point = new CrashPoint();
      const node = await openWithRelay({ intercept: point.intercept, dataPlane: pickyPlane() });
      const command = await prepare(node);
      point.arm(write, isDurable);
      const reply = await command(node);
      if (!point.isReached) return write - 1;
      const unanswered =
        reply.kind === 'completed' ? reply.outcome.disposition.t : reply.error.code;
      expect(unanswered, 'CP-15').toBe('OutcomeUnknown');
      expect(node.plane.unreadyReason()).toMatch(/consensus storage stopped/);
      const restarted = await node.restart({ dataPlane: pickyPlane() });
      await check(restarted, await command(restarted));
    }
  }
  throw new Error(`the command has more than ${WRITES_MAX} writes`);
}

/** Nothing is held, stored or locked any more for what has ended. */
function expectNothingLeft({ state, context, dataPlane }: ControlNode): void {
  expect(state.leases(), 'CP-19').toEqual([]);
  expect(state.executions(), 'CP-16').toEqual([]);
  expect(state.contentOwners()).toEqual([]);
  expect(state.domain('d'), 'CP-105').not.toHaveProperty('pausedBy');
  expect(context.locks.ownerOf('d')).toBeUndefined();
  expect(dataPlane.held.size).toBe(0);
}

function relays(node: ControlNode): readonly string[] {
  return [...node.state.models('d').values()]
    .filter(({ kind }) => kind === 'relay')
    .map(({ name }) => name)
    .sort();
}

const Q = 'CREATE RELAY q SCHEMA s UNBRANCHED CAPACITY 8;';
const BAD = 'CREATE RELAY bad SCHEMA s UNBRANCHED CAPACITY 8;';

async function transactionOf(node: ControlNode, statements: readonly string[]): Promise<string> {
  const transaction = await node.begin();
  for (const statement of statements) await node.run(statement, { transaction });
  return transaction;
}

describe('CS-92 CP-15: a crash at every write', () => {
  test.each(['CREATE SCHEMA x (a BOOL);', 'DROP RELAY r;', 'START;', 'STOP;', 'CREATE DOMAIN e;'])(
    'of %s: repeating the reference completes it exactly once',
    async (statement) => {
      const writes = await atEveryWrite(
        async (node) => {
          if (statement === 'STOP;') await node.run('START;');
          const execution_reference = node.reference();
          return (any) => any.execute(statement, { execution_reference });
        },
        async (node, reply) => {
          expect(reply.kind).toBe('completed');
          const isRunning = statement === 'START;';
          expect(node.state.domain('d')?.status).toBe(isRunning ? 'running' : 'stopped');
          expect(node.dataPlane.plans.has('d')).toBe(isRunning);
          expect(node.state.domain('d')?.generation).toBe(
            statement === 'START;' || statement === 'STOP;' ? 1 : 0,
          );
        },
      );
      // What has to be brought up or to end has its outcome when that is done.
      expect(writes).toBe(statement === 'START;' || statement === 'STOP;' ? 2 : 1);
    },
  );

  test.each([
    ['CREATE PLACEMENT p FROM r TO r NEUTRAL;', 1],
    ['ALTER PLACEMENT near SET RANK 3, RENAME TO p;', 1],
    ['DROP PLACEMENT near;', 1],
    ['ALTER DOMAIN SET PLACEMENT PREFER COLOCATION;', 1],
    ['RELOCATE RELAY r ONTO NODE n1 FOLLOW PREFERENCES;', 1],
    ['REBALANCE;', 1],
    ['CORDON NODE n1;', 1],
    // The second write places what waited; a restart does that too.
    ['UNCORDON NODE n1;', 2],
  ])('of %s: it happens once, and every relay has one place', async (statement, expected) => {
    const writes = await atEveryWrite(
      async (node) => {
        await node.run('CREATE PLACEMENT near FROM r TO r NEUTRAL;');
        if (statement === 'UNCORDON NODE n1;') {
          await node.run('CORDON NODE n1;');
          await node.run(Q);
        }
        const execution_reference = node.reference();
        return (any) => any.execute(statement, { execution_reference });
      },
      async (node, reply) => {
        expect(reply.kind).toBe('completed');
        const schedule = node.state.schedule('d').map(({ name, nodes }) => [name, ...nodes]);
        expect(schedule).toEqual(relays(node).map((name) => [name, 'n1']));
        expect(node.state.isCordoned('n1')).toBe(statement === 'CORDON NODE n1;');
      },
    );
    expect(writes).toBe(expected);
  });

  test('CP-98, CP-109: of a COMMIT: its steps happen once, in order, all of them', async () => {
    const writes = await atEveryWrite(
      async (node) => {
        const transaction = await transactionOf(node, [
          Q,
          'START;',
          'DROP RELAY r;',
          'STOP;',
          'START;',
        ]);
        const execution_reference = node.reference();
        return (any) => any.execute('COMMIT;', { transaction, execution_reference });
      },
      async (node, reply) => {
        expect(reply.kind === 'failed' ? reply.error.message : '').toBe('');
        if (reply.kind !== 'completed') return;
        expect(reply.outcome.message).toBe('quiesce level: DOMAIN_PAUSE');
        expect(reply.outcome.transaction).toMatchObject({
          state: 'Committed',
          applied_operations: 5,
        });
        expect(relays(node)).toEqual(['q']);
        expect(node.dataPlane.relaysOf('d')).toEqual(['q']);
        expect(node.state.domain('d')).toMatchObject({ status: 'running', generation: 2 });
      },
    );
    // Admission; a step of a stopped domain; START, effect and completion; a pause that is asked for
    // before its effect and its completion; STOP and START; the end with the outcome of the reference.
    expect(writes).toBe(12);
  });

  test.each([
    ['model step', ['START;', BAD, 'STOP;']],
    ['START step', [BAD, 'START;', 'CREATE SCHEMA x (a BOOL);']],
  ])(
    'CP-102: of a COMMIT whose %s cannot be activated: it never counts as committed',
    async (_name, statements) => {
      await atEveryWrite(
        async (node) => {
          const transaction = await transactionOf(node, statements);
          const execution_reference = node.reference();
          return (any) => any.execute('COMMIT;', { transaction, execution_reference });
        },
        async (node, reply) => {
          expect(reply.kind).toBe('failed');
          if (reply.kind !== 'failed') return;
          const { transaction, message } = reply.error;
          expect(transaction?.state, message).toBe('Failed');
          expect(message).toMatch(
            /^(failed to (publish schedule for|start) domain 'd'|transaction '\S+' committed the effect)/,
          );
          const applied = statements.slice(0, transaction?.applied_operations);
          expect(applied, 'nothing behind the failed step').not.toContain(statements[2]);
          expect(node.state.models('d').has(modelKey('schema', 'x'))).toBe(false);
          expect(relays(node).includes('bad')).toBe(applied.includes(BAD));
          const isRunning = applied.includes('START;');
          expect(node.state.domain('d')?.status).toBe(isRunning ? 'running' : 'stopped');
          if (!relays(node).includes('bad')) {
            expect(node.dataPlane.relaysOf('d')).toEqual(isRunning ? relays(node) : []);
          }
        },
      );
    },
  );

  test('CP-104: of a change that cannot be activated: it stays, and says so every time', async () => {
    await atEveryWrite(
      async (node) => {
        await node.run('START;');
        const execution_reference = node.reference();
        return (any) => any.execute(BAD, { execution_reference });
      },
      async (node, reply) => {
        expect(reply.kind === 'failed' ? reply.error.code : reply.kind).toBe('ACTIVATION_FAILED');
        expect(relays(node)).toEqual(['bad', 'r']);
        expect(node.context.activation.failureOf('d')).toContain('refused');
        // Behind the effect nothing else of the domain can be brought up by a new process.
        expect(['', 'r']).toContain(node.dataPlane.relaysOf('d').join());
        expectNothingLeft(node);
      },
    );
  });

  test('CP-24: of a START that cannot be activated: the domain is stopped, and nothing is left', async () => {
    const writes = await atEveryWrite(
      async (node) => {
        await node.run(BAD);
        const execution_reference = node.reference();
        return (any) => any.execute('START;', { execution_reference });
      },
      async (node, reply) => {
        expect(reply.kind === 'failed' ? reply.error.message : reply.kind).toMatch(
          /^failed to start domain 'd': .*refused$/,
        );
        expect(node.state.domain('d')).toMatchObject({ status: 'stopped', generation: 1 });
        expect(node.dataPlane.plans.size).toBe(0);
        expectNothingLeft(node);
      },
    );
    // What was taken back has its outcome when it has ended everywhere.
    expect(writes).toBe(3);
  });

  test('CP-54: of an append: the statement is queued once', async () => {
    await atEveryWrite(
      async (node) => {
        const transaction = await node.begin();
        const execution_reference = node.reference();
        return (any) => any.execute(Q, { transaction, execution_reference });
      },
      async (_node, reply) => {
        const transaction =
          reply.kind === 'completed' ? reply.outcome.transaction : reply.error.transaction;
        expect([reply.kind, transaction?.accepted_operations]).toEqual(['completed', 1]);
      },
    );
  });
});

const REKEY = 'ALTER DEDUPLICATOR once SET DEDUPLICATE ON input.id, input.tenant;';

/** Lives of a node behind its first end: as the same process or another, with a recovery or without. */
const LIVES: readonly (readonly [string, Omit<ControlNodeSetup, 'disk' | 'clock'>])[] = [
  ['the same process', {}],
  ['another process', { incarnation: { admitted: 'i2', observed: 'i2' } }],
  [
    'another process that only answers',
    { incarnation: { admitted: 'i2', observed: 'i2' }, isIdle: true },
  ],
];

/** Starts a node that may end at a write of its recovery, and another one if it does. */
async function startedAgain(
  ended: ControlNode,
  setup: Omit<ControlNodeSetup, 'disk' | 'clock'>,
  write: number,
): Promise<{ readonly node: ControlNode; readonly point: CrashPoint }> {
  const point = new CrashPoint();
  point.arm(write, false);
  ended.disk.crash();
  await ended.close();
  const { disk, clock } = ended;
  const place = { ...setup, disk, clock };
  try {
    const node = await openControlNode({ ...place, intercept: point.intercept });
    return { node, point };
  } catch (error) {
    if (!point.isReached) throw error;
    disk.crash();
    return { node: await openControlNode(place), point };
  }
}

describe('CP-16, CP-104, CP-106, CP-144: a statement by itself, of a domain that runs', () => {
  /** Each with the writes that it needs, and what it makes of the domain. */
  const STATEMENTS: readonly (readonly [
    string,
    number,
    (node: ControlNode) => unknown,
    unknown,
  ])[] = [
    [Q, 3, relays, ['p', 'q', 'r']],
    ['DROP DEDUPLICATOR once;', 3, (node) => modelOf(node, 'deduplicator', 'once'), undefined],
    [REKEY, 3, (node) => keysOf(node), 2],
    [
      'ALTER RELAY r SET CAPACITY 16;',
      2,
      (node) => node.dataPlane.plans.get('d')?.relays.find(({ name }) => name === 'r')?.capacity,
      16,
    ],
    ['CREATE SCHEMA x (a BOOL);', 2, (node) => modelOf(node, 'schema', 'x')?.name, 'x'],
    ['CREATE VHOST h shop.example;', 2, (node) => modelOf(node, 'vhost', 'h')?.name, 'h'],
    [
      'ALTER DOMAIN SET PLACEMENT PREFER COLOCATION;',
      1,
      (node) => node.state.domain('d')?.placement,
      'PREFER COLOCATION',
    ],
    ['CREATE IF NOT EXISTS SCHEMA s (a BOOL);', 1, relays, ['p', 'r']],
    [
      'CREATE RESOURCE files;',
      1,
      ({ state }) => state.resources.resource('d', 'files')?.name,
      'files',
    ],
    [
      'STOP;',
      2,
      ({ state, dataPlane }) => [state.domain('d')?.status, dataPlane.plans.size],
      ['stopped', 0],
    ],
    ['START;', 2, (node) => node.dataPlane.relaysOf('d'), ['p', 'r']],
    [
      'ALTER PLACEMENT near SET RANK 3, RENAME TO far;',
      1,
      (node) => [modelOf(node, 'placement', 'near'), modelOf(node, 'placement', 'far')?.name],
      [undefined, 'far'],
    ],
    ['ALTER SCHEMA s ADD FIELD note STRING OPTIONAL;', 3, fieldsOf, ['id', 'tenant', 'note']],
  ];

  /** Of each number of writes one. */
  const TWICE = new Set([Q, 'ALTER RELAY r SET CAPACITY 16;', 'CREATE RESOURCE files;']);

  async function openRunning(intercept?: CrashPoint['intercept']): Promise<ControlNode> {
    const node = await openWithRelay(intercept === undefined ? {} : { intercept });
    await node.run('CREATE RELAY p SCHEMA s UNBRANCHED CAPACITY 8;');
    await node.run(`CREATE DEDUPLICATOR once FROM r DEDUPLICATE ON input.id MAX TIME 10m UNBRANCHED
      TO p INHERIT ALL FLUSH IMMEDIATE ON MESSAGE ERROR LOG;`);
    await node.run('CREATE PLACEMENT near FROM r TO r NEUTRAL;');
    await node.run('START;');
    return node;
  }

  /** Ends the node at a write of a statement; undefined where it has no such write. */
  async function endedAt(statement: string, write: number, isDurable: boolean) {
    const point = new CrashPoint();
    const node = await openRunning(point.intercept);
    if (statement === 'START;') await node.run('STOP;');
    const execution_reference = node.reference();
    point.arm(write, isDurable);
    await node.execute(statement, { execution_reference });
    return point.isReached ? { node, execution_reference } : undefined;
  }

  /** Ends a node at a write and the next one at another; what remains is to be as if neither had. */
  async function survives(
    [statement, , seen, made]: (typeof STATEMENTS)[number],
    [life, setup]: (typeof LIVES)[number],
    at: { readonly write: number; readonly isDurable: boolean; readonly again: number },
  ): Promise<'ended once' | 'ended twice'> {
    const ended = await endedAt(statement, at.write, at.isDurable);
    if (ended === undefined) throw new Error(`${statement} has no write ${at.write}`);
    const { execution_reference } = ended;
    const { node: second, point } = await startedAgain(ended.node, setup, at.again);
    const first = await second.execute(statement, { execution_reference });
    const isCut = point.isReached && isUnknown(first);
    const node = isCut ? await second.restart(setup) : second;
    const reply = isCut ? await node.execute(statement, { execution_reference }) : first;
    const place = `${life}, ${JSON.stringify(at)}`;
    expect(reply.kind === 'failed' ? reply.error.message : '', place).toBe('');
    const repeated = await node.run(statement, { execution_reference });
    expect(repeated, place).toMatchObject({ origin: 'Recovered' });
    expect(seen(node), place).toEqual(made);
    expect(node.state.domain('d')?.generation, place).toBe(statement === 'START;' ? 2 : 1);
    expectNothingLeft(node);
    return point.isReached ? 'ended twice' : 'ended once';
  }

  /** Before each write in turn, and behind the last: behind one is before the next. */
  const positions = (writes: number) => [
    ...Array.from({ length: writes }, (_, index) => ({ write: index + 1, isDurable: false })),
    { write: writes, isDurable: true },
  ];
  const never = Number.POSITIVE_INFINITY;

  test.each(STATEMENTS)('%s is completed once, whenever a node ends', async (...each) => {
    const [statement, writes] = each;
    expect(await endedAt(statement, writes + 1, false), 'synced writes').toBeUndefined();
    for (const life of LIVES) {
      for (const at of positions(writes)) {
        expect(await survives(each, life, { ...at, again: never })).toBe('ended once');
      }
    }
  });

  test.each(STATEMENTS.filter(([statement]) => TWICE.has(statement)))(
    '%s is completed once, also where two nodes end',
    async (...each) => {
      const [, another] = LIVES;
      if (another === undefined) throw new Error('there is another process');
      for (const at of positions(each[1])) {
        let again = 1;
        while ((await survives(each, another, { ...at, again })) === 'ended twice') again += 1;
        expect(again).toBeLessThanOrEqual(WRITES_MAX);
      }
    },
  );
});

function isUnknown(reply: Awaited<ReturnType<ControlNode['execute']>>): boolean {
  return reply.kind === 'completed'
    ? reply.outcome.disposition.t === 'OutcomeUnknown'
    : reply.error.code === 'STORAGE_FAILED';
}

function modelOf(node: ControlNode, kind: ModelKind, name: string) {
  return node.state.models('d').get(modelKey(kind, name));
}

function fieldsOf(node: ControlNode): readonly string[] {
  const schema = modelOf(node, 'schema', 's');
  return schema?.kind === 'schema' ? schema.fields.map(({ name }) => name) : [];
}

/** How many keys the deduplicator has, where what runs is what is stored. */
function keysOf(node: ControlNode): number | undefined {
  const model = modelOf(node, 'deduplicator', 'once');
  const [plan] = node.dataPlane.plans.get('d')?.processors ?? [];
  if (model?.kind !== 'deduplicator' || plan?.kind !== 'deduplicator') return undefined;
  return model.deduplicateOn.length === plan.keys.length ? plan.keys.length : undefined;
}

describe('limits of the log', () => {
  test('a statement that is too large for an entry is a definite refusal', async () => {
    const node = await openWithRelay();
    const fields = Array.from({ length: 60_000 }, (_, index) => `field_number_${index} I64`);
    const error = await node.refuse(`CREATE SCHEMA wide (${fields.join(', ')});`);
    expect([error.code, error.message]).toEqual([
      'LIMIT_REACHED',
      "schema 'wide' holds 60000 fields, above 16384",
    ]);
    expect(node.state.models('d').size).toBe(2);
    await node.run('CREATE SCHEMA x (a BOOL);');
  });

  test('what was accepted can be committed, however much the log let in', async () => {
    const node = await openWithRelay();
    const transaction = await node.begin();
    const fields = Array.from({ length: 1_500 }, (_, index) => `f${index} I64`).join(', ');
    let accepted = 0;
    for (;;) {
      const statement = `CREATE SCHEMA s${accepted} (${fields});`;
      const reply = await node.execute(statement, { transaction });
      if (reply.kind === 'failed') {
        expect(reply.error.code).toBe('LIMIT_REACHED');
        expect(reply.error.transaction).toMatchObject({
          state: 'Open',
          accepted_operations: accepted,
        });
        break;
      }
      accepted += 1;
    }
    expect(accepted).toBeGreaterThan(5);
    const outcome = await node.run('COMMIT;', { transaction });
    expect(outcome.transaction?.applied_operations).toBe(accepted);
    expect(node.state.models('d').size).toBe(2 + accepted);
  });
});
