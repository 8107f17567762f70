import { assert } from '@nervix/model';
import { bitMatrix } from './bit-matrix.js';
import { idOf } from './build-placement-graph.js';
import type { CorridorTable } from './claim-rows.js';
import { type RuleCorridors, ruleCorridors } from './corridor.js';
import type { GraphKey } from './graph-key.js';
import type { PlacementGraph } from './placement-graph.js';
import type { PlacementRule } from './placement-rule.js';
import type { ReachSets } from './reach-sets.js';
import type { TieredRule } from './tiers.js';

/**
 * The corridors of a rule's endpoint pairs.
 *
 * @throws InvariantError when a member is not in the graph
 */
export function corridorsOfRule(
  graph: PlacementGraph,
  reach: ReachSets,
  rule: PlacementRule,
): RuleCorridors {
  return ruleCorridors(graph, reach, memberIds(graph, rule.from), memberIds(graph, rule.to));
}

/** The ids of members, in their order. */
export function memberIds(graph: PlacementGraph, members: readonly GraphKey[]): readonly number[] {
  return members.map((key) => {
    const id = idOf(graph, key);
    assert(id !== undefined, `${key.kind} '${key.name}', which a rule names, is in the graph`);
    return id;
  });
}

/**
 * All corridors in the order in which they are resolved.
 *
 * @param found corridors of each rule, in the order of `rules`
 */
export function corridorTable(
  graph: PlacementGraph,
  rules: readonly TieredRule[],
  found: readonly RuleCorridors[],
): CorridorTable {
  const order = [...rules.keys()].sort(
    (left, right) => (rules[left]?.tier ?? 0) - (rules[right]?.tier ?? 0) || left - right,
  );
  const count = found.reduce((sum, { corridors }) => sum + corridors.length, 0);
  const nodes = bitMatrix(count, graph.keys.length);
  const ruleOf = new Uint32Array(count);
  let row = 0;
  for (const rule of order) {
    for (const corridor of found[rule]?.corridors ?? []) {
      nodes.bits.set(corridor.nodes, row * nodes.words);
      ruleOf[row] = rule;
      row += 1;
    }
  }
  return { nodes, rule: ruleOf };
}
