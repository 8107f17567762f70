import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DivergenceWatch } from '../../src/node/divergence-watch.ts';
import { isSameMember } from '../../src/raft/member-id.ts';
import { configurationOf, memberOf } from '../support/core-member.ts';
import { propRuns } from '../support/prop-runs.ts';

const numbers = fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 });
const reports = fc.array(
  fc.record({ member: fc.integer({ min: 1, max: 7 }), digest: fc.constantFrom('aa', 'bb', 'cc') }),
);

/** The digest that more than half of the members have reported last, by counting. */
function most(members: readonly number[], last: ReadonlyMap<number, string>) {
  return ['aa', 'bb', 'cc'].find(
    (digest) => members.filter((it) => last.get(it) === digest).length * 2 > members.length,
  );
}

describe('CS-82 what most members have', () => {
  test('is what a majority of every half has reported; who differs is named once', () => {
    fc.assert(
      fc.property(numbers, fc.option(numbers), numbers, reports, (voters, outgoing, extra, all) => {
        const learners = extra.filter((it) => !voters.includes(it));
        const configuration = {
          ...configurationOf(voters, learners),
          outgoing: (outgoing ?? []).map(memberOf),
        };
        const watch = new DivergenceWatch(memberOf(1));
        const last = new Map<number, string>();
        const named = new Set<number>();
        for (const { member, digest } of all) {
          watch.reported(memberOf(member), 1_000n, digest);
          last.set(member, digest);
          const verdict = watch.judge(1_000n, configuration);
          const halves = outgoing === null ? [voters] : [voters, outgoing];
          const wanted = halves.map((half) => most(half, last));
          const agreed = wanted.every((it) => it === wanted[0]) ? wanted[0] : undefined;
          expect(verdict.digest).toBe(agreed);
          const members = new Set([...voters, ...(outgoing ?? []), ...learners]);
          const differing = [...members].filter(
            (it) => agreed !== undefined && last.has(it) && last.get(it) !== agreed,
          );
          const fresh = differing.filter((it) => !named.has(it));
          expect(verdict.differing).toHaveLength(fresh.length);
          for (const it of fresh) {
            named.add(it);
            expect(verdict.differing.some((id) => isSameMember(id, memberOf(it)))).toBe(true);
          }
        }
      }),
      { numRuns: propRuns(300) },
    );
  });

  test('a bounded number of indexes is remembered, the newest', () => {
    const watch = new DivergenceWatch(memberOf(1));
    for (let index = 1n; index <= 100n; index += 1n) watch.own(index * 1_000n, `${index}`);
    expect(watch.ownAt(84_000n)).toBeUndefined();
    expect(watch.ownAt(85_000n)).toBe('85');
    expect(watch.ownAt(100_000n)).toBe('100');
  });
});
