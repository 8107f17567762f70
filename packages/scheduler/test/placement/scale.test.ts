import { describe, expect, test } from 'vitest';
import { pairDecision } from '../../src/placement/pair-claim.js';
import { outcomeOf, placementOf, rule } from '../support/named-domain.js';

const COUNT = 10_000;
const names = Array.from({ length: COUNT }, (_, index) => `n${String(index).padStart(5, '0')}`);
const [first = '', last = ''] = [names[0], names.at(-1)];

describe('large domains', () => {
  test('PS-62 a chain under REQUIRE by default is one group, without recursion', () => {
    const { groups } = placementOf([names.join(' > ')], [], 'REQUIRE COLOCATION');
    expect(groups.map(({ members }) => members.length)).toEqual([COUNT]);
  });

  test('PS-64 many rules over the same nodes make one class', () => {
    const rules = Array.from({ length: 500 }, (_, index) =>
      rule(`rule${index}`, `${first} -> ${last}`, 'PREFER COLOCATION', String(1 + (index % 3))),
    );
    const placement = placementOf([names.join(' > ')], rules);
    expect(placement.claims.members.starts.length).toBe(2);
    const states = placement.coverage.map(({ state }) => state);
    expect(states.filter((state) => state === 'effective')).toHaveLength(167);
    expect(states.filter((state) => state === 'overridden')).toHaveLength(333);
    const decision = pairDecision(placement, 0, COUNT - 1);
    expect(decision.kind === 'rules' && decision.rules.length).toBe(167);
  });

  test('PS-15 a star with 9,999 leaves is one group by default', () => {
    const lines = names.slice(1).map((leaf) => `${first} > ${leaf}`);
    const { groups } = placementOf(lines, [], 'REQUIRE COLOCATION');
    expect(groups.map(({ members }) => members.length)).toEqual([COUNT]);
  });
});

test('PS-65 the smallest pair lies across classes although a class disagrees in itself', () => {
  // a and z form one class, b and c another one.
  const outcome = outcomeOf(
    ['a > b > c > z'],
    [
      rule('one', 'a -> z', 'REQUIRE COLOCATION'),
      rule('two', 'a -> z', 'NEUTRAL'),
      rule('three', 'b -> c', 'NEUTRAL', '1'),
    ],
  );
  const pair = outcome.kind === 'refused' && outcome.details.pair.map(({ name }) => name);
  expect(pair).toEqual(['a', 'b']);
});
