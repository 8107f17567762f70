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
