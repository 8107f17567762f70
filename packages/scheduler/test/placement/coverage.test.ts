import { describe, expect, test } from 'vitest';
import { DomainResolver } from '../../src/domain/domain-resolver.js';
import { describePlacement } from '../../src/explanation/describe-placement.js';
import { neighboursOf } from '../../src/placement/adjacency.js';
import { idOf } from '../../src/placement/build-placement-graph.js';
import { pairDecision } from '../../src/placement/pair-claim.js';
import type { ResolvedPlacement } from '../../src/placement/resolved-placement.js';
import { key, placementOf, rule } from '../support/named-domain.js';

const decision = (placement: ResolvedPlacement, left: string, right: string) =>
  pairDecision(
    placement,
    idOf(placement.graph, key(left)) ?? -1,
    idOf(placement.graph, key(right)) ?? -1,
  );

const groupsOf = ({ graph, groups }: ResolvedPlacement) =>
  groups.map(({ members }) => members.map((id) => graph.keys[id]?.name));

test('PS-8 a direct pair is two ends in either direction, and a loop is none', () => {
  const placement = placementOf(['a > b > a > a', 'c > c'], [], 'REQUIRE COLOCATION');
  const { graph } = placement;
  const names = graph.keys.map((_, id) =>
    [...neighboursOf(graph.neighbours, id)].map((other) => graph.keys[other]?.name),
  );
  expect(names).toEqual([['b'], ['a'], []]);
  expect(groupsOf(placement)).toEqual([['a', 'b']]);
  expect(decision(placement, 'a', 'c')).toEqual({ kind: 'none' });
});

describe('PS-10 claims of one rule', () => {
  const both = rule('both', 'a, c -> b, d', 'REQUIRE COLOCATION');

  test('pairs inside one corridor, none across two, and nothing from ends apart', () => {
    const placement = placementOf(['a > b', 'c > d'], [both]);
    expect(decision(placement, 'a', 'b').kind).toBe('rules');
    expect(decision(placement, 'c', 'd').kind).toBe('rules');
    expect(decision(placement, 'a', 'd')).toEqual({ kind: 'none' });
    expect(groupsOf(placement)).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
    expect(placement.coverage).toMatchObject([
      { state: 'partial', endpointPairs: 4, connectedPairs: 2, hasLost: false },
    ]);
  });

  test('a pair inside several corridors is claimed once', () => {
    const wide = rule('wide', 'a, b -> x, d', 'PREFER COLOCATION');
    const placement = placementOf(['a > b > x > d'], [wide]);
    expect(decision(placement, 'b', 'x')).toMatchObject({ kind: 'rules', rules: [wide] });
    const described = describePlacement(placement, 'wide', []);
    const text = described.kind === 'described' ? described.text : described.message;
    expect(text.split('\n').filter((line) => line === 'effective pair: b <-> x')).toHaveLength(1);
  });
});

test('PS-12 coverage follows the edges of today, whatever it was', () => {
  const members = ['a', 'b', 'c', 'd'].map(key);
  const edges = (...lines: readonly string[]) =>
    lines.map((line) => line.split(' > ').map(key)).map(([from, to]) => ({ from: from!, to: to! }));
  const rules = [rule('near', 'a -> c', 'REQUIRE COLOCATION')];
  const resolver = new DomainResolver();
  const grouped = (...lines: readonly string[]) => {
    const outcome = resolver.resolve({ domain: 'd', members, edges: edges(...lines), rules });
    if (outcome.kind === 'refused') throw new Error(outcome.message);
    const [coverage] = outcome.placement.coverage;
    return [coverage?.state, ...groupsOf(outcome.placement)];
  };
  expect(grouped('a > b', 'b > c')).toEqual(['effective', ['a', 'b', 'c']]);
  expect(grouped('a > b', 'b > c', 'a > d', 'd > c')).toEqual(['effective', ['a', 'b', 'c', 'd']]);
  expect(grouped('a > b')).toEqual(['empty']);
  expect(grouped('a > c', 'b > c')).toEqual(['effective', ['a', 'c']]);
});

test('PS-66 a required pair of two classes joins all of both, though neither is required in itself', () => {
  // b1, b2 are one class and d1, d2 another one; a rule of more weight leaves both apart inside.
  const placement = placementOf(
    ['a > b1 > c', 'a > b2 > c', 'c > d1 > e', 'c > d2 > e'],
    [
      rule('whole', 'a -> e', 'REQUIRE COLOCATION'),
      rule('left', 'a -> c', 'SUGGEST SEPARATION', '1'),
      rule('right', 'c -> e', 'SUGGEST SEPARATION', '1'),
    ],
  );
  const { classOf } = placement.claims;
  const classes = ['b1', 'b2', 'd1', 'd2'].map(
    (name) => classOf[idOf(placement.graph, key(name))!],
  );
  expect(new Set(classes).size).toBe(2);
  expect(decision(placement, 'b1', 'b2')).toMatchObject({ policy: 'SUGGEST SEPARATION' });
  expect(decision(placement, 'd1', 'd2')).toMatchObject({ policy: 'SUGGEST SEPARATION' });
  expect(groupsOf(placement)).toEqual([['a', 'b1', 'b2', 'd1', 'd2', 'e']]);
});

test('PS-66 the default joins the ends of direct edges that no rule claims', () => {
  const rules = [rule('apart', 'b -> c', 'NEUTRAL')];
  const placement = placementOf(['a > b > c > d'], rules, 'REQUIRE COLOCATION');
  expect(groupsOf(placement)).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ]);
});

test('PS-66 a corridor between two groups makes them one', () => {
  const placement = placementOf(
    ['a > b > x > c > d'],
    [
      rule('first', 'a -> b', 'REQUIRE COLOCATION'),
      rule('second', 'c -> d', 'REQUIRE COLOCATION'),
      rule('third', 'b -> c', 'REQUIRE COLOCATION'),
    ],
  );
  expect(groupsOf(placement)).toEqual([['a', 'b', 'c', 'd', 'x']]);
});
