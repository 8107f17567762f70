import type { PlacementPolicy } from '@nervix/model';
import type { GraphKey } from './graph-key.js';

/** A placement rule whose members are bound to graph nodes. */
export interface PlacementRule {
  /** Unique inside the domain. */
  readonly name: string;
  /** Not empty and without repeats, in written order. */
  readonly from: readonly GraphKey[];
  /** Not empty and without repeats, in written order. */
  readonly to: readonly GraphKey[];
  readonly policy: PlacementPolicy;
  /** Decimal text above zero, smaller is stronger; null counts after every rank. */
  readonly rank: string | null;
}
