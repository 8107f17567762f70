import { expect, test } from 'vitest';
import { DomainLocks } from '../../src/control-plane/domain-locks.ts';

test('CP-19: a domain has one owner, others are told who it is', () => {
  const locks = new DomainLocks();
  expect(locks.acquire('d', "command 'a'")).toBeUndefined();
  expect(locks.acquire('d', "command 'b'")).toBe("domain 'd' mutation is owned by command 'a'");
  expect(locks.acquire('e', "command 'b'")).toBeUndefined();
  expect([locks.ownerOf('d'), locks.ownerOf('e'), locks.ownerOf('f')]).toEqual([
    "command 'a'",
    "command 'b'",
    undefined,
  ]);
});

test('CP-19: what is released may be taken again', () => {
  const locks = new DomainLocks();
  locks.acquire('d', "command 'a'");
  locks.release('d');
  expect(locks.ownerOf('d')).toBeUndefined();
  expect(locks.acquire('d', "command 'b'")).toBeUndefined();
});

test('CP-145: a commit that is under way owns its domain while nobody is at work on it', () => {
  const locks = new DomainLocks((domain) =>
    domain === 'd' ? { owner: { kind: 'transaction', id: 't1' } } : undefined,
  );
  const owner = "transaction 't1'";
  expect(locks.ownerOf('d')).toBe(owner);
  expect(locks.acquire('d', "command 'b'")).toBe(`domain 'd' mutation is owned by ${owner}`);
  expect(locks.acquire('d', owner), 'it is taken up again').toBeUndefined();
  expect(locks.acquire('d', owner), 'once').toBe(`domain 'd' mutation is owned by ${owner}`);
  expect(locks.acquire('e', "command 'b'")).toBeUndefined();
});
