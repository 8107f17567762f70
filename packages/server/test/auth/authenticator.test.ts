import { describe, expect, test } from 'vitest';
import { Authenticator, type AuthenticatorOptions } from '../../src/auth/authenticator.ts';
import { readBasicCredentials } from '../../src/auth/basic-credentials.ts';
import { generatePassword, hashPassword, verifyPassword } from '../../src/auth/password.ts';
import { identityOf, storedUser } from '../support/users.ts';

const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

/** A clock whose waits pass at once and are added to its time. */
class InstantClock {
  ms = 1_000;

  now(): number {
    return this.ms;
  }

  async wait(ms: number): Promise<void> {
    this.ms += ms;
  }
}

interface Setup {
  readonly authenticator: Authenticator;
  readonly clock: InstantClock;
  readonly hashes: Map<string, string>;
  verifications(): number;
}

function setUp(options: Partial<AuthenticatorOptions> = {}): Setup {
  const hashes = new Map([['ada', 'hash of right']]);
  const clock = new InstantClock();
  let verifications = 0;
  const authenticator = new Authenticator({
    user: (name) => {
      const hash = hashes.get(name);
      return hash === undefined ? undefined : storedUser(name, hash);
    },
    clock,
    verify: async (hash, password) => {
      verifications += 1;
      return hash === `hash of ${password}`;
    },
    ...options,
  });
  return { authenticator, clock, hashes, verifications: () => verifications };
}

describe('CL-5: credentials', () => {
  test('the right password names the user, in canonical spelling', async () => {
    const { authenticator } = setUp();
    expect(await authenticator.authenticate(basic('Ada', 'right'))).toEqual({
      kind: 'authenticated',
      principal: identityOf('ada'),
    });
  });

  test.each<[string, string | undefined]>([
    ['none', undefined],
    ['another scheme', 'Bearer abc'],
    ['no base64', 'Basic ***'],
    ['no colon', `Basic ${Buffer.from('ada').toString('base64')}`],
    ['no user', basic('', 'right')],
    ['text that is not UTF-8', `Basic ${Buffer.from([0x61, 0x3a, 0xff]).toString('base64')}`],
    ['a header without end', basic('ada', 'x'.repeat(10_000))],
    ['a name nobody can have', basic('a b', 'right')],
    ['a wrong password', basic('ada', 'wrong')],
    ['an unknown user', basic('eve', 'right')],
  ])('%s is rejected', async (_name, header) => {
    const { authenticator } = setUp();
    expect(await authenticator.authenticate(header)).toEqual({ kind: 'rejected' });
  });

  test('a password may hold colons and any character', () => {
    expect(readBasicCredentials(basic('ada', 'a:b:ü'))).toEqual({ user: 'ada', password: 'a:b:ü' });
  });
});

describe('CP-143: a user that changes while its password is verified', () => {
  test.each<[string, (hashes: Map<string, string>) => void]>([
    ['dropped', (hashes) => hashes.delete('ada')],
    ['given another password', (hashes) => hashes.set('ada', 'hash of new')],
  ])('is not let in once it is %s', async (_what, change) => {
    const { authenticator, hashes } = setUp({
      verify: async (hash, password) => {
        change(hashes);
        return hash === `hash of ${password}`;
      },
    });
    const answer = await authenticator.authenticate(basic('ada', 'right'));
    expect(answer).toEqual({ kind: 'rejected' });
  });
});

describe('CL-6: cost of a verification', () => {
  test('a verified password is verified once', async () => {
    const { authenticator, verifications } = setUp();
    for (let count = 0; count < 5; count += 1) {
      await authenticator.authenticate(basic('ada', 'right'));
    }
    expect(verifications()).toBe(1);
  });

  test('requests that arrive together cost one verification as soon as one has succeeded', async () => {
    const { authenticator, verifications } = setUp({ runningMax: 1 });
    const all = Array.from({ length: 20 }, () => authenticator.authenticate(basic('ada', 'right')));
    expect((await Promise.all(all)).every((result) => result.kind === 'authenticated')).toBe(true);
    expect(verifications()).toBe(1);
  });

  test('a changed password ends what the old one opened', async () => {
    const { authenticator, hashes } = setUp();
    await authenticator.authenticate(basic('ada', 'right'));
    hashes.set('ada', 'hash of new');
    expect(await authenticator.authenticate(basic('ada', 'right'))).toEqual({ kind: 'rejected' });
  });

  test('a removed user is rejected though the password was verified', async () => {
    const { authenticator, hashes } = setUp();
    await authenticator.authenticate(basic('ada', 'right'));
    hashes.delete('ada');
    expect(await authenticator.authenticate(basic('ada', 'right'))).toEqual({ kind: 'rejected' });
  });

  test('an unknown user costs a verification like a known one', async () => {
    const { authenticator, verifications } = setUp();
    await authenticator.authenticate(basic('eve', 'guess'));
    expect(verifications()).toBe(1);
  });
});

describe('CL-6: pacing after a failed attempt', () => {
  test('18 wrong passwords take 17 turns of 100 ms', async () => {
    const { authenticator, clock } = setUp();
    const start = clock.now();
    for (let count = 0; count < 18; count += 1) {
      await authenticator.authenticate(basic('ada', 'wrong'));
    }
    expect(clock.now() - start).toBe(1_700);
  });

  test('guesses sent side by side gain nothing', async () => {
    const { authenticator, clock, verifications } = setUp({ runningMax: 1 });
    const start = clock.now();
    const all = Array.from({ length: 18 }, () => authenticator.authenticate(basic('ada', 'wrong')));
    await Promise.all(all);
    expect(verifications()).toBe(18);
    expect(clock.now() - start).toBeGreaterThanOrEqual(1_700);
  });

  test('other spellings of the user share the pace', async () => {
    const { authenticator, clock } = setUp();
    const start = clock.now();
    await authenticator.authenticate(basic('ada', 'wrong'));
    await authenticator.authenticate(basic('ADA', 'wrong'));
    expect(clock.now() - start).toBe(100);
  });

  test('a success ends it', async () => {
    const { authenticator, clock } = setUp();
    await authenticator.authenticate(basic('ada', 'wrong'));
    await authenticator.authenticate(basic('ada', 'right'));
    const start = clock.now();
    await authenticator.authenticate(basic('ada', 'wrong'));
    expect(clock.now() - start).toBe(0);
  });

  test('it slows neither other users nor a password that was verified before', async () => {
    const { authenticator, clock, hashes } = setUp();
    hashes.set('bob', 'hash of bobs');
    await authenticator.authenticate(basic('ada', 'right'));
    await authenticator.authenticate(basic('ada', 'wrong'));
    const start = clock.now();
    expect(await authenticator.authenticate(basic('ada', 'right'))).toMatchObject({
      kind: 'authenticated',
    });
    expect(await authenticator.authenticate(basic('bob', 'bobs'))).toMatchObject({
      kind: 'authenticated',
    });
    expect(clock.now()).toBe(start);
  });

  test('a turn that is too far away is busy, not rejected', async () => {
    const never = { now: () => 0, wait: () => new Promise<void>(() => undefined) };
    const { authenticator } = setUp({ clock: never });
    await authenticator.authenticate(basic('ada', 'wrong'));
    for (let count = 0; count < 50; count += 1) {
      void authenticator.authenticate(basic('ada', 'wrong'));
    }
    expect(await authenticator.authenticate(basic('ada', 'wrong'))).toEqual({ kind: 'busy' });
  });
});

test('CL-6: a verifier out of capacity is busy, never rejected, and recovers', async () => {
  const gate = Promise.withResolvers<void>();
  const { authenticator, hashes } = setUp({
    runningMax: 1,
    waitingMax: 1,
    verify: async () => {
      await gate.promise;
      return true;
    },
  });
  for (const user of ['a', 'b', 'c']) hashes.set(user, 'hash');
  const first = authenticator.authenticate(basic('a', 'x'));
  const second = authenticator.authenticate(basic('b', 'x'));
  expect(await authenticator.authenticate(basic('c', 'x'))).toEqual({ kind: 'busy' });
  gate.resolve();
  expect(await first).toMatchObject({ kind: 'authenticated' });
  expect(await second).toMatchObject({ kind: 'authenticated' });
  expect(await authenticator.authenticate(basic('c', 'x'))).toMatchObject({
    kind: 'authenticated',
  });
});

test('CL-6: a verification that fails to run gives its slot back', async () => {
  let isBroken = true;
  const { authenticator } = setUp({
    runningMax: 1,
    verify: async () => {
      if (isBroken) throw new Error('unreadable hash');
      return true;
    },
  });
  await expect(authenticator.authenticate(basic('ada', 'right'))).rejects.toThrow('unreadable');
  isBroken = false;
  expect(await authenticator.authenticate(basic('ada', 'right'))).toMatchObject({
    kind: 'authenticated',
  });
});

describe('passwords', () => {
  test('CL-6: hashes are Argon2id, salted, and verify', async () => {
    const [one, other] = await Promise.all([hashPassword('pw'), hashPassword('pw')]);
    expect(one).toMatch(/^\$argon2id\$/);
    expect(one).not.toBe(other);
    expect(await verifyPassword(one, 'pw')).toBe(true);
    expect(await verifyPassword(one, 'PW')).toBe(false);
  });

  test('CL-116: a generated password has 24 characters and none that people confuse', () => {
    const passwords = Array.from({ length: 200 }, generatePassword);
    expect(new Set(passwords).size).toBe(200);
    for (const password of passwords) expect(password).toMatch(/^[2-9A-HJ-NP-Za-km-z]{24}$/);
  });
});
