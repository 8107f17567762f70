import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lesser } from '../../src/raft/big-order.ts';
import { isQuorum, reachedByQuorum, tally, type VoterHalves } from '../../src/raft/quorum.ts';
import { propRuns } from '../support/prop-runs.ts';

const voters = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'];
const half = fc.uniqueArray(fc.constantFrom(...voters), { minLength: 1, maxLength: 7 });
const halves: fc.Arbitrary<VoterHalves> = fc.oneof(fc.tuple(half), fc.tuple(half, half));
const indexes = fc.array(fc.nat({ max: 12 }), { minLength: 9, maxLength: 9 });

/** Every set of voters that decides, found by trying all of them. */
function decidingSets(groups: VoterHalves): readonly ReadonlySet<string>[] {
  const sets: ReadonlySet<string>[] = [];
  for (let mask = 0; mask < 2 ** voters.length; mask += 1) {
    const set = new Set(voters.filter((_, at) => (mask & (1 << at)) !== 0));
    const isMajority = (group: readonly string[]) =>
      group.filter((voter) => set.has(voter)).length * 2 > group.length;
    if (groups.every(isMajority)) sets.push(set);
  }
  return sets;
}

test('CS-312 the commit index is the greatest that some deciding set has reached', () => {
  fc.assert(
    fc.property(halves, indexes, (groups, values) => {
      const indexOf = (voter: string) => BigInt(values[voters.indexOf(voter)] ?? 0);
      let best = 0n;
      for (const set of decidingSets(groups)) {
        const all = [...set].map(indexOf);
        const least = all.reduce(lesser);
        if (least > best) best = least;
      }
      expect(reachedByQuorum(groups, indexOf)).toBe(best);
    }),
    { numRuns: propRuns(60) },
  );
});

test('CS-312 votes win, lose or wait as the deciding sets say', () => {
  const votes = fc.array(fc.constantFrom(true, false, undefined), { minLength: 9, maxLength: 9 });
  fc.assert(
    fc.property(halves, votes, (groups, list) => {
      const voteOf = (voter: string) => list[voters.indexOf(voter)];
      const sets = decidingSets(groups);
      const isWon = sets.some((set) => [...set].every((voter) => voteOf(voter) === true));
      const isOpen = sets.some((set) => [...set].every((voter) => voteOf(voter) !== false));
      const expected = isWon ? 'won' : isOpen ? 'pending' : 'lost';
      expect(tally(groups, voteOf)).toBe(expected);
      expect(isQuorum(groups, (voter) => voteOf(voter) === true)).toBe(isWon);
    }),
    { numRuns: propRuns(60) },
  );
});

test('CS-312 nobody decides nothing', () => {
  expect(isQuorum([], () => true)).toBe(false);
  expect(tally([], () => true)).toBe('lost');
  expect(reachedByQuorum([], () => 5n)).toBe(0n);
});
