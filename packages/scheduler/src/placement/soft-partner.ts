import { visitRow } from './bit-matrix.js';
import type { ResolvedPlacement } from './resolved-placement.js';

/** Called with a partner and +1 for PREFER COLOCATION, -1 for SUGGEST SEPARATION. */
export type SoftPartnerVisit = (partner: number, weight: 1 | -1) => void;

/** Visits every graph node that an effective soft pair joins to the given one, each once. */
export function visitSoftPartners(
  placement: ResolvedPlacement,
  node: number,
  visit: SoftPartnerVisit,
): void {
  const { classOf, members, prefer, separate } = placement.claims;
  const row = classOf[node] ?? -1;
  const visitClass = (weight: 1 | -1) => (index: number) => {
    for (let at = members.starts[index] ?? 0; at < (members.starts[index + 1] ?? 0); at += 1) {
      const partner = members.targets[at] ?? 0;
      if (partner !== node) visit(partner, weight);
    }
  };
  if (row >= 0 && prefer.rows > 0) visitRow(prefer, row, visitClass(1));
  if (row >= 0 && separate.rows > 0) visitRow(separate, row, visitClass(-1));
  visitDefaultPartners(placement, node, visit);
}

function visitDefaultPartners(
  { defaultPolicy, defaultNeighbours: { starts, targets } }: ResolvedPlacement,
  node: number,
  visit: SoftPartnerVisit,
): void {
  if (defaultPolicy !== 'PREFER COLOCATION' && defaultPolicy !== 'SUGGEST SEPARATION') return;
  const weight = defaultPolicy === 'PREFER COLOCATION' ? 1 : -1;
  for (let index = starts[node] ?? 0; index < (starts[node + 1] ?? 0); index += 1) {
    visit(targets[index] ?? 0, weight);
  }
}
