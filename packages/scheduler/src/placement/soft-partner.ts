import { bitCount } from './hard-bond.js';
import { type NodeSet, setNodes } from './reach-sets.js';
import type { ResolvedPlacement } from './resolved-placement.js';

/** Called with a partner and +1 for PREFER COLOCATION, -1 for SUGGEST SEPARATION. */
export type SoftPartnerVisit = (partner: number, weight: 1 | -1) => void;

const POLICIES = [
  ['PREFER COLOCATION', 1],
  ['SUGGEST SEPARATION', -1],
] as const;

/** Visits every graph node that an effective soft pair joins to the given one, each once. */
export function visitSoftPartners(
  placement: ResolvedPlacement,
  node: number,
  visit: SoftPartnerVisit,
): void {
  const { classOf, members, pairs } = placement.claims;
  const own = classOf[node] ?? -1;
  for (const [policy, weight] of own < 0 ? [] : POLICIES) {
    for (const index of setNodes(pairs.row(policy, own))) {
      for (let at = members.starts[index] ?? 0; at < (members.starts[index + 1] ?? 0); at += 1) {
        const partner = members.targets[at] ?? 0;
        if (partner !== node) visit(partner, weight);
      }
    }
  }
  const weight = defaultWeight(placement);
  if (weight === 0) return;
  const { starts, targets } = placement.defaultNeighbours;
  for (let at = starts[node] ?? 0; at < (starts[node + 1] ?? 0); at += 1) {
    visit(targets[at] ?? 0, weight);
  }
}

/**
 * Adds what a graph node prefers of the owners of its soft partners: the sum that
 * {@link visitSoftPartners} would give, without a call for each of what may be thousands.
 *
 * @param primary owner of each graph node by index, or -1; the node itself must not have one
 * @param scores by owner
 */
export function addSoftScores(
  placement: ResolvedPlacement,
  node: number,
  primary: Int32Array,
  scores: Int32Array,
): void {
  const { classOf, members, pairs } = placement.claims;
  const own = classOf[node] ?? -1;
  for (const [policy, weight] of own < 0 ? [] : POLICIES) {
    addRow({ row: pairs.row(policy, own), weight }, members, primary, scores);
  }
  const weight = defaultWeight(placement);
  if (weight === 0) return;
  const { starts, targets } = placement.defaultNeighbours;
  for (let at = starts[node] ?? 0; at < (starts[node + 1] ?? 0); at += 1) {
    const owner = primary[targets[at] ?? 0] ?? -1;
    if (owner >= 0) scores[owner] = (scores[owner] ?? 0) + weight;
  }
}

/** Some graph nodes, counted by class. */
export interface CountedNodes {
  readonly nodes: ReadonlySet<number>;
  /** Classes of exactly one of them, and of several, as bits. */
  readonly single: NodeSet;
  readonly several: NodeSet;
  readonly counts: Int32Array;
}

/** Counts graph nodes by class. */
export function countedNodes(
  { claims: { classOf, members } }: ResolvedPlacement,
  ids: readonly number[],
): CountedNodes {
  const classes = Math.max(0, members.starts.length - 1);
  const [single, several] = [bitsOf(classes), bitsOf(classes)];
  const counts = new Int32Array(classes);
  for (const id of ids) {
    const index = classOf[id] ?? -1;
    if (index < 0) continue;
    counts[index] = (counts[index] ?? 0) + 1;
    const [own, other] = counts[index] === 1 ? [single, several] : [several, single];
    own[index >>> 5] = (own[index >>> 5] ?? 0) | (1 << (index & 31));
    other[index >>> 5] = (other[index >>> 5] ?? 0) & ~(1 << (index & 31));
  }
  return { nodes: new Set(ids), single, several, counts };
}

function bitsOf(count: number): NodeSet {
  return new Uint32Array((count + 31) >>> 5);
}

/** What a graph node prefers of all counted ones together, of which it is none. */
export function softScoreOf(
  placement: ResolvedPlacement,
  node: number,
  { nodes, single, several, counts }: CountedNodes,
): number {
  const { classOf, pairs } = placement.claims;
  const own = classOf[node] ?? -1;
  let score = 0;
  for (const [policy, weight] of own < 0 ? [] : POLICIES) {
    const row = pairs.row(policy, own);
    for (let word = 0; word < row.length; word += 1) {
      const bits = row[word] ?? 0;
      score += weight * bitCount(bits & (single[word] ?? 0));
      for (let rest = bits & (several[word] ?? 0); rest !== 0; rest &= rest - 1) {
        score += weight * (counts[(word << 5) + 31 - Math.clz32(rest & -rest)] ?? 0);
      }
    }
  }
  const weight = defaultWeight(placement);
  if (weight === 0) return score;
  const { starts, targets } = placement.defaultNeighbours;
  for (let at = starts[node] ?? 0; at < (starts[node + 1] ?? 0); at += 1) {
    if (nodes.has(targets[at] ?? -1)) score += weight;
  }
  return score;
}

function addRow(
  { row, weight }: { readonly row: NodeSet; readonly weight: number },
  { starts, targets }: ResolvedPlacement['claims']['members'],
  primary: Int32Array,
  scores: Int32Array,
): void {
  for (let word = 0; word < row.length; word += 1) {
    for (let rest = row[word] ?? 0; rest !== 0; rest &= rest - 1) {
      const index = (word << 5) + 31 - Math.clz32(rest & -rest);
      const end = starts[index + 1] ?? 0;
      for (let at = starts[index] ?? 0; at < end; at += 1) {
        const owner = primary[targets[at] ?? 0] ?? -1;
        if (owner >= 0) scores[owner] = (scores[owner] ?? 0) + weight;
      }
    }
  }
}

function defaultWeight({ defaultPolicy }: ResolvedPlacement): 1 | -1 | 0 {
  return POLICIES.find(([policy]) => policy === defaultPolicy)?.[1] ?? 0;
}
