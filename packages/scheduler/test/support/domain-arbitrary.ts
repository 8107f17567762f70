import { fc } from '@fast-check/vitest';
import type { PlacementPolicy } from '@nervix/model';
import type { ScheduleNode } from '../../src/cluster/schedule-node.js';
import type { DomainScheduleInput } from '../../src/computation/domain-schedule-input.js';
import { type MemberTraits, memberTraits } from '../../src/computation/member-traits.js';
import { buildPlacementGraph } from '../../src/placement/build-placement-graph.js';
import type { PlacementGraph } from '../../src/placement/placement-graph.js';
import type { PlacementRule } from '../../src/placement/placement-rule.js';
import { resolvePlacement } from '../../src/placement/resolve-placement.js';
import type { ResolvedPlacement } from '../../src/placement/resolved-placement.js';

const KINDS = ['ingestor', 'junction', 'relay', 'deduplicator'] as const;
const POLICIES: readonly PlacementPolicy[] = [
  'REQUIRE COLOCATION',
  'PREFER COLOCATION',
  'NEUTRAL',
  'SUGGEST SEPARATION',
];

/** A domain with up to 9 graph nodes, cycles and rules; rules that conflict are left out. */
export interface RandomDomain {
  readonly placement: ResolvedPlacement;
  readonly traits: readonly MemberTraits[];
}

export const domainArbitrary: fc.Arbitrary<RandomDomain> = fc
  .record({
    kinds: fc.array(fc.nat(KINDS.length - 1), { minLength: 1, maxLength: 9 }),
    edges: fc.array(fc.tuple(fc.nat(8), fc.nat(8)), { maxLength: 14 }),
    rules: fc.array(fc.tuple(fc.nat(8), fc.nat(8), fc.nat(3)), { maxLength: 4 }),
    listener: fc.boolean(),
    fallback: fc.constantFrom(...POLICIES),
  })
  .map(({ kinds, edges, rules, listener, fallback }) => {
    const keys = kinds.map((kind, index) => ({ kind: KINDS[kind] ?? 'relay', name: `m${index}` }));
    const at = (index: number) => keys[index % keys.length] ?? keys[0] ?? { kind: '', name: '' };
    const graph = buildPlacementGraph(
      keys,
      edges.map(([from, to]) => ({ from: at(from), to: at(to) })),
    );
    const traits = keys.map((key, index) =>
      memberTraits(key, { isListener: listener && index === 0 && key.kind === 'ingestor' }),
    );
    const ranked = rules.map(([from, to, policy], index) => ({
      name: `p${index}`,
      from: [at(from)],
      to: [at(to)],
      policy: POLICIES[policy] ?? 'NEUTRAL',
      rank: String(index + 1),
    }));
    return { placement: placementOf(ranked, graph, fallback), traits };
  });

function placementOf(
  rules: readonly PlacementRule[],
  graph: PlacementGraph,
  fallback: PlacementPolicy,
): ResolvedPlacement {
  const outcome = resolvePlacement({ domain: 'd', graph, defaultPolicy: fallback, rules });
  if (outcome.kind === 'refused') throw new Error('ranks differ, so rules cannot conflict');
  return outcome.placement;
}

/** Up to five cluster nodes in any condition. */
export const clusterArbitrary: fc.Arbitrary<readonly ScheduleNode[]> = fc.uniqueArray(
  fc.record({
    name: fc.constantFrom('n1', 'n2', 'n3', 'n4', 'n5'),
    isLive: fc.boolean(),
    isCordoned: fc.boolean(),
    isTerminating: fc.constantFrom(false, false, true),
    isVoter: fc.constantFrom(true, true, false),
  }),
  { selector: ({ name }) => name, maxLength: 5 },
);

/** A computation over a random domain, with owners that may be anywhere, dead nodes included. */
export const scheduleInputArbitrary: fc.Arbitrary<DomainScheduleInput> = fc
  .record({
    domain: domainArbitrary,
    nodes: clusterArbitrary,
    replicaCount: fc.nat(2),
    owners: fc.array(fc.uniqueArray(fc.constantFrom('n1', 'n2', 'n3', 'gone'), { maxLength: 3 }), {
      minLength: 9,
      maxLength: 9,
    }),
    known: fc.nat(9),
  })
  .map(({ domain, nodes, replicaCount, owners, known }) => ({
    ...domain,
    nodes,
    replicaCount,
    previous: domain.placement.graph.keys.slice(0, known).map((key, index) => ({
      ...key,
      nodes: owners[index] ?? [],
    })),
  }));
