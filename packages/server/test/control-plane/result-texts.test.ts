import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { attachTransaction } from '../../src/control-plane/transactions/attach.ts';
import type { TransactionHolder } from '../../src/control-plane/transactions/transaction-bindings.ts';
import { openControlNode, openWithRelay } from '../support/control-node.ts';
import { temporaryFolder } from '../support/resources/open-store.ts';
import { inPieces, tarBytes } from '../support/resources/tar-bytes.ts';

const Q = 'CREATE RELAY q SCHEMA s UNBRANCHED CAPACITY 8;';
const SESSION: TransactionHolder = { kind: 'session' };
const NOTHING_MOVES = 'planned relocations: 0';

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
    const reply = await attachTransaction(node.context, {
      user: 'ada',
      transaction: id,
      holder: SESSION,
      attached: null,
    });
    expect(reply).toMatchObject({ kind: 'attached', message: `attached transaction '${id}'` });
  });

  test('T-2: an append and a COMMIT tell the level', async () => {
    const node = await openWithRelay();
    const transaction = await node.begin();
    expect(await node.text(Q, { transaction })).toBe('quiesce level: DYNAMIC');
    expect(
      await node.text('CREATE IF NOT EXISTS SCHEMA s (id I64);', { transaction }),
      'what is there already',
    ).toBe("model 's' already exists; quiesce level: DYNAMIC");
    expect(await node.text('COMMIT;', { transaction })).toBe('quiesce level: DYNAMIC');
    const empty = await node.begin();
    expect(await node.text('COMMIT;', { transaction: empty })).toBe('');
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

  test('T-5: ALTER names what it altered', async () => {
    const node = await openWithRelay();
    await node.run('CREATE WIRE JSON SCHEMA w MODE STRICT (id INTEGER);');
    await node.run('CREATE PLACEMENT near FROM r TO r NEUTRAL;');
    const effect = `quiesce level: DYNAMIC; ${NOTHING_MOVES}`;
    for (const [statement, words] of [
      ['ALTER SCHEMA s ADD FIELD note STRING OPTIONAL;', "schema 's'"],
      ['ALTER WIRE JSON SCHEMA w ADD FIELD note STRING;', "JSON wire schema 'w'"],
      ['ALTER RELAY r SET CAPACITY 9;', "relay 'r'"],
      ['ALTER PLACEMENT near SET RANK 3;', "placement 'near'"],
    ] as const) {
      expect(await node.text(statement)).toBe(`altered ${words} in domain 'd'; ${effect}`);
    }
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
      const place = { user: 'ada', domain: 'd', resource: 'files', identity };
      const body = inPieces(bytes, 512);
      const reply = await node.plane.upload({ ...place, body, bytes: bytes.length });
      expect(JSON.stringify(reply)).toContain(`uploaded resource version ${version}`);
    }
    expect(await node.text('REBIND RESOURCE files TO VERSION LATEST;')).toBe(
      "rebound 0 of 0 usage(s) of resource 'files' to version 2 (latest)\nquiesce level: DYNAMIC",
    );
  });

  test('T-11: busy, raced, timed out and not published', async () => {
    const node = await openWithRelay();
    const holder = await node.begin();
    await node.context.log.write({
      put: [
        { kind: 'lease', domain: 'd', owner: { kind: 'transaction', id: holder }, pending: null },
      ],
    });
    expect((await node.refuse(Q)).message).toContain('mutation is owned by transaction');
    await node.context.log.write({ remove: ['lease/d'] });
    await node.run('START;');
    node.dataPlane.onInstall = () => 'no room';
    expect((await node.refuse(Q)).message).toContain('failed to publish schedule for domain');
  });

  test('T-12: errors of transactions', async () => {
    const node = await openWithRelay();
    await node.run('CREATE DOMAIN e;');
    const transaction = await node.begin();
    const text = async (query: string, asked = {}) => (await node.refuse(query, asked)).message;
    expect(await text(Q, { transaction, domain: 'e' })).toBe(
      `transaction '${transaction}' is bound to domain 'd'; the statement selected domain 'e'`,
    );
    expect(await text('CREATE DOMAIN f;', { transaction })).toContain(
      'CREATE DOMAIN cannot be queued in a transaction; a transaction applies to one existing ' +
        "domain and queues only that domain's configuration statements",
    );
    expect(await text('BEGIN;', { transaction })).toBe('transaction is already active');
    expect(await text('STOP; START;')).toBe('multiple commands require BEGIN');
    const unknown = node.reference();
    expect(await text('COMMIT;', { transaction: unknown })).toBe(
      `transaction '${unknown}' is unknown`,
    );
  });
});
