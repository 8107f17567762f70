import { expect, test } from 'vitest';
import type { RaftError } from '../../src/errors.ts';
import { type EntryResult, Waiters, type Waiting } from '../../src/node/waiters.ts';

const resultOf = (index: bigint, term: bigint): EntryResult => ({
  index,
  term,
  revision: index,
  result: Uint8Array.of(Number(index)),
});

/** Three who wait for entries 5 to 7 of term 2, and what they are told, in order. */
function waiting(): {
  readonly waiters: Waiters;
  readonly told: string[];
  readonly left: Waiting[];
} {
  const told: string[] = [];
  const left: Waiting[] = [];
  const waiters = new Waiters((it) => left.push(it));
  for (const index of [5n, 6n, 7n]) {
    waiters.add(index, 2n, {
      resolve: (it) => told.push(`${index}: applied in ${it.term}`),
      reject: (error) => told.push(`${index}: ${(error as RaftError).code}`),
    });
  }
  return { waiters, told, left };
}

test('CS-96 only an entry of the own term answers its proposer', () => {
  const { waiters, told, left } = waiting();
  waiters.applied(resultOf(5n, 2n));
  waiters.applied(resultOf(6n, 3n));
  waiters.settle(5n, 7n);
  // Nothing says what became of the last one, either.
  expect(told).toEqual(['5: applied in 2', '6: RAFT_LEADERSHIP_LOST', '7: RAFT_LEADERSHIP_LOST']);
  expect(left).toHaveLength(3);
});

test('CS-96 a cut tells only those whose entries it takes', () => {
  const { waiters, told } = waiting();
  waiters.truncated(6n);
  expect(told).toEqual(['6: RAFT_LEADERSHIP_LOST', '7: RAFT_LEADERSHIP_LOST']);
  waiters.applied(resultOf(5n, 2n));
  waiters.applied(resultOf(6n, 3n));
  waiters.settle(1n, 9n);
  expect(told.slice(2)).toEqual(['5: applied in 2']);
});

test('CS-96 what a snapshot replaced has no known outcome', () => {
  const { waiters, told } = waiting();
  waiters.replaced(6n);
  expect(told).toEqual(['5: RAFT_LEADERSHIP_LOST', '6: RAFT_LEADERSHIP_LOST']);
});
