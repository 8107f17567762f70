import { describe, expect, test } from 'vitest';
import { sweepTransactions } from '../../src/control-plane/transactions/expire.ts';
import { type ControlNode, openWithRelay, START_MS, until } from '../support/control-node.ts';
import { WriteGate } from '../support/write-gate.ts';

const X = 'CREATE SCHEMA x (id I64);';
const Y = 'CREATE SCHEMA y (id I64);';

describe('BEGIN', () => {
  test('CP-39: names the transaction by the reference of its request', async () => {
    const node = await openWithRelay();
    const execution_reference = node.reference();
    const outcome = await node.run('BEGIN;', { execution_reference });
    expect(outcome).toMatchObject({
      message: `transaction started: id '${execution_reference}'`,
      transaction: {
        id: execution_reference,
        domain: 'd',
        state: 'Open',
        accepted_operations: 0,
        applied_operations: 0,
      },
    });
    const again = await node.run('BEGIN;', { execution_reference });
    expect(again).toEqual({ ...outcome, origin: 'Recovered' });
    expect(node.state.transactions()).toHaveLength(1);
  });

  test('CP-39, CP-23: needs a selected existing domain', async () => {
    const node = await openWithRelay();
    const unknown = await node.refuse('BEGIN;', { domain: 'nowhere' });
    expect([unknown.code, unknown.message]).toEqual([
      'NOT_FOUND',
      "domain 'nowhere' does not exist",
    ]);
    const { message } = await node.refuse('BEGIN;', { domain: null });
    expect(message).toBe('no active domain selected');
  });

  test('CP-39: inside a transaction is refused, COMMIT and REVERT outside as well', async () => {
    const node = await openWithRelay();
    const transaction = await node.begin();
    const texts = [
      (await node.refuse('BEGIN;', { transaction })).message,
      (await node.refuse('COMMIT;')).message,
      (await node.refuse('REVERT;')).message,
    ];
    expect(texts).toEqual([
      'transaction is already active',
      'COMMIT requires an active transaction',
      'REVERT requires an active transaction',
    ]);
  });

  test('CP-42: no more than the permitted number are live, however they arrive', async () => {
    const node = await openWithRelay({ limits: { transactionMaxOpen: 2 } });
    const replies = await Promise.all([1, 2, 3, 4].map(() => node.execute('BEGIN;')));
    expect(replies.filter(({ kind }) => kind === 'completed')).toHaveLength(2);
    const error = await node.refuse('BEGIN;');
    expect([error.code, error.message]).toEqual([
      'LIMIT_REACHED',
      'concurrent open transaction limit 2 reached',
    ]);
    const [open] = node.state.transactions();
    await node.run('REVERT;', { transaction: open?.id ?? '' });
    await node.run('BEGIN;');
  });
});

describe('grouping', () => {
  test('CP-38: several statements without BEGIN are refused and none runs', async () => {
    const node = await openWithRelay();
    const error = await node.refuse(`${X} ${Y}`);
    expect([error.code, error.message]).toEqual([
      'REQUEST_SHAPE',
      'multiple commands require BEGIN',
    ]);
    expect(node.state.models('d').size).toBe(2);
    expect((await node.refuse('  // nothing\n')).message).toBe('empty command');
  });

  test('CP-38, CP-18: one request may hold a whole transaction', async () => {
    const node = await openWithRelay();
    const outcome = await node.run(`BEGIN; ${X} DROP RELAY r; COMMIT;`);
    expect(outcome.statements?.map(({ message }) => message)).toEqual([
      `transaction started: id '${outcome.transaction?.id}'`,
      'quiesce level: DYNAMIC',
      'quiesce level: DYNAMIC',
      'quiesce level: DYNAMIC',
    ]);
    expect(outcome.message).toBe(outcome.statements?.map(({ message }) => message).join('\n'));
    expect(outcome.transaction).toMatchObject({
      state: 'Committed',
      accepted_operations: 2,
      applied_operations: 2,
    });
    expect([...node.state.models('d').keys()].sort()).toEqual(['schema/s', 'schema/x']);
  });

  test('CP-54: such a request repeated as a whole has no further effect', async () => {
    const node = await openWithRelay();
    const asked = { execution_reference: node.reference() };
    const first = await node.run(`BEGIN; ${X} START; COMMIT;`, asked);
    const second = await node.run(`BEGIN; ${X} START; COMMIT;`, asked);
    expect(second).toEqual({ ...first, origin: 'Recovered' });
    expect(node.state.domain('d')?.generation).toBe(1);
  });

  test('CP-18, CP-58 vector B: stops at its first failure and leaves the transaction open', async () => {
    const node = await openWithRelay();
    const error = await node.refuse(`BEGIN; ${X} ${X} COMMIT;`);
    expect(error.statements?.map(({ disposition }) => disposition.t)).toEqual([
      'CommandCompleted',
      'CommandCompleted',
      'RequestFailed',
    ]);
    expect(error.message).toBe(
      'transaction statement failed preflight: transaction operation 2 failed model preflight: ' +
        "model 'x' already exists in domain 'd'",
    );
    const at = `BEGIN; ${X} CREATE SCHEMA `.length;
    expect(error.diagnostics).toEqual([
      { message: "'x' already exists", span: { start: at, end: at + 1 } },
    ]);
    expect(error.transaction).toMatchObject({ state: 'Open', accepted_operations: 1 });
  });
});

describe('append', () => {
  test('CP-56: answers with the level of its step', async () => {
    const node = await openWithRelay();
    const transaction = await node.begin();
    expect(await node.text(X, { transaction })).toBe('quiesce level: DYNAMIC');
    expect(await node.text('START;', { transaction })).toBe('quiesce level: DYNAMIC');
    expect(await node.text('DROP RELAY r;', { transaction })).toBe('quiesce level: DOMAIN_PAUSE');
  });

  test('CP-56, CP-34: IF NOT EXISTS meets the committed state and the prefix', async () => {
    const node = await openWithRelay();
    const transaction = await node.begin();
    await node.run(X, { transaction });
    for (const name of ['s', 'x']) {
      const outcome = await node.run(`CREATE IF NOT EXISTS SCHEMA ${name} (other BOOL);`, {
        transaction,
      });
      expect(outcome.message).toBe(`model '${name}' already exists; quiesce level: DYNAMIC`);
      expect(outcome.disposition).toEqual({ t: 'CommandCompleted', already_existed: true });
    }
    await node.run('COMMIT;', { transaction });
    expect(await node.text('SHOW CREATE SCHEMA x;')).toContain('id I64');
  });

  test('CP-58 vector A: a missing part may follow, but not behind another step', async () => {
    const node = await openWithRelay();
    const transaction = await node.begin();
    const q = 'CREATE RELAY q SCHEMA late UNBRANCHED CAPACITY 8;';
    expect(await node.text(q, { transaction })).toBe('quiesce level: DYNAMIC');
    const error = await node.refuse('START;', { transaction });
    expect(error.message).toBe(
      'transaction statement failed preflight: transaction operation 1 failed model preflight: ' +
        "model 'q' in domain 'd' requires missing schema 'late'",
    );
    expect(error.transaction).toMatchObject({ state: 'Open', accepted_operations: 1 });
    await node.run('CREATE SCHEMA late (id I64);', { transaction });
    await node.run('START;', { transaction });
    await node.run('COMMIT;', { transaction });
    expect(node.dataPlane.relaysOf('d')).toEqual(['q', 'r']);
  });

  test('CP-58: faults of the statement alone are never provisional', async () => {
    const node = await openWithRelay();
    const transaction = await node.begin();
    expect((await node.refuse('DROP SCHEMA nothing;', { transaction })).message).toBe(
      'transaction statement failed preflight: transaction operation 1 failed model preflight: ' +
        "model 'nothing' does not exist in domain 'd'",
    );
    const start = await node.refuse('STOP;', { transaction });
    expect(start.message).toBe(
      "transaction statement failed preflight: domain 'd' is already stopped",
    );
  });

  test('CP-53: the expected position is checked before limits and preflight', async () => {
    const node = await openWithRelay();
    const transaction = await node.begin();
    await node.run(X, { transaction, expected_transaction_position: 0 });
    const error = await node.refuse(X, { transaction, expected_transaction_position: 0 });
    expect([error.code, error.message]).toEqual([
      'POSITION_CHANGED',
      `transaction '${transaction}' queue position changed: expected 0, found 1`,
    ]);
    await node.run(Y, { transaction, expected_transaction_position: 1 });
  });

  test('CP-54: an exact repetition is recognised after later appends', async () => {
    const node = await openWithRelay();
    const transaction = await node.begin();
    const asked = { transaction, execution_reference: node.reference() };
    const first = await node.run(X, asked);
    await node.run(Y, { transaction });
    const again = await node.run(X, asked);
    expect([again.origin, again.message]).toEqual(['Recovered', first.message]);
    expect(node.state.transaction(transaction)?.accepted).toBe(2);
    const conflict = await node.refuse('CREATE  SCHEMA x (id I64);', asked);
    expect(conflict.code, 'CP-11: the exact text counts').toBe('EXECUTION_REFERENCE_CONFLICT');
  });

  test('CP-53: another domain, another user and an unknown id are refused', async () => {
    const node = await openWithRelay();
    await node.run('CREATE DOMAIN e;');
    const transaction = await node.begin();
    expect((await node.refuse(X, { transaction, domain: 'e' })).message).toBe(
      `transaction '${transaction}' is bound to domain 'd'; the statement selected domain 'e'`,
    );
    const foreign = await node.refuse(X, { transaction, user: 'bob' });
    expect([foreign.code, foreign.message]).toEqual([
      'PERMISSION_DENIED',
      `transaction '${transaction}' belongs to another user`,
    ]);
    const unknown = node.reference();
    expect((await node.refuse(X, { transaction: unknown, domain: 'd' })).message).toBe(
      `transaction '${unknown}' is unknown`,
    );
  });

  test.each([
    ['CREATE DOMAIN e;', 'CREATE DOMAIN'],
    ["CREATE USER u WITH PASSWORD 'p';", 'CREATE USER'],
    ['SHOW CREATE RELAY r;', 'SHOW'],
    ['SHOW INGESTORS;', 'SHOW'],
    ['DESCRIBE RELAY r;', 'DESCRIBE'],
    ['DESCRIBE DOMAIN;', 'DESCRIBE'],
    ['USE e;', 'statement'],
  ])('CP-52: %s cannot be queued', async (statement, label) => {
    const node = await openWithRelay();
    const transaction = await node.begin();
    const error = await node.refuse(statement, { transaction });
    expect([error.code, error.message]).toEqual([
      'NOT_QUEUEABLE',
      `${label} cannot be queued in a transaction; a transaction applies to one existing domain ` +
        "and queues only that domain's configuration statements",
    ]);
    expect(error.transaction).toMatchObject({ state: 'Open', accepted_operations: 0 });
  });

  test('CP-49: subscriptions cannot be queued', async () => {
    const node = await openWithRelay();
    const transaction = await node.begin();
    const error = await node.refuse('DELETE SUBSCRIPTION w;', { transaction });
    expect(error.message).toBe(
      'session-scoped and client-local statements cannot be queued in a transaction',
    );
  });

  test('CP-52: SHOW TRANSACTIONS alone is answered beside the transaction', async () => {
    const node = await openWithRelay();
    const transaction = await node.begin();
    expect(await node.text('SHOW TRANSACTIONS;', { transaction })).toContain(`id=${transaction}`);
    const error = await node.refuse(`${X} SHOW TRANSACTIONS;`, { transaction });
    expect(error.message).toMatch(
      /^DESCRIBE TRANSACTION and SHOW TRANSACTIONS must be executed separately; /,
    );
    expect(node.state.transaction(transaction)?.accepted, 'nothing of it ran').toBe(0);
  });
});

describe('limits', () => {
  test('CP-42: the number of statements', async () => {
    const node = await openWithRelay({ limits: { transactionMaxStatements: 1 } });
    const transaction = await node.begin();
    await node.run(X, { transaction });
    const error = await node.refuse(Y, { transaction });
    expect([error.code, error.message]).toEqual([
      'LIMIT_REACHED',
      `transaction '${transaction}' queued statement limit 1 reached`,
    ]);
  });

  test('CP-42: the bytes of their text, inclusive and counted in UTF-8', async () => {
    const statement = 'CREATE SCHEMA x ( // ä\nid I64)';
    const bytes = Buffer.byteLength(statement);
    expect(bytes).toBe(statement.length + 1);
    for (const [limit, fits] of [
      [bytes, true],
      [bytes - 1, false],
    ] as const) {
      const node = await openWithRelay({ limits: { transactionMaxSourceBytes: limit } });
      const transaction = await node.begin();
      const reply = await node.execute(statement, { transaction });
      expect(reply.kind).toBe(fits ? 'completed' : 'failed');
      if (reply.kind === 'failed') {
        expect(reply.error.message).toBe(
          `transaction '${transaction}' queued source byte limit ${limit} exceeded`,
        );
      }
    }
  });
});

describe('COMMIT', () => {
  test('CP-111, CP-68: the text is the level; an empty transaction has none', async () => {
    const node = await openWithRelay();
    const empty = await node.run('BEGIN; COMMIT;');
    expect(empty.statements?.[1]?.message).toBe('');
    expect(empty.transaction?.state).toBe('Committed');
    await node.run('START;');
    const transaction = await node.begin();
    await node.run('DROP RELAY r;', { transaction });
    await node.run(X, { transaction });
    expect(await node.text('COMMIT;', { transaction })).toBe('quiesce level: DOMAIN_PAUSE');
  });

  test('CP-110: repeated COMMIT answers again, under any reference', async () => {
    const node = await openWithRelay();
    const transaction = await node.begin();
    await node.run(X, { transaction });
    const first = await node.run('COMMIT;', { transaction });
    const second = await node.run('COMMIT;', { transaction });
    expect([second.message, second.transaction]).toEqual([first.message, first.transaction]);
    const text = `transaction '${transaction}' is not open (state COMMITTED)`;
    expect((await node.refuse(Y, { transaction })).message).toBe(text);
    expect((await node.refuse('REVERT;', { transaction })).message).toBe(text);
  });

  test.each(['admission', 'activation'])('CP-110: a COMMIT during %s is joined', async (phase) => {
    const gate = new WriteGate();
    const node = await openWithRelay({ intercept: gate.intercept });
    const installing = Promise.withResolvers<void>();
    const installed = Promise.withResolvers<undefined>();
    const transaction = await node.begin();
    await node.run('START;', { transaction });
    if (phase === 'admission') gate.shut();
    else {
      node.dataPlane.onInstall = () => {
        installing.resolve();
        return installed.promise;
      };
    }
    const first = node.run('COMMIT;', { transaction });
    if (phase === 'admission') await until(() => gate.isReached);
    else await installing.promise;
    const second = node.run('COMMIT;', { transaction });
    const busy = node.refuse(X);
    gate.open();
    installed.resolve(undefined);
    expect(await busy).toMatchObject({
      code: 'DOMAIN_BUSY',
      message: `domain 'd' mutation is owned by transaction '${transaction}'`,
    });
    expect((await second).message).toBe((await first).message);
    expect(node.state.domain('d')?.generation).toBe(1);
  });

  test('CP-63: a domain that someone else mutates refuses the COMMIT', async () => {
    const node = await openWithRelay();
    const transaction = await node.begin();
    node.context.locks.acquire('d', "command 'c'");
    const error = await node.refuse('COMMIT;', { transaction });
    expect([error.code, error.message]).toEqual([
      'DOMAIN_BUSY',
      `transaction '${transaction}' cannot mutate domain 'd' while it is owned by command 'c'`,
    ]);
    node.context.locks.release('d');
    await node.run('COMMIT;', { transaction });
  });

  test('CP-67: an incomplete candidate ends the transaction and changes nothing', async () => {
    const node = await openWithRelay();
    const transaction = await node.begin();
    await node.run(X, { transaction });
    await node.run('CREATE RELAY q SCHEMA late UNBRANCHED CAPACITY 8;', { transaction });
    const error = await node.refuse('COMMIT;', { transaction });
    expect(error.message).toBe(
      "transaction operation 2 failed: model 'q' in domain 'd' requires missing schema 'late'",
    );
    expect(error.transaction).toEqual({
      id: transaction,
      domain: 'd',
      state: 'Failed',
      accepted_operations: 2,
      applied_operations: 0,
    });
    expect(node.state.models('d').size).toBe(2);
    expect((await node.refuse('COMMIT;', { transaction })).message).toBe(error.message);
    await node.run(X);
  });

  test('CP-67: a change of the domain may refuse a COMMIT but never ends it', async () => {
    const node = await openWithRelay();
    const transaction = await node.begin();
    await node.run(X, { transaction });
    await node.run(X);
    const error = await node.refuse('COMMIT;', { transaction });
    expect(error.message).toBe(
      "transaction operation 1 failed: model 'x' already exists in domain 'd'",
    );
    expect(error.transaction?.state).toBe('Open');
    await node.run('DROP SCHEMA x;');
    await node.run('COMMIT;', { transaction });
  });

  test('CP-67: an append that arrives with the COMMIT of an incomplete candidate', async () => {
    const gate = new WriteGate();
    const node = await openWithRelay({ intercept: gate.intercept });
    const transaction = await node.begin();
    await node.run('CREATE RELAY q SCHEMA late UNBRANCHED CAPACITY 8;', { transaction });
    gate.shut();
    const append = node.run('CREATE SCHEMA late (id I64);', { transaction });
    await until(() => gate.isReached);
    const commit = node.refuse('COMMIT;', { transaction });
    gate.open();
    await append;
    const error = await commit;
    expect([error.code, error.message]).toEqual([
      'INPUTS_CHANGED',
      `transaction '${transaction}' planning inputs changed before commit admission: ` +
        'the transaction changed',
    ]);
    expect(error.transaction?.state).toBe('Open');
    await node.run('COMMIT;', { transaction });
  });

  test('CP-32, CP-30: models may be dropped and made again in one step', async () => {
    const node = await openWithRelay();
    const transaction = await node.begin();
    for (const statement of [
      'DROP SCHEMA s;',
      'DROP RELAY r;',
      'CREATE SCHEMA s (id I64);',
      'CREATE RELAY r SCHEMA s UNBRANCHED CAPACITY 9;',
    ]) {
      await node.run(statement, { transaction });
    }
    await node.run('COMMIT;', { transaction });
    expect(await node.text('SHOW CREATE RELAY r;')).toContain('CAPACITY 9');
  });
});

describe('REVERT', () => {
  test('CP-48: drops the statements and may be repeated', async () => {
    const node = await openWithRelay();
    const transaction = await node.begin();
    await node.run(X, { transaction });
    const text = `transaction reverted: dropped 1 command(s); id '${transaction}'`;
    expect(await node.text('REVERT;', { transaction })).toBe(text);
    expect(await node.text('REVERT;', { transaction })).toBe(text);
    expect(node.state.transaction(transaction)).toMatchObject({
      state: 'REVERTED',
      sourceBytes: 0,
      accepted: 1,
    });
    expect((await node.refuse('COMMIT;', { transaction })).message).toBe(
      `transaction '${transaction}' is not open (state REVERTED)`,
    );
  });

  test('CP-48: of a COMMITTING transaction is refused', async () => {
    const node = await openWithRelay();
    const transaction = await node.begin();
    await node.run('START;', { transaction });
    const installing = Promise.withResolvers<void>();
    const installed = Promise.withResolvers<undefined>();
    node.dataPlane.onInstall = () => {
      installing.resolve();
      return installed.promise;
    };
    const commit = node.run('COMMIT;', { transaction });
    await installing.promise;
    expect((await node.refuse('REVERT;', { transaction })).message).toBe(
      `transaction '${transaction}' is not open (state COMMITTING)`,
    );
    installed.resolve(undefined);
    await commit;
  });
});

describe('expiry', () => {
  async function openAt(idleMs: number): Promise<{ node: ControlNode; transaction: string }> {
    const node = await openWithRelay({ limits: { transactionIdleTimeoutMs: idleMs } });
    return { node, transaction: await node.begin() };
  }
  const expired = (id: string): string => `transaction '${id}' is not open (state EXPIRED)`;

  test('CS-93 CP-43: the deadline is inclusive and needs no sweep', async () => {
    const { node, transaction } = await openAt(250);
    node.clock.nowMs += 249;
    await node.run(X, { transaction });
    node.clock.nowMs += 249;
    await node.run(Y, { transaction });
    node.clock.nowMs += 250;
    for (const statement of ['DROP RELAY r;', 'COMMIT;', 'REVERT;']) {
      const error = await node.refuse(statement, { transaction });
      expect(error.message).toBe(expired(transaction));
    }
  });

  test.each(['COMMIT;', Y])(
    'CP-43: %s that is planned past the deadline finds it expired',
    async (statement) => {
      const { node, transaction } = await openAt(250);
      await node.run(X, { transaction });
      const { placements } = node.context;
      const run = placements.run.bind(placements);
      placements.run = (...given) => {
        node.clock.nowMs += 250;
        return run(...given);
      };
      const before = node.state.transaction(transaction);
      const error = await node.refuse(statement, { transaction });
      expect(error.message).toBe(expired(transaction));
      expect(node.state.transaction(transaction)).toEqual(before);
      expect(node.state.models('d').has('schema/x')).toBe(false);
    },
  );

  test('CP-43: a refused append and a repetition renew nothing', async () => {
    const { node, transaction } = await openAt(250);
    const asked = { transaction, execution_reference: node.reference() };
    await node.run(X, asked);
    node.clock.nowMs += 200;
    await node.refuse(X, { transaction });
    await node.run(X, asked);
    node.clock.nowMs += 50;
    expect((await node.refuse(Y, { transaction })).message).toBe(expired(transaction));
  });

  test('CP-44: a tombstone outlives the transaction, then the id is unknown', async () => {
    const { node, transaction } = await openAt(250);
    node.clock.nowMs += 250;
    await sweepTransactions(node.context);
    expect(node.state.transaction(transaction)?.state).toBe('EXPIRED');
    node.clock.nowMs += 899_999;
    await sweepTransactions(node.context);
    expect((await node.refuse('COMMIT;', { transaction })).message).toBe(expired(transaction));
    node.clock.nowMs += 1;
    await sweepTransactions(node.context);
    const error = await node.refuse('COMMIT;', { transaction });
    expect([error.code, error.message]).toEqual([
      'NOT_FOUND',
      `transaction '${transaction}' is unknown`,
    ]);
  });

  test('CS-93 CP-43: downtime counts', async () => {
    const { node, transaction } = await openAt(250);
    node.clock.nowMs += 10_000;
    const restarted = await node.restart();
    expect((await restarted.refuse('COMMIT;', { transaction })).message).toBe(expired(transaction));
  });

  test('CP-43: activity never moves backward', async () => {
    const { node, transaction } = await openAt(250);
    const { deadlineMs } = node.state.transaction(transaction) ?? {};
    node.clock.nowMs -= 100;
    await node.run(X, { transaction });
    expect(node.state.transaction(transaction)).toMatchObject({
      deadlineMs,
      activeAtMs: START_MS,
    });
  });
});
