import { fc, test as property } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { buildPlacementGraph } from '../../src/placement/build-placement-graph.js';
import { corridorsOfRule } from '../../src/placement/corridor-table.js';
import { DisjointSets } from '../../src/placement/disjoint-sets.js';
import type { GraphKey } from '../../src/placement/graph-key.js';
import { pairDecision } from '../../src/placement/pair-claim.js';
import { type PlacementInput, PlacementResolver } from '../../src/placement/placement-resolver.js';
import type { PlacementRule } from '../../src/placement/placement-rule.js';
import { ReachSets, setNodes } from '../../src/placement/reach-sets.js';
import { resolvePlacement } from '../../src/placement/resolve-placement.js';
import type { ResolvedPlacement } from '../../src/placement/resolved-placement.js';
import { plain } from '../support/plain-outcome.js';

const WIDTH = 2;
const LAYERS = 7;

/** What rules of a rank ask, so that none of one rank contradict each other; the last is no rank. */
const RANKED = [
  ['3', 'REQUIRE COLOCATION'],
  ['7', 'REQUIRE COLOCATION'],
  ['1', 'SUGGEST SEPARATION'],
  ['2', 'NEUTRAL'],
  ['5', 'PREFER COLOCATION'],
  ['6', 'NEUTRAL'],
  [null, 'PREFER COLOCATION'],
] as const;

const nodes = Array.from({ length: WIDTH * LAYERS }, (_, index) => ({
  kind: index % 2 === 0 ? 'relay' : 'junction',
  // Names whose order says nothing about the layer.
  name: `n${(index * 5) % (WIDTH * LAYERS)}`,
}));

const inLayer = (layer: number, place: number): GraphKey =>
  nodes[(layer % LAYERS) * WIDTH + (place % WIDTH)]!;

const place = fc.nat(WIDTH - 1);

const ruleParts = fc.record({
  first: fc.nat(LAYERS - 2),
  length: fc.integer({ min: 1, max: LAYERS - 1 }),
  from: fc.uniqueArray(place, { minLength: 1, maxLength: 2 }),
  to: fc.uniqueArray(place, { minLength: 1, maxLength: 2 }),
  rank: fc.constantFrom(...RANKED.keys()),
});

function ruleOf(index: number, parts: typeof ruleParts extends fc.Arbitrary<infer P> ? P : never) {
  const { first, length, from, to } = parts;
  const [rank, policy] = RANKED[parts.rank]!;
  const last = Math.min(LAYERS - 1, first + length);
  return {
    name: `rule${String(index).padStart(2, '0')}`,
    from: from.map((at) => inLayer(first, at)),
    to: to.map((at) => inLayer(last, at)),
    policy,
    rank,
  } satisfies PlacementRule;
}

/** Layers that feed the next one, with some flow turned back. */
const layered: fc.Arbitrary<PlacementInput> = fc
  .record({
    forward: fc.array(fc.tuple(fc.nat(LAYERS - 2), place, place), { minLength: 15, maxLength: 40 }),
    back: fc.array(fc.tuple(fc.integer({ min: 1, max: LAYERS - 1 }), place, place), {
      maxLength: 2,
    }),
    rules: fc.array(ruleParts, { minLength: 10, maxLength: 40 }),
    defaultPolicy: fc.constantFrom('NEUTRAL' as const, 'REQUIRE COLOCATION' as const),
  })
  .map(({ forward, back, rules, defaultPolicy }) => ({
    domain: 'd',
    graph: buildPlacementGraph(nodes, [
      ...forward.map(([layer, from, to]) => ({
        from: inLayer(layer, from),
        to: inLayer(layer + 1, to),
      })),
      ...back.map(([layer, from, to]) => ({
        from: inLayer(layer, from),
        to: inLayer(layer - 1, to),
      })),
    ]),
    defaultPolicy,
    rules: rules.map((parts, index) => ruleOf(index, parts)),
  }));

function placementOf(input: PlacementInput): ResolvedPlacement {
  const outcome = resolvePlacement(input);
  if (outcome.kind === 'refused') throw new Error(outcome.message);
  return outcome.placement;
}

/** Groups and outcomes of rules, one pair after the other. */
function pairByPair(input: PlacementInput) {
  const placement = placementOf(input);
  const { keys } = input.graph;
  const joined = new DisjointSets(keys.length);
  const winners = new Map<string, readonly PlacementRule[]>();
  for (const left of keys.keys()) {
    for (let right = left + 1; right < keys.length; right += 1) {
      const decision = pairDecision(placement, left, right);
      if (decision.kind === 'none') continue;
      if (decision.policy === 'REQUIRE COLOCATION') joined.join(left, right);
      if (decision.kind === 'rules') winners.set(`${left} ${right}`, decision.rules);
    }
  }
  const reach = new ReachSets(input.graph);
  const outcomes = input.rules.map((rule) => {
    const claimed = corridorsOfRule(input.graph, reach, rule).corridors.flatMap((corridor) => {
      const members = setNodes(corridor.nodes);
      return members.flatMap((left) =>
        members.filter((right) => right > left).map((right) => `${left} ${right}`),
      );
    });
    const won = claimed.filter((pair) => winners.get(pair)?.includes(rule));
    return { name: rule.name, hasWon: won.length > 0, hasLost: won.length < claimed.length };
  });
  return { groups: joined.sets(), outcomes };
}

describe('fourteen graph nodes in layers under up to forty rules', () => {
  property.prop([layered], { numRuns: 300 })(
    'PS-16 PS-17 PS-66 groups and outcomes of rules are those of all pairs',
    (input) => {
      const placement = placementOf(input);
      const { groups, outcomes } = pairByPair(input);
      expect(placement.groups.map(({ members }) => members)).toEqual(groups);
      const found = placement.coverage.map(({ rule, hasWon, hasLost }) => ({
        name: rule.name,
        hasWon,
        hasLost,
      }));
      expect(found).toEqual(outcomes);
    },
  );

  const edits = fc.array(fc.tuple(fc.nat(39), fc.option(ruleParts)), {
    minLength: 1,
    maxLength: 8,
  });
  property.prop([layered, edits], { numRuns: 150 })(
    'PS-71 after each change of one rule everything is as if resolved anew',
    (first, list) => {
      const resolver = new PlacementResolver();
      let input = first;
      resolver.resolve(input);
      for (const [index, parts] of list) {
        const { name } = ruleOf(index, { first: 0, length: 1, from: [0], to: [0], rank: 0 });
        const others = input.rules.filter((one) => one.name !== name);
        const rules = parts === null ? others : [...others, ruleOf(index, parts)];
        input = { ...input, rules };
        expect(plain(resolver.resolve(input))).toEqual(plain(resolvePlacement(input)));
      }
    },
  );
});
