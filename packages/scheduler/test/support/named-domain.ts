import type { PlacementPolicy } from '@nervix/model';
import { buildPlacementGraph } from '../../src/placement/build-placement-graph.js';
import type { GraphKey } from '../../src/placement/graph-key.js';
import type { PlacementRule } from '../../src/placement/placement-rule.js';
import { resolvePlacement } from '../../src/placement/resolve-placement.js';
import type { ResolvedPlacement } from '../../src/placement/resolved-placement.js';

/** `kind:name`, or a name alone for a junction. */
export function key(text: string): GraphKey {
  const [first = '', second] = text.split(':');
  return second === undefined ? { kind: 'junction', name: first } : { kind: first, name: second };
}

/** A rule from words: `FROM, FROM -> TO POLICY RANK`. */
export function rule(
  name: string,
  ends: string,
  policy: PlacementPolicy,
  rank: string | null = null,
): PlacementRule {
  const [from = '', to = ''] = ends.split(' -> ');
  return { name, from: from.split(', ').map(key), to: to.split(', ').map(key), policy, rank };
}

/** What rules amount to over lines of flow such as `a > b > c`. */
export function outcomeOf(
  flow: readonly string[],
  rules: readonly PlacementRule[],
  defaultPolicy: PlacementPolicy = 'NEUTRAL',
): ReturnType<typeof resolvePlacement> {
  const lines = flow.map((line) => line.split(' > ').map(key));
  const edges = lines.flatMap((line) =>
    line.slice(1).map((to, index) => ({ from: line[index] ?? to, to })),
  );
  const graph = buildPlacementGraph(lines.flat(), edges);
  return resolvePlacement({ domain: 'trading', graph, defaultPolicy, rules });
}

/** The same where no conflict is expected. */
export function placementOf(...parts: Parameters<typeof outcomeOf>): ResolvedPlacement {
  const outcome = outcomeOf(...parts);
  if (outcome.kind === 'refused') throw new Error(outcome.message);
  return outcome.placement;
}
