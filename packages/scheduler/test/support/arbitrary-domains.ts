import { fc } from '@fast-check/vitest';
import { PLACEMENT_POLICIES } from '@nervix/model';
import type { GraphKey } from '../../src/placement/graph-key.js';
import type { PlacementRule } from '../../src/placement/placement-rule.js';
import type { OracleDomain } from './placement-oracle.js';

const KINDS = ['emitter', 'junction', 'relay', 'window_processor'];

const policy = fc.constantFrom(...PLACEMENT_POLICIES);

function rule(nodes: readonly GraphKey[], index: number): fc.Arbitrary<PlacementRule> {
  const side = fc.uniqueArray(fc.constantFrom(...nodes), { minLength: 1, maxLength: 3 });
  return fc.record({
    name: fc.constant(`rule${index}`),
    from: side,
    to: side,
    policy,
    rank: fc.constantFrom(null, '1', '2', '10'),
  });
}

/**
 * Domains of up to seven nodes with cycles, loops, parallel edges and parts apart. Often nodes
 * without edges lie between them in key order, which spreads the seven over several words of bits.
 */
export function domains(policies: fc.Arbitrary<PlacementRule['policy']> = policy) {
  return fc
    .array(fc.constantFrom(...KINDS), { minLength: 2, maxLength: 7 })
    .map((kinds) => kinds.map((kind, index) => ({ kind, name: `n${index}` })))
    .chain((nodes): fc.Arbitrary<OracleDomain> => {
      const end = fc.constantFrom(...nodes);
      const rules = fc
        .integer({ min: 0, max: 5 })
        .chain((count) => fc.tuple(...Array.from({ length: count }, (_, at) => rule(nodes, at))));
      return fc.record({
        nodes: fc.constantFrom(0, 0, 13).chain((between) => {
          const all = [...nodes, ...nodes.flatMap((key) => lonely(key, between))];
          return fc.shuffledSubarray(all, { minLength: all.length });
        }),
        edges: fc.array(fc.record({ from: end, to: end }), { maxLength: 11 }),
        rules: fc
          .tuple(rules, fc.array(policies, { minLength: 5, maxLength: 5 }))
          .map(([list, given]) =>
            list.map((one, at) => ({ ...one, policy: given[at] ?? one.policy })),
          ),
        defaultPolicy: policy,
      });
    });
}

/** Nodes right behind one in key order. */
function lonely({ kind, name }: GraphKey, count: number): readonly GraphKey[] {
  return Array.from({ length: count }, (_, at) => ({ kind, name: `${name}_${at}` }));
}
