import { fc, test as property } from '@fast-check/vitest';
import { PLACEMENT_POLICIES } from '@nervix/model';
import { expect } from 'vitest';
import { buildPlacementGraph } from '../../src/placement/build-placement-graph.js';
import { PlacementResolver } from '../../src/placement/placement-resolver.js';
import { resolvePlacement } from '../../src/placement/resolve-placement.js';
import { domains } from '../support/arbitrary-domains.js';
import { plain } from '../support/plain-outcome.js';

/** A rule is dropped, added again, given another policy, rank or ends, or the graph is replaced. */
const changes = fc.array(
  fc.record({
    rule: fc.nat(4),
    what: fc.constantFrom('drop', 'policy', 'rank', 'ends', 'default', 'graph'),
    policy: fc.constantFrom(...PLACEMENT_POLICIES),
    rank: fc.constantFrom(null, '1', '2', '3', '10'),
  }),
  { minLength: 1, maxLength: 6 },
);

property.prop([domains(), domains(), changes], { numRuns: 400 })(
  'PS-71 a resolver that has seen other inputs gives what a new one gives',
  (domain, other, list) => {
    const resolver = new PlacementResolver();
    const build = () => buildPlacementGraph(domain.nodes, domain.edges);
    let input = {
      domain: 'd',
      graph: build(),
      defaultPolicy: domain.defaultPolicy,
      rules: domain.rules,
    };
    expect(plain(resolver.resolve(input))).toEqual(plain(resolvePlacement(input)));
    for (const { rule, what, policy, rank } of list) {
      const { name } = domain.rules[rule] ?? { name: 'none' };
      const changed = input.rules.map((one) => {
        if (one.name !== name) return one;
        if (what === 'policy') return { ...one, policy };
        if (what === 'rank') return { ...one, rank };
        return what === 'ends' ? { ...one, from: one.to, to: one.from } : one;
      });
      input = {
        domain: 'd',
        graph: what === 'graph' ? build() : input.graph,
        defaultPolicy: what === 'default' ? other.defaultPolicy : input.defaultPolicy,
        rules: what === 'drop' ? changed.filter((one) => one.name !== name) : changed,
      };
      expect(plain(resolver.resolve(input))).toEqual(plain(resolvePlacement(input)));
    }
  },
);
