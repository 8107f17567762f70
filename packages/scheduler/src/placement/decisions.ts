import type { PlacementPolicy } from '@nervix/model';
import type { Steps } from '../steps.js';
import { adjacencyOf, neighboursOf } from './adjacency.js';
import { type ClaimClasses, claimClasses } from './claim-classes.js';
import { findConflict } from './class-conflict.js';
import { ClassPairs } from './class-pairs.js';
import type { CorridorTable } from './corridor-table.js';
import { type Adjacency, isSameList, type PlacementGraph } from './placement-graph.js';
import { joinRequired } from './required-pairs.js';
import type { HardGroup } from './resolved-placement.js';
import { compareRanks, type TieredRule } from './tiers.js';

/** What decisions depend on. */
export interface DecisionBasis {
  readonly graph: PlacementGraph;
  readonly defaultPolicy: PlacementPolicy;
  readonly rules: readonly TieredRule[];
  /** The essential ones, ordered by tier and policy. */
  readonly corridors: CorridorTable;
}

/** What essential corridors and the domain default decide about all pairs. */
export interface Decisions {
  readonly basis: DecisionBasis;
  readonly classes: ClaimClasses;
  readonly pairs: ClassPairs;
  /** The smallest pair over which rules of one tier disagree; the rest is not to be used then. */
  readonly conflict: readonly [left: number, right: number] | undefined;
  readonly groups: readonly HardGroup[];
  readonly groupOf: Int32Array;
  readonly defaultNeighbours: Adjacency;
}

/** Decides about all pairs. */
export function* decide(basis: DecisionBasis): Steps<Decisions> {
  const { graph, corridors, rules, defaultPolicy } = basis;
  const classes = yield* claimClasses(corridors.nodes);
  yield;
  const pairs = new ClassPairs(classes, corridors, rules);
  const conflict = yield* findConflict(classes, pairs, corridors);
  const joined = yield* joinRequired(graph.keys.length, rules, corridors, classes);
  // A neutral default decides nothing, so nobody asks for the pairs that are left to it.
  const unclaimed = defaultPolicy === 'NEUTRAL' ? [] : unclaimedPairs(graph, classes);
  if (defaultPolicy === 'REQUIRE COLOCATION') joined.joinPairs(unclaimed);
  const groups = joined.sets().map((set) => ({ members: set }));
  const groupOf = groupIndexes(graph, groups);
  const defaultNeighbours = adjacencyOf(graph.keys.length, bothWays(unclaimed));
  return { basis, classes, pairs, conflict, groups, groupOf, defaultNeighbours };
}

/** Whether the same corridors decide in the same way, whatever else changed. */
export function isSameDecision(own: DecisionBasis, basis: DecisionBasis): boolean {
  if (own.graph !== basis.graph || own.defaultPolicy !== basis.defaultPolicy) return false;
  const [before, after] = [own.corridors, basis.corridors];
  if (before.rule.length !== after.rule.length) return false;
  const decidesAlike = after.rule.every((rule, row) => {
    const one = own.rules[before.rule[row] ?? 0]?.rule;
    const other = basis.rules[rule]?.rule;
    if (one === undefined || other === undefined) return false;
    return one.policy === other.policy && compareRanks(one.rank, other.rank) === 0;
  });
  return decidesAlike && isSameList(before.nodes.bits, after.nodes.bits);
}

/** Direct pairs that no corridor holds, the lower node first. */
function unclaimedPairs(
  { keys, neighbours }: PlacementGraph,
  { classOf, signatures: { bits, words } }: ClaimClasses,
): number[] {
  const isClaimed = (left: number, right: number) => {
    for (let word = 0; word < words; word += 1) {
      if (((bits[left * words + word] ?? 0) & (bits[right * words + word] ?? 0)) !== 0) return true;
    }
    return false;
  };
  const pairs: number[] = [];
  for (const node of keys.keys()) {
    for (const other of neighboursOf(neighbours, node)) {
      const [left, right] = [classOf[node] ?? -1, classOf[other] ?? -1];
      if (other > node && (left < 0 || right < 0 || !isClaimed(left, right))) {
        pairs.push(node, other);
      }
    }
  }
  return pairs;
}

function groupIndexes(graph: PlacementGraph, groups: readonly HardGroup[]): Int32Array {
  const groupOf = new Int32Array(graph.keys.length).fill(-1);
  for (const [index, { members }] of groups.entries()) {
    for (const member of members) groupOf[member] = index;
  }
  return groupOf;
}

function bothWays(pairs: readonly number[]): Uint32Array {
  const both = new Uint32Array(2 * pairs.length);
  both.set(pairs);
  both.set(pairs.toReversed(), pairs.length);
  return both;
}
