import { PLACEMENT_POLICIES } from '@nervix/model';
import { neighboursOf } from './adjacency.js';
import { type ClaimClasses, classSize } from './claim-classes.js';
import type { ClassPairs } from './class-pairs.js';
import { DisjointSets } from './disjoint-sets.js';
import { type NodeSet, setNodes } from './reach-sets.js';
import { takeRows } from './row-union.js';

const REQUIRE = PLACEMENT_POLICIES.indexOf('REQUIRE COLOCATION');

/**
 * Joins the graph nodes that rules require beside each other. Where two classes are, every pair
 * across them is, so all their members end up together even if the members of one are not required
 * to. A search through what is not reached yet looks at each class once, and mostly at a few words.
 *
 * @param nodes number of graph nodes
 */
export function* joinRequired(
  nodes: number,
  classes: ClaimClasses,
  pairs: ClassPairs,
): Generator<void, DisjointSets> {
  const joined = new DisjointSets(nodes);
  if (!pairs.asksFor('REQUIRE COLOCATION')) return joined;
  const count = classes.signatures.rows;
  const unseen = new Uint32Array((count + 31) >>> 5).fill(-1);
  if ((count & 31) !== 0) unseen[unseen.length - 1] = (1 << (count & 31)) - 1;
  const open = unseen.slice();
  const partners = unseen.slice();
  for (let start = 0; start < count; start += 1) {
    if (!take(unseen, start)) continue;
    const found = [start];
    for (const index of found) {
      if (unseen.every((word) => word === 0)) break;
      requiredAmong(pairs, index, { unseen, open, partners });
      for (const partner of setNodes(partners)) {
        take(unseen, partner);
        found.push(partner);
      }
      yield;
    }
    if (found.length > 1 || isRequiredInside(classes, pairs, start)) {
      joinMembers(joined, classes, found);
    }
  }
  return joined;
}

/** Writes the unseen classes that rules require beside one into `partners`. */
function requiredAmong(
  pairs: ClassPairs,
  index: number,
  sets: { readonly unseen: NodeSet; readonly open: NodeSet; readonly partners: NodeSet },
): void {
  sets.open.set(sets.unseen);
  sets.partners.fill(0);
  const runs = pairs.runsOf(index);
  const lastRequire = runs.findLastIndex(({ policy }) => policy === REQUIRE);
  for (let at = 0; at <= lastRequire; at += 1) {
    const run = runs[at];
    if (run === undefined) return;
    const hits = run.policy === REQUIRE ? sets.partners : undefined;
    if (!takeRows(pairs.corridors, run.rows, sets.open, hits)) return;
  }
}

/** Members of one class lie in the same corridors, so that the strongest of these decides. */
function isRequiredInside(classes: ClaimClasses, pairs: ClassPairs, index: number): boolean {
  return classSize(classes, index) > 1 && pairs.runsOf(index)[0]?.policy === REQUIRE;
}

function joinMembers(
  joined: DisjointSets,
  { members }: ClaimClasses,
  indexes: readonly number[],
): void {
  const first = neighboursOf(members, indexes[0] ?? 0)[0] ?? 0;
  for (const index of indexes) {
    for (const member of neighboursOf(members, index)) joined.join(first, member);
  }
}

/** Takes a bit out of a set; false when it was not there. */
function take(set: NodeSet, index: number): boolean {
  const bit = 1 << (index & 31);
  const word = set[index >>> 5] ?? 0;
  set[index >>> 5] = word & ~bit;
  return (word & bit) !== 0;
}
