import { expect, test } from 'vitest';
import { TransactionBindings } from '../../src/control-plane/transactions/transaction-bindings.ts';

const session = () => ({ kind: 'session' }) as const;

test('CP-45: a binding lasts for one tenure of the leader', () => {
  let term = 1n;
  const bindings = new TransactionBindings(() => term);
  const holder = session();
  bindings.bind('t', holder);
  expect(bindings.refusal('t', holder)).toBeUndefined();
  expect(bindings.refusal('t', session())).toMatchObject({ code: 'TRANSACTION_TAKEN_OVER' });
  term = 2n;
  expect(bindings.refusal('t', holder)).toMatchObject({ code: 'TRANSACTION_DETACHED' });
  expect(bindings.release('t', holder)).toBe(false);
  bindings.bind('t', holder);
  expect(bindings.isHeldBy('t', holder)).toBe(true);
});

test('CP-47: only who has a transaction lets go of it', () => {
  const bindings = new TransactionBindings(() => 1n);
  const [first, second] = [session(), session()];
  bindings.bind('t', first);
  bindings.bind('t', second);
  expect(bindings.release('t', first)).toBe(false);
  expect(bindings.isBound('t')).toBe(true);
  expect(bindings.release('t', second)).toBe(true);
  expect(bindings.isBound('t')).toBe(false);
});
