import type { PlacementPolicy } from '@nervix/model';
import { neighboursOf } from './adjacency.js';
import { type BitMatrix, bitMatrix } from './bit-matrix.js';
import type { ClaimClasses } from './claim-classes.js';
import type { ClaimRows } from './claim-rows.js';
import { HardGroups, nextAbove } from './hard-groups.js';
import { mirrorRows } from './mirror-rows.js';
import type { PlacementGraph } from './placement-graph.js';

/** What resolving all classes found out. */
export interface ClaimPass {
  /** The smallest pair over which rules of one tier disagree; the rest is not to be used then. */
  readonly conflict: readonly [left: number, right: number] | undefined;
  readonly require: BitMatrix;
  readonly prefer: BitMatrix;
  readonly separate: BitMatrix;
  /** Joined by the rules alone. */
  readonly groups: HardGroups;
  /** Direct pairs without a claim: lower nodes at even, higher nodes at odd positions. */
  readonly unclaimed: readonly number[];
}

/** Resolves every class in the order of its smallest member. */
export function claimPass(
  graph: PlacementGraph,
  classes: ClaimClasses,
  rows: ClaimRows,
): ClaimPass {
  const matrixOf = (policy: PlacementPolicy): BitMatrix => {
    return bitMatrix(rows.mayDecide(policy) ? classes.signatures.rows : 0, graph.keys.length);
  };
  const require = matrixOf('REQUIRE COLOCATION');
  const [prefer, separate] = [matrixOf('PREFER COLOCATION'), matrixOf('SUGGEST SEPARATION')];
  const groups = new HardGroups(graph.keys.length);
  const unclaimed = unclaimedOutside(graph, classes.classOf);
  let conflict: readonly [number, number] | undefined;
  for (let index = 0; index < classes.signatures.rows && conflict === undefined; index += 1) {
    const members = neighboursOf(classes.members, index);
    const node = members[0] ?? 0;
    const disputed = rows.resolve(index);
    if (disputed >= 0) conflict = [node, disputed];
    writeRow(require, index, rows.decided('REQUIRE COLOCATION'), node);
    writeRow(prefer, index, rows.decided('PREFER COLOCATION'), node);
    writeRow(separate, index, rows.decided('SUGGEST SEPARATION'), node);
    joinMembers(groups, rows, members);
    for (const member of members) pushUnclaimed(graph, member, rows.claimed, unclaimed);
  }
  mirrorRows(prefer, classes);
  mirrorRows(separate, classes);
  return { conflict, require, prefer, separate, groups, unclaimed };
}

function writeRow(matrix: BitMatrix, row: number, decided: Uint32Array, node: number): void {
  if (matrix.rows === 0) return;
  const low = node >>> 5;
  matrix.bits.set(decided.subarray(low), row * matrix.words + low);
}

/**
 * Joins what a class requires. Its smallest member stands for the row; each other member needs only
 * one partner above itself, for that one is joined with the smallest member too.
 */
function joinMembers(groups: HardGroups, rows: ClaimRows, members: Uint32Array): void {
  const required = rows.decided('REQUIRE COLOCATION');
  for (const [position, member] of members.entries()) {
    const partner = nextAbove(required, member);
    if (partner < 0) return;
    if (position === 0) groups.joinRow(member, required);
    else groups.join(member, partner);
  }
}

/** Direct pairs whose lower node lies in no corridor. */
function unclaimedOutside(graph: PlacementGraph, classOf: Int32Array): number[] {
  const pairs: number[] = [];
  const nothing = new Uint32Array((graph.keys.length + 31) >>> 5);
  for (const [node, index] of classOf.entries()) {
    if (index < 0) pushUnclaimed(graph, node, nothing, pairs);
  }
  return pairs;
}

function pushUnclaimed(
  { neighbours: { starts, targets } }: PlacementGraph,
  node: number,
  claimed: Uint32Array,
  pairs: number[],
): void {
  for (let at = starts[node] ?? 0; at < (starts[node + 1] ?? 0); at += 1) {
    const other = targets[at] ?? 0;
    if (other <= node) continue;
    if ((((claimed[other >>> 5] ?? 0) >>> (other & 31)) & 1) === 0) pairs.push(node, other);
  }
}
