import { fc, test as property } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { buildPlacementGraph } from '../../src/placement/build-placement-graph.js';
import { corridorNodes, isConnected } from '../../src/placement/corridor.js';
import { corridorsOfRule } from '../../src/placement/corridor-table.js';
import { pairDecision } from '../../src/placement/pair-claim.js';
import { inSet, ReachSets, setNodes } from '../../src/placement/reach-sets.js';
import { resolvePlacement } from '../../src/placement/resolve-placement.js';
import { visitSoftPartners } from '../../src/placement/soft-partner.js';
import { finish } from '../../src/steps.js';
import { domains } from '../support/arbitrary-domains.js';
import { type OracleDomain, PlacementOracle } from '../support/placement-oracle.js';

function resolved(domain: OracleDomain) {
  const graph = buildPlacementGraph(domain.nodes, domain.edges);
  const { rules, defaultPolicy } = domain;
  return resolvePlacement({ domain: 'd', graph, defaultPolicy, rules });
}

/** A domain's meaning in numbers and names, or its conflict. */
function summary(domain: OracleDomain) {
  const outcome = resolved(domain);
  if (outcome.kind === 'refused') return outcome.message;
  const { placement } = outcome;
  return {
    groups: placement.groups.map(({ members }) => members),
    coverage: placement.coverage.map(({ rule, state }) => [rule.name, state]),
    pairs: placement.graph.keys.flatMap((_, left) =>
      placement.graph.keys.slice(left + 1).map((__, offset) => {
        const decision = pairDecision(placement, left, left + 1 + offset);
        return decision.kind === 'none' ? 'none' : decision.policy;
      }),
    ),
  };
}

/** Every pair that lies in one of the sets. */
function pairsInside(sets: readonly (readonly number[])[]): ReadonlySet<string> {
  const pairs = sets.flatMap((set) =>
    set.flatMap((left) => set.filter((right) => right > left).map((right) => `${left} ${right}`)),
  );
  return new Set(pairs);
}

const SOFT = { 'PREFER COLOCATION': 1, 'SUGGEST SEPARATION': -1 } as const;
const settings = { numRuns: 150 };

describe('placement of small domains equals the naive reference', () => {
  property.prop([domains()], settings)(
    'PS-9 PS-63 corridors, asked for one by one and all at once',
    (domain) => {
      const oracle = new PlacementOracle(domain);
      const graph = buildPlacementGraph(domain.nodes, domain.edges);
      expect(graph.keys).toEqual(oracle.keys);
      for (const isMany of [false, true]) {
        const reach = new ReachSets(graph);
        if (isMany) finish(reach.expect(32 * graph.keys.length));
        const joined = [...graph.keys.keys()].filter((id) => !graph.keys[id]!.name.includes('_'));
        for (const from of joined) {
          for (const to of joined) {
            const isThere = isConnected(graph, reach, from, to);
            const nodes = corridorNodes(reach, from, to);
            const found = [...graph.keys.keys()].filter((node) => inSet(nodes, node));
            expect(isThere ? found : undefined).toEqual(oracle.corridor(from, to));
          }
        }
      }
    },
  );

  property.prop([domains()], settings)('PS-63 maximal corridors claim what all do', (domain) => {
    const oracle = new PlacementOracle(domain);
    const graph = buildPlacementGraph(domain.nodes, domain.edges);
    for (const rule of domain.rules) {
      const all = oracle.corridors(rule).filter((corridor) => corridor !== undefined);
      const found = corridorsOfRule(graph, new ReachSets(graph), rule);
      const kept = found.corridors.map(({ nodes }) => setNodes(nodes));
      expect(found.connectedPairs).toBe(all.length);
      for (const [at, nodes] of kept.entries()) {
        expect(nodes.length).toBeGreaterThanOrEqual(2);
        const others = kept.filter((_, other) => other !== at);
        expect(others.some((other) => nodes.every((node) => other.includes(node)))).toBe(false);
      }
      expect(pairsInside(kept)).toEqual(pairsInside(all));
    }
  });

  property.prop([domains()], settings)('PS-13 PS-14 PS-15 pairs and conflicts', (domain) => {
    const oracle = new PlacementOracle(domain);
    const outcome = resolved(domain);
    const conflict = oracle.conflict();
    if (outcome.kind === 'refused') {
      const { rules, pair } = outcome.details;
      expect({ rules, pair: pair.map((key) => oracle.id(key)) }).toEqual(conflict);
      return;
    }
    expect(conflict).toBeUndefined();
    for (const { left, right, winners, policy } of oracle.pairs()) {
      const decision = pairDecision(outcome.placement, left, right);
      expect(decision.kind === 'rules' ? decision.rules : []).toEqual(winners);
      expect(decision.kind === 'none' ? undefined : decision.policy).toBe(policy);
    }
  });

  property.prop([domains()], settings)('PS-16 groups, PS-17 coverage states', (domain) => {
    const oracle = new PlacementOracle(domain);
    const outcome = resolved(domain);
    fc.pre(outcome.kind === 'resolved');
    const { placement } = outcome;
    expect(placement.groups.map(({ members }) => members)).toEqual(oracle.groups());
    for (const [index, { members }] of placement.groups.entries()) {
      for (const member of members) expect(placement.groupOf[member]).toBe(index);
    }
    for (const { rule, state } of placement.coverage) {
      expect([rule.name, state]).toEqual([rule.name, oracle.coverage(rule)]);
    }
  });

  property.prop([domains(fc.constantFrom('PREFER COLOCATION', 'SUGGEST SEPARATION'))], settings)(
    'PS-68 soft partners',
    (domain) => {
      const oracle = new PlacementOracle(domain);
      const outcome = resolved(domain);
      fc.pre(outcome.kind === 'resolved');
      for (const node of oracle.keys.keys()) {
        const found: [number, number][] = [];
        visitSoftPartners(outcome.placement, node, (other, weight) => found.push([other, weight]));
        const expected = oracle.pairs().flatMap(({ left, right, policy }): [number, number][] => {
          if (left !== node && right !== node) return [];
          if (policy !== 'PREFER COLOCATION' && policy !== 'SUGGEST SEPARATION') return [];
          return [[left === node ? right : left, SOFT[policy]]];
        });
        expect(found.sort(([a], [b]) => a - b)).toEqual(expected.sort(([a], [b]) => a - b));
      }
    },
  );
});

describe('laws of coverage and resolution', () => {
  property.prop([domains(), fc.nat(), fc.nat()], settings)(
    'an edge more never shrinks a corridor',
    (domain, first, second) => {
      const { nodes } = domain;
      const edge = { from: nodes[first % nodes.length]!, to: nodes[second % nodes.length]! };
      const before = new PlacementOracle(domain);
      const graph = buildPlacementGraph(nodes, [...domain.edges, edge]);
      const reach = new ReachSets(graph);
      const ends = domain.edges.flatMap(({ from, to }) => [before.id(from), before.id(to)]);
      for (const from of ends) {
        for (const to of ends) {
          for (const node of before.corridor(from, to) ?? []) {
            expect(isConnected(graph, reach, from, to)).toBe(true);
            expect(inSet(corridorNodes(reach, from, to), node)).toBe(true);
          }
        }
      }
    },
  );

  property.prop([domains(), fc.infiniteStream(fc.nat())], settings)(
    'PS-72 the order of nodes, edges and rules does not matter',
    (domain, numbers) => {
      const shuffled = <T>(list: readonly T[]) =>
        list
          .map((entry) => [numbers.next().value ?? 0, entry] as const)
          .sort(([a], [b]) => a - b)
          .map(([, entry]) => entry);
      const { nodes, edges, rules } = domain;
      const other = { nodes: shuffled(nodes), edges: shuffled(edges), rules: shuffled(rules) };
      expect(resolved({ ...domain, ...other })).toEqual(resolved(domain));
    },
  );

  property.prop([domains()], settings)(
    'PS-13 a weaker rank for an overridden rule changes nothing',
    (domain) => {
      const outcome = resolved(domain);
      fc.pre(outcome.kind === 'resolved');
      const lost = outcome.placement.coverage.filter(({ state }) => state === 'overridden');
      const names = lost.map(({ rule }) => rule.name);
      const rules = domain.rules.map((rule) =>
        names.includes(rule.name) && rule.rank !== null ? { ...rule, rank: '999' } : rule,
      );
      // Among each other the weakened rules may decide nothing either, so they cannot conflict.
      expect(summary({ ...domain, rules })).toEqual(summary(domain));
    },
  );
});
