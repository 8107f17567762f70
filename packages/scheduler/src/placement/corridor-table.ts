import { assert } from '@nervix/model';
import type { Steps } from '../steps.js';
import { type BitMatrix, bitMatrix } from './bit-matrix.js';
import { idOf } from './build-placement-graph.js';
import { type RuleCorridors, ruleCorridors } from './corridor.js';
import type { GraphKey } from './graph-key.js';
import type { PlacementGraph } from './placement-graph.js';
import type { PlacementRule } from './placement-rule.js';
import type { ReachSets } from './reach-sets.js';
import type { TieredRule } from './tiers.js';

const ROWS_A_STEP = 256;

/** Corridors of several rules, in the order of tier and rule name. */
export interface CorridorTable {
  /** Bit (corridor, graph node). */
  readonly nodes: BitMatrix;
  /** Index of the rule of each corridor. */
  readonly rule: Uint32Array;
  /** Ends of each corridor. */
  readonly from: Uint32Array;
  readonly to: Uint32Array;
}

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
export function* corridorTable(
  graph: PlacementGraph,
  rules: readonly TieredRule[],
  found: readonly RuleCorridors[],
): Steps<CorridorTable> {
  const order = [...rules.keys()].sort(
    (left, right) => (rules[left]?.tier ?? 0) - (rules[right]?.tier ?? 0) || left - right,
  );
  const count = found.reduce((sum, { corridors }) => sum + corridors.length, 0);
  const table = emptyTable(count, graph.keys.length);
  let row = 0;
  for (const rule of order) {
    for (const corridor of found[rule]?.corridors ?? []) {
      table.nodes.bits.set(corridor.nodes, row * table.nodes.words);
      table.rule[row] = rule;
      table.from[row] = corridor.from;
      table.to[row] = corridor.to;
      row += 1;
      if (row % ROWS_A_STEP === 0) yield;
    }
  }
  return table;
}

/** Some rows of a table, in their order. */
export function selectedCorridors(table: CorridorTable, rows: readonly number[]): CorridorTable {
  const { nodes } = table;
  const selected = emptyTable(rows.length, nodes.columns);
  for (const [index, row] of rows.entries()) {
    const bits = nodes.bits.subarray(row * nodes.words, (row + 1) * nodes.words);
    selected.nodes.bits.set(bits, index * nodes.words);
    selected.rule[index] = table.rule[row] ?? 0;
    selected.from[index] = table.from[row] ?? 0;
    selected.to[index] = table.to[row] ?? 0;
  }
  return selected;
}

function emptyTable(rows: number, columns: number): CorridorTable {
  const numbers = () => new Uint32Array(rows);
  return { nodes: bitMatrix(rows, columns), rule: numbers(), from: numbers(), to: numbers() };
}
