import path from 'node:path';
import { RaftError } from '@nervix/consensus';
import { describe, expect, test } from 'vitest';
import { attachTransaction } from '../../src/control-plane/transactions/attach.ts';
import type { TransactionHolder } from '../../src/control-plane/transactions/transaction-bindings.ts';
import type { StateRecord } from '../../src/replicated-state/records.ts';
import { type ControlNode, openControlNode, openWithRelay } from '../support/control-node.ts';
import { drainTimeout } from '../support/drain-timeout.ts';
import { temporaryFolder } from '../support/resources/open-store.ts';
import { inPieces, tarBytes } from '../support/resources/tar-bytes.ts';
import { identityOf } from '../support/users.ts';

const P = 'CREATE RELAY p SCHEMA s UNBRANCHED CAPACITY 8;';
const J = `CREATE JUNCTION j FROM r UNBRANCHED
  TO p INHERIT ALL FLUSH IMMEDIATE ON MESSAGE ERROR LOG;`;
const X = 'CREATE SCHEMA x (id I64);';
const Q = 'CREATE RELAY q SCHEMA s UNBRANCHED CAPACITY 8;';
const SESSION: TransactionHolder = { kind: 'session' };
const FOREIGN: StateRecord = {
  kind: 'model',
  domain: 'd',
  model: { kind: 'schema', name: 'foreign', fields: [] },
};
const NOTHING_MOVES = 'planned relocations: 0';

function attach({ context }: ControlNode, transaction: string, holder: TransactionHolder) {
  return attachTransaction(context, {
    principal: identityOf('ada'),
    transaction,
    holder,
    attached: null,
  });
}

describe('result texts', () => {
  test('T-1: BEGIN names the transaction', async () => {
    const node = await openWithRelay();
    const execution_reference = node.reference();
    expect(await node.text('BEGIN;', { execution_reference })).toBe(
      `transaction started: id '${execution_reference}'`,
    );
  });

  test('T-1: ATTACH does too', async () => {
    const node = await openWithRelay();
    const id = await node.begin();
    const reply = await attach(node, id, SESSION);
    expect(reply).toMatchObject({ kind: 'attached', message: `attached transaction '${id}'` });
  });

  test.each([
    ['DYNAMIC', 'ALTER RELAY r SET CAPACITY 9;'],
    ['ENTITY_PAUSE', 'ALTER JUNCTION j SET DETACHED;'],
    ['DOMAIN_PAUSE', Q],
  ])('T-2: an append and a COMMIT tell the level %s', async (level, statement) => {
    const node = await openWithRelay();
    await node.run(P);
    await node.run(J);
    await node.run('START;');
    const transaction = await node.begin();
    expect(await node.text(statement, { transaction })).toBe(`quiesce level: ${level}`);
    expect(await node.text(X, { transaction }), 'of the whole step').toBe(
      `quiesce level: ${level}`,
    );
    expect(await node.text('COMMIT;', { transaction })).toBe(`quiesce level: ${level}`);
  });

  test('T-2: an append tells what is there already, a COMMIT nothing of nothing', async () => {
    const node = await openWithRelay();
    await node.run('CREATE RESOURCE files;');
    const transaction = await node.begin();
    for (const [statement, what] of [
      ['CREATE IF NOT EXISTS SCHEMA s (id I64);', "model 's'"],
      ['CREATE IF NOT EXISTS RESOURCE files;', "resource 'files'"],
    ] as const) {
      const { message, disposition } = await node.run(statement, { transaction });
      expect(message).toBe(`${what} already exists; quiesce level: DYNAMIC`);
      expect(disposition).toMatchObject({ already_existed: true });
    }
    expect(await node.text('COMMIT;', { transaction })).toBe('quiesce level: DYNAMIC');
    const empty = await node.begin();
    expect(await node.text('COMMIT;', { transaction: empty })).toBe('');
  });

  test('T-2: a COMMIT that fails tells why, and the level of what was held', async () => {
    const node = await openWithRelay();
    await node.run('START;');
    const transaction = await node.begin();
    await node.run(Q, { transaction });
    node.dataPlane.onPrepare = () => drainTimeout('d', ["emitter 'e'"]);
    expect((await node.refuse('COMMIT;', { transaction })).message).toMatch(
      /^timed out draining domain 'd': .*; quiesce level: DYNAMIC$/,
    );
  });

  test('T-3: REVERT counts what it drops', async () => {
    const node = await openWithRelay();
    const transaction = await node.begin();
    await node.run(Q, { transaction });
    expect(await node.text('REVERT;', { transaction })).toBe(
      `transaction reverted: dropped 1 command(s); id '${transaction}'`,
    );
  });

  test('T-4, T-6: CREATE and DROP of a model', async () => {
    const node = await openWithRelay();
    expect(await node.text(Q)).toBe(`quiesce level: DYNAMIC; ${NOTHING_MOVES}`);
    expect(await node.text('DROP RELAY q;')).toBe(
      `dropped model 'q' from domain 'd'; quiesce level: DYNAMIC; ${NOTHING_MOVES}`,
    );
  });

  test('T-7: what exists already is told, and is no failure', async () => {
    const node = await openWithRelay();
    await node.run("CREATE USER bob WITH PASSWORD 'long enough, bob';");
    await node.run('CREATE RESOURCE files;');
    for (const [statement, text] of [
      ['CREATE IF NOT EXISTS SCHEMA s (id I64);', "model 's' already exists in domain 'd'"],
      ['CREATE IF NOT EXISTS DOMAIN d;', "domain 'd' already exists"],
      ["CREATE IF NOT EXISTS USER bob WITH PASSWORD 'x';", "user 'bob' already exists"],
      ['CREATE IF NOT EXISTS RESOURCE files;', "resource 'files' already exists"],
    ] as const) {
      const { message, disposition } = await node.run(statement);
      expect([message, disposition], statement).toMatchObject([text, { already_existed: true }]);
    }
  });

  test('T-8: CREATE of a domain, a user and a resource', async () => {
    const node = await openWithRelay();
    expect(await node.text('CREATE DOMAIN e;')).toBe("created domain 'e'");
    expect(await node.text("CREATE USER bob WITH PASSWORD 'long enough, bob';")).toBe(
      "created user 'bob'",
    );
    expect(await node.text('CREATE RESOURCE files;')).toBe("created resource 'files'");
  });

  test('T-9: START, STOP and ALTER DOMAIN', async () => {
    const node = await openWithRelay();
    const alter = (policy: string) => node.text(`ALTER DOMAIN SET PLACEMENT ${policy};`);
    expect(await node.text('START;')).toBe("starting domain 'd'");
    expect(await alter('PREFER COLOCATION')).toBe(
      `set domain 'd' placement to PREFER COLOCATION; quiesce level: DYNAMIC\n${NOTHING_MOVES}`,
    );
    expect(await alter('PREFER COLOCATION')).toBe(
      `domain 'd' placement is already PREFER COLOCATION; quiesce level: DYNAMIC\n${NOTHING_MOVES}`,
    );
    expect(await node.text('STOP;')).toBe("stopped domain 'd'");
  });

  test('T-10: UPLOAD and REBIND tell the version', async () => {
    const directory = path.join(await temporaryFolder(), 'resources');
    const node = await openControlNode({ resources: { directory } });
    await node.run('CREATE DOMAIN d;');
    await node.run('CREATE RESOURCE files;');
    const bytes = tarBytes([{ path: 'a', content: 'a' }]);
    for (const [identity, version] of [
      ['x', 1],
      ['y', 2],
    ] as const) {
      const place = { owner: identityOf('ada'), domain: 'd', resource: 'files', identity };
      const body = inPieces(bytes, 512);
      const reply = await node.plane.upload({ ...place, body, bytes: bytes.length });
      expect(JSON.stringify(reply)).toContain(`uploaded resource version ${version}`);
    }
    expect(await node.text('REBIND RESOURCE files TO VERSION LATEST;')).toBe(
      "rebound 0 of 0 usage(s) of resource 'files' to version 2 (latest)\nquiesce level: DYNAMIC",
    );
  });

  test.each([
    ['transaction', (id: string) => ({ kind: 'transaction', id }) as const],
    ['command', (reference: string) => ({ kind: 'command', reference }) as const],
  ])('T-11: a domain is busy for a %s', async (kind, ownerOf) => {
    const node = await openWithRelay();
    const owner = node.reference();
    await node.context.log.write({
      put: [{ kind: 'lease', domain: 'd', owner: ownerOf(owner) }],
    });
    expect((await node.refuse(Q)).message).toBe(
      `domain 'd' mutation is owned by ${kind} '${owner}'`,
    );
    const transaction = await node.begin();
    await node.run(Q, { transaction });
    expect((await node.refuse('COMMIT;', { transaction })).message).toBe(
      `transaction '${transaction}' cannot mutate domain 'd' while it is owned by ${kind} '${owner}'`,
    );
  });

  test('T-11: one that is altered names the command, which has the lease before any lock', async () => {
    const node = await openWithRelay();
    await node.run('START;');
    const refusals: string[] = [];
    node.dataPlane.onPrepare = async () => {
      node.dataPlane.onPrepare = () => undefined;
      refusals.push((await node.refuse('ALTER RELAY r SET CAPACITY 9;')).message);
      return undefined;
    };
    const execution_reference = node.reference();
    await node.run(Q, { execution_reference });
    expect(refusals).toEqual([`domain 'd' mutation is owned by command '${execution_reference}'`]);
  });

  test('T-11: a drain that takes too long', async () => {
    const node = await openWithRelay();
    await node.run('START;');
    node.dataPlane.onPrepare = () => drainTimeout('d', ["emitter 'e'"]);
    const { code, message } = await node.refuse(Q);
    expect([code, message]).toEqual([
      'QUIESCE_FAILED',
      expect.stringMatching(/^timed out draining domain 'd': /),
    ]);
  });

  test('T-11: inputs that change during a commit', async () => {
    const node = await openWithRelay();
    const transaction = await node.begin();
    for (const statement of ['START;', X]) await node.run(statement, { transaction });
    node.dataPlane.onInstall = async () => {
      await node.context.log.write({ put: [FOREIGN] });
      return undefined;
    };
    const { code, message } = await node.refuse('COMMIT;', { transaction });
    expect([code, message]).toEqual([
      'INPUTS_CHANGED',
      expect.stringContaining(`transaction '${transaction}' planning inputs changed: `),
    ]);
  });

  test('T-11: a schedule that cannot be published', async () => {
    const node = await openWithRelay();
    await node.run('START;');
    const { log } = node.context;
    const write = log.write.bind(log);
    log.write = async (command) => {
      if (!command.put?.some(({ kind }) => kind === 'model')) return write(command);
      throw new RaftError('RAFT_ENTRY_TOO_LARGE', { bytes: 9, bytesMax: 8 });
    };
    expect((await node.refuse(Q)).message).toBe(
      "failed to publish schedule for domain 'd': command too large: 9 bytes, at most 8 are allowed",
    );
  });

  test('T-12: a statement of another domain, and one that is no content', async () => {
    const node = await openWithRelay();
    await node.run('CREATE DOMAIN e;');
    const transaction = await node.begin();
    const text = async (query: string, asked = {}) => (await node.refuse(query, asked)).message;
    expect(await text(Q, { transaction, domain: 'e' })).toBe(
      `transaction '${transaction}' is bound to domain 'd'; the statement selected domain 'e'`,
    );
    expect(await text('CREATE DOMAIN f;', { transaction })).toBe(
      'CREATE DOMAIN cannot be queued in a transaction; a transaction applies to one existing ' +
        "domain and queues only that domain's configuration statements",
    );
    expect(await text('BEGIN;', { transaction })).toBe('transaction is already active');
    expect(await text('STOP; START;')).toBe('multiple commands require BEGIN');
  });

  test('T-12: what is unknown, to every statement and to ATTACH', async () => {
    const node = await openWithRelay();
    const transaction = node.reference();
    const message = `transaction '${transaction}' is unknown`;
    for (const statement of [Q, 'COMMIT;', 'REVERT;', `DESCRIBE TRANSACTION '${transaction}';`]) {
      const asked = statement.startsWith('DESCRIBE') ? {} : { transaction };
      expect((await node.refuse(statement, asked)).message, statement).toBe(message);
    }
    expect(await attach(node, transaction, SESSION)).toMatchObject({ refusal: { message } });
  });

  test('T-12: a session from which another took the transaction', async () => {
    const node = await openWithRelay();
    const transaction = await node.begin();
    const other: TransactionHolder = { kind: 'session' };
    await attach(node, transaction, SESSION);
    await attach(node, transaction, other);
    const position = { expected_transaction_position: 0 };
    const run = (query: string, holder: TransactionHolder) =>
      node.executor.execute({ query, domain: 'd', ...position }, identityOf('ada'), {
        holder,
        attached: transaction,
        admission: { admit: () => true },
      });
    for (const query of [Q, 'COMMIT;', 'REVERT;']) {
      expect(await run(query, SESSION), query).toMatchObject({
        error: { message: `transaction '${transaction}' was taken over by another session` },
      });
    }
    expect(await run(Q, other)).toMatchObject({ kind: 'completed' });
  });

  test.each([
    ['COMMITTED', (node: ControlNode, transaction: string) => node.run('COMMIT;', { transaction })],
    ['REVERTED', (node: ControlNode, transaction: string) => node.run('REVERT;', { transaction })],
    [
      'FAILED',
      (node: ControlNode, transaction: string) => {
        node.dataPlane.onPrepare = () => drainTimeout('d', ["emitter 'e'"]);
        return node.refuse('COMMIT;', { transaction });
      },
    ],
    [
      'EXPIRED',
      async (node: ControlNode) => {
        node.clock.nowMs += node.context.limits.transactionIdleTimeoutMs;
      },
    ],
  ] as const)('T-12: ATTACH of one that is %s', async (state, end) => {
    const node = await openWithRelay();
    await node.run('START;');
    const transaction = await node.begin();
    await node.run(Q, { transaction });
    await end(node, transaction);
    expect(await attach(node, transaction, SESSION)).toMatchObject({
      kind: 'finished',
      message: `transaction '${transaction}' finished with outcome ${state}`,
    });
  });
});
