import type { PartitionSchedule } from './partitions/partition-schedule.js';
import type { GraphKey } from './placement/graph-key.js';

/** Where one graph node runs, and what a schedule carries along for it. */
export interface ScheduleEntry extends GraphKey {
  /**
   * Names of cluster nodes: primary first, then replicas in order; all live nodes, by name, for a
   * listener. Empty while no node could be found.
   */
  readonly nodes: readonly string[];
  /** Partitions of a Kafka `OFFSET BY DOMAIN` ingestor; computations copy them. */
  readonly partitions?: PartitionSchedule;
  /** Of a WASM processor; absent before anything started a second one. */
  readonly guestGenerations?: GuestGenerations;
}

/**
 * Generations of the guest state of a WASM processor. The first is 1 and each further one is the
 * highest ever given out plus one, so that none returns.
 */
export interface GuestGenerations {
  /** Of every branch that has none of its own. */
  readonly common: number;
  /** Of branches that were reset alone since the common one began; the names are branch keys. */
  readonly byBranch: Readonly<Record<string, number>>;
}

/**
 * The generation after all that were given out.
 *
 * @param before absent before anything started a second one
 */
export function nextGuestGeneration(before?: GuestGenerations): number {
  const { common, byBranch } = before ?? FIRST_GENERATION;
  return Math.max(common, ...Object.values(byBranch)) + 1;
}

/** What guests have that nothing started anew. */
export const FIRST_GENERATION: GuestGenerations = { common: 1, byBranch: {} };
