import type { MemberTraits } from '../computation/member-traits.js';
import type { PlacementConflict, ResolvedPlacement } from '../placement/resolved-placement.js';

/** A domain that schedules can be computed for: what its rules amount to, and its graph nodes. */
export interface ResolvedDomain {
  readonly placement: ResolvedPlacement;
  /** One per graph node. */
  readonly traits: readonly MemberTraits[];
}

/** Outcome of resolving a domain. */
export type DomainOutcome = ({ readonly kind: 'resolved' } & ResolvedDomain) | PlacementConflict;
