import { describe, expect, test } from 'vitest';
import { type ControlNode, openWithRelay, until } from '../support/control-node.ts';
import { RecordingSink } from '../support/recording-sink.ts';

/** A node with the users ada and bob. */
async function openWithUsers(): Promise<ControlNode> {
  const node = await openWithRelay();
  for (const name of ['ada', 'bob']) await node.run(`CREATE USER ${name} WITH PASSWORD 'old';`);
  return node;
}

describe('CP-142: ALTER USER', () => {
  test('replaces the hash, and neither tells nor keeps the password', async () => {
    const node = await openWithUsers();
    const text = await node.text("ALTER USER Bob SET PASSWORD 'fresh';");
    expect(text).toBe("altered user 'bob'");
    expect(node.plane.user('bob')?.passwordHash).toBe('hash of fresh');
    expect(node.plane.user('ada')?.passwordHash).toBe('hash of old');
    const kept = JSON.stringify([[...node.state.references()], node.logLines]);
    expect(kept).not.toContain('fresh');
    expect((await node.restart()).plane.user('bob')?.passwordHash).toBe('hash of fresh');
  });

  test('of nobody is refused, also when the user is dropped while its password is hashed', async () => {
    const node = await openWithUsers();
    const error = await node.refuse("ALTER USER eve SET PASSWORD 'p';");
    expect([error.code, error.message]).toEqual(['NOT_FOUND', "user 'eve' does not exist"]);
    const replies = await Promise.all([
      node.execute("ALTER USER bob SET PASSWORD 'p';"),
      node.execute('DROP USER bob;'),
    ]);
    expect(replies[1]?.kind).toBe('completed');
    expect(node.plane.user('bob')?.passwordHash).toBe(undefined);
  });

  test('is repeated under its reference without another hash', async () => {
    const node = await openWithUsers();
    const execution_reference = node.reference();
    await node.run("ALTER USER bob SET PASSWORD 'p';", { execution_reference });
    const again = await node.run("ALTER USER bob SET PASSWORD 'q';", { execution_reference });
    expect(again.origin).toBe('Recovered');
    expect(node.plane.user('bob')?.passwordHash).toBe('hash of p');
  });
});

describe('CP-143: DROP USER', () => {
  test('reverts open transactions, keeps finished ones and others', async () => {
    const node = await openWithUsers();
    const mine = await node.begin({ user: 'bob' });
    const other = await node.begin({ user: 'ada' });
    const done = await node.begin({ user: 'bob' });
    await node.run('CREATE SCHEMA x (id I64);', { transaction: done, user: 'bob' });
    await node.run('COMMIT;', { transaction: done, user: 'bob' });
    expect(await node.text('DROP USER bob;')).toBe("dropped user 'bob'");
    const states = [mine, other, done].map((id) => node.state.transaction(id)?.state);
    expect(states).toEqual(['REVERTED', 'OPEN', 'COMMITTED']);
    expect(node.state.transaction(done)?.owner.user).toBe('bob');
    const restarted = await node.restart();
    expect(restarted.plane.user('bob')?.passwordHash).toBe(undefined);
    expect((await restarted.refuse('DROP USER bob;')).message).toBe("user 'bob' does not exist");
  });

  test('refuses the last user', async () => {
    const node = await openWithUsers();
    await node.run('DROP USER bob;');
    const error = await node.refuse('DROP USER ada;');
    expect([error.code, error.message]).toEqual([
      'IN_USE',
      "user 'ada' is the last one with every capability on the cluster",
    ]);
  });

  test('of users that drop each other at once one remains', async () => {
    const node = await openWithUsers();
    await node.run("CREATE USER eve WITH PASSWORD 'p';");
    const names = ['ada', 'bob', 'eve'];
    const replies = await Promise.all(names.map((name) => node.execute(`DROP USER ${name};`)));
    expect(replies.filter(({ kind }) => kind === 'completed')).toHaveLength(2);
    expect(node.state.users()).toHaveLength(1);
  });

  test.each<readonly string[]>([
    ['DROP USER bob;', 'BEGIN;', 'BEGIN;'],
    ['BEGIN;', 'DROP USER bob;', 'BEGIN;'],
    ['BEGIN;', 'BEGIN;', 'DROP USER bob;'],
  ])('leaves no transaction of a BEGIN that arrives with it: %s %s %s', async (...texts) => {
    const node = await openWithUsers();
    await Promise.all(
      texts.map((text) => node.execute(text, { user: text[0] === 'B' ? 'bob' : 'ada' })),
    );
    expect(node.plane.user('bob')?.passwordHash).toBe(undefined);
    const open = node.state.transactions().filter(({ state }) => state === 'OPEN');
    expect(open).toEqual([]);
  });

  test('CP-142: a changed password keeps no BEGIN from its transaction', async () => {
    const node = await openWithUsers();
    const [, begun] = await Promise.all([
      node.execute("ALTER USER bob SET PASSWORD 'p';"),
      node.execute('BEGIN;', { user: 'bob' }),
    ]);
    expect(begun.kind).toBe('completed');
  });

  test('ends the row streams of the user, no others', async () => {
    const node = await openWithUsers();
    await node.run('START;');
    const request = {
      domain: 'd',
      relay: 'r',
      where: null,
      sampleRate: 1,
      delivery: 'BLOCKING',
    } as const;
    const [mine, other] = [new RecordingSink(), new RecordingSink()];
    await node.plane.openRows(request, mine, node.principal('bob'));
    await node.plane.openRows(request, other, node.principal('ada'));
    await node.run('DROP USER bob;');
    await until(() => mine.isEnded);
    expect(mine.records.at(-1)).toEqual({
      ended: { reason: 'UserDropped', message: "user 'bob' was dropped" },
    });
    expect(other.isEnded).toBe(false);
  });

  test('ends a stream that was still being opened', async () => {
    const node = await openWithUsers();
    await node.run('START;');
    const sink = new RecordingSink();
    const room = Promise.withResolvers<void>();
    sink.room = room.promise;
    const answer = node.plane.openRows(
      { domain: 'd', relay: 'r', where: null, sampleRate: 1, delivery: 'BLOCKING' },
      sink,
      node.principal('bob'),
    );
    await until(() => sink.records.length > 0);
    await node.run('DROP USER bob;');
    room.resolve();
    await answer;
    expect(sink.isEnded).toBe(true);
  });
});

/** A node on which bob ran `query` in a transaction, and was dropped and created again. */
async function openWithSecondBob() {
  const node = await openWithUsers();
  const former = node.principal('bob');
  const transaction = await node.begin({ user: 'bob' });
  const reference = node.reference();
  const request = { transaction, user: 'bob', execution_reference: reference };
  await node.run('CREATE SCHEMA x (id I64);', request);
  await node.run('DROP USER bob;');
  await node.run("CREATE USER bob WITH PASSWORD 'old';");
  return { node, former, transaction, request };
}

describe('CP-27, CP-143: who gets the name of a dropped user gets nothing else of it', () => {
  test('no transaction: neither its report nor the right to attach or change it', async () => {
    const { node, transaction } = await openWithSecondBob();
    const user = 'bob';
    const described = await node.refuse(`DESCRIBE TRANSACTION '${transaction}';`, { user });
    expect(described.message).toBe(`transaction '${transaction}' belongs to another user`);
    const reverted = await node.refuse('REVERT;', { user, transaction });
    expect([reverted.code, reverted.message]).toEqual(['PERMISSION_DENIED', described.message]);
    const holder = { kind: 'session' } as const;
    const principal = node.principal(user);
    const asked = { principal, transaction, holder, attached: null };
    expect(await node.plane.attach(asked)).toMatchObject({
      kind: 'refused',
      refusal: { code: 'PERMISSION_DENIED', message: described.message },
    });
    // Names stay in what is kept.
    expect(await node.text('SHOW TRANSACTIONS;')).toContain('owner=bob');
  });

  test('no outcome of a command: its reference stands for a command of another', async () => {
    const { node, request } = await openWithSecondBob();
    const again = await node.refuse('CREATE SCHEMA x (id I64);', request);
    expect([again.code, again.message]).toEqual([
      'EXECUTION_REFERENCE_CONFLICT',
      `execution reference '${request.execution_reference}' was already used with another owner`,
    ]);
    const restarted = await node.restart();
    const after = await restarted.refuse('CREATE SCHEMA x (id I64);', request);
    expect(after.code).toBe('EXECUTION_REFERENCE_CONFLICT');
  });

  test('nor does a request of the former begin anything for the latter', async () => {
    const { node, former } = await openWithSecondBob();
    const reply = await node.executor.execute({ query: 'BEGIN;', domain: 'd' }, former);
    expect(reply).toMatchObject({
      kind: 'failed',
      error: { code: 'PERMISSION_DENIED', message: "user 'bob' does not exist" },
    });
    expect(node.state.transactions().filter(({ state }) => state === 'OPEN')).toEqual([]);
  });

  test('nor does a stream that the former was opening', async () => {
    const { node, former } = await openWithSecondBob();
    await node.run('START;');
    const relay = { domain: 'd', relay: 'r', where: null, sampleRate: 1 } as const;
    const request = { ...relay, delivery: 'BLOCKING' } as const;
    const [early, late] = [new RecordingSink(), new RecordingSink()];
    await node.plane.openRows(request, early, former);
    await node.plane.openRows(request, late, node.principal('bob'));
    expect([early.isEnded, late.isEnded]).toEqual([true, false]);
  });

  test('nor an ALTER USER that was meant for the former', async () => {
    const node = await openWithUsers();
    const replies = await Promise.all([
      node.execute("ALTER USER bob SET PASSWORD 'late';"),
      node.execute('DROP USER bob;'),
      node.execute("CREATE USER bob WITH PASSWORD 'own';"),
    ]);
    if (node.state.user('bob') === undefined)
      await node.run("CREATE USER bob WITH PASSWORD 'own';");
    expect(replies[1]?.kind).toBe('completed');
    expect(node.plane.user('bob')?.passwordHash).toBe('hash of own');
  });

  test('but a changed password makes nobody another', async () => {
    const node = await openWithUsers();
    const transaction = await node.begin({ user: 'bob' });
    await node.run("ALTER USER bob SET PASSWORD 'p';");
    await node.run('REVERT;', { user: 'bob', transaction });
  });
});
