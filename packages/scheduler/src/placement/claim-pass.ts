import type { PlacementPolicy } from '@nervix/model';
import { neighboursOf } from './adjacency.js';
import { type BitMatrix, bitMatrix, hasBit } from './bit-matrix.js';
import type { ClaimClasses } from './claim-classes.js';
import type { ClaimRows } from './claim-rows.js';
import { DisjointSets } from './disjoint-sets.js';
import { JoinedRows } from './joined-rows.js';
import { mirrorRows } from './mirror-rows.js';
import type { PlacementGraph } from './placement-graph.js';
import type { ClassSight } from './rule-outcomes.js';

/** What resolving all classes found out. */
export interface ClaimPass {
  /** The smallest pair over which rules of one tier disagree; the rest is not to be used then. */
  readonly conflict: readonly [left: number, right: number] | undefined;
  readonly require: BitMatrix;
  readonly prefer: BitMatrix;
  readonly separate: BitMatrix;
  /** Graph nodes joined by rules. */
  readonly joined: DisjointSets;
  /** Direct pairs without a claim: one node at each even position, the other behind it. */
  readonly unclaimed: readonly number[];
}

/** Resolves every class in the order of its smallest member. */
export function claimPass(
  graph: PlacementGraph,
  classes: ClaimClasses,
  rows: ClaimRows,
): ClaimPass {
  const count = classes.signatures.rows;
  const matrixOf = (policy: PlacementPolicy) =>
    bitMatrix(rows.mayDecide(policy) ? count : 0, count);
  const require = matrixOf('REQUIRE COLOCATION');
  const [prefer, separate] = [matrixOf('PREFER COLOCATION'), matrixOf('SUGGEST SEPARATION')];
  const joinedClasses = new JoinedRows(count);
  const unclaimed = unclaimedOutside(graph, classes.classOf);
  let conflict: readonly [number, number] | undefined;
  for (let index = 0; index < count && conflict === undefined; index += 1) {
    const disputed = rows.resolve(index);
    if (disputed >= 0) conflict = [neighboursOf(classes.members, index)[0] ?? 0, disputed];
    writeRow(require, index, rows.decided('REQUIRE COLOCATION'));
    writeRow(prefer, index, rows.decided('PREFER COLOCATION'));
    writeRow(separate, index, rows.decided('SUGGEST SEPARATION'));
    if (require.rows > 0) joinedClasses.joinRow(index, rows.decided('REQUIRE COLOCATION'));
    pushUnclaimed(graph, { classes, index, claimed: rows.claimed }, unclaimed);
  }
  for (const matrix of [require, prefer, separate]) mirrorRows(matrix);
  const joined = joinedNodes(graph, classes, require, joinedClasses);
  return { conflict, require, prefer, separate, joined, unclaimed };
}

function writeRow(matrix: BitMatrix, row: number, decided: Uint32Array): void {
  if (matrix.rows === 0) return;
  const low = row >>> 5;
  matrix.bits.set(decided.subarray(low), row * matrix.words + low);
}

/**
 * Joins the members of classes. Where two classes are required beside each other every pair across
 * them is, so all their members end up together even if the members of one are not required to.
 */
function joinedNodes(
  graph: PlacementGraph,
  { members }: ClaimClasses,
  require: BitMatrix,
  classes: JoinedRows,
): DisjointSets {
  const joined = new DisjointSets(graph.keys.length);
  const joinAll = (indexes: readonly number[]) => {
    const first = neighboursOf(members, indexes[0] ?? 0)[0] ?? 0;
    for (const index of indexes) {
      for (const member of neighboursOf(members, index)) joined.join(first, member);
    }
  };
  for (let index = 0; index < require.rows; index += 1) {
    if (hasBit(require, index, index)) joinAll([index]);
  }
  for (const set of classes.sets()) joinAll(set);
  return joined;
}

/** Direct pairs with a node that lies in no corridor. */
function unclaimedOutside({ neighbours }: PlacementGraph, classOf: Int32Array): number[] {
  const pairs: number[] = [];
  for (const [node, index] of classOf.entries()) {
    if (index >= 0) continue;
    for (const other of neighboursOf(neighbours, node)) {
      if (other > node || (classOf[other] ?? -1) >= 0) pairs.push(node, other);
    }
  }
  return pairs;
}

/** Direct pairs of a class's members among each other and with classes above. */
function pushUnclaimed(
  { neighbours: { starts, targets } }: PlacementGraph,
  { classes: { classOf, members }, index, claimed }: ClassSight,
  pairs: number[],
): void {
  for (const node of neighboursOf(members, index)) {
    for (let at = starts[node] ?? 0; at < (starts[node + 1] ?? 0); at += 1) {
      const other = targets[at] ?? 0;
      const there = classOf[other] ?? -1;
      if (there < index || (there === index && other < node)) continue;
      if ((((claimed[there >>> 5] ?? 0) >>> (there & 31)) & 1) === 0) pairs.push(node, other);
    }
  }
}
