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
    expect(node.plane.passwordHash('bob')).toBe('hash of fresh');
    expect(node.plane.passwordHash('ada')).toBe('hash of old');
    const kept = JSON.stringify([[...node.state.references()], node.logLines]);
    expect(kept).not.toContain('fresh');
    expect((await node.restart()).plane.passwordHash('bob')).toBe('hash of fresh');
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
    expect(node.plane.passwordHash('bob')).toBe(undefined);
  });

  test('is repeated under its reference without another hash', async () => {
    const node = await openWithUsers();
    const execution_reference = node.reference();
    await node.run("ALTER USER bob SET PASSWORD 'p';", { execution_reference });
    const again = await node.run("ALTER USER bob SET PASSWORD 'q';", { execution_reference });
    expect(again.origin).toBe('Recovered');
    expect(node.plane.passwordHash('bob')).toBe('hash of p');
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
    expect(node.state.transaction(done)?.owner).toBe('bob');
    const restarted = await node.restart();
    expect(restarted.plane.passwordHash('bob')).toBe(undefined);
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
    expect(node.plane.passwordHash('bob')).toBe(undefined);
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
    await node.plane.openRows(request, mine, { user: 'bob' });
    await node.plane.openRows(request, other, { user: 'ada' });
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
      { user: 'bob' },
    );
    await until(() => sink.records.length > 0);
    await node.run('DROP USER bob;');
    room.resolve();
    await answer;
    expect(sink.isEnded).toBe(true);
  });
});
