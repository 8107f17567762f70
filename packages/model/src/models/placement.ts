/** What a placement rule or a domain asks of where neighbours run. */
export const PLACEMENT_POLICIES = [
  'REQUIRE COLOCATION',
  'PREFER COLOCATION',
  'NEUTRAL',
  'SUGGEST SEPARATION',
] as const;
/** How close to each other nodes of the graph are to run. */
export type PlacementPolicy = (typeof PLACEMENT_POLICIES)[number];

/** A rule over the paths between two sets of runtime nodes, named without their kinds. */
export interface PlacementModel {
  readonly kind: 'placement';
  readonly name: string;
  readonly from: readonly string[];
  readonly to: readonly string[];
  readonly policy: PlacementPolicy;
  /** Decimal text above zero, or null without the clause. */
  readonly rank: string | null;
}
