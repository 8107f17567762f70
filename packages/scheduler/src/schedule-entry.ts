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
  /**
   * Generation of the guest state of a WASM processor by branch, the unbranched instance under the
   * empty name. Computations copy it, except that a failover starts the next one everywhere.
   */
  readonly guestGenerations?: Readonly<Record<string, number>>;
}
