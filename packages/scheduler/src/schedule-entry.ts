import type { PartitionSchedule } from './partitions/partition-schedule.js';
import type { Assignment } from './schedule-input.js';

/** An assignment together with what a schedule carries along for the graph node. */
export interface ScheduleEntry extends Assignment {
  /** Primary first, then replicas in order; all live nodes, by name, for a listener. */
  readonly nodes: readonly string[];
  /** Partitions of a Kafka `OFFSET BY DOMAIN` ingestor; computations copy them. */
  readonly partitions?: PartitionSchedule;
  /**
   * Generation of the guest state of a WASM processor by branch, the unbranched instance under the
   * empty name. Computations copy it, except that a failover starts the next one everywhere.
   */
  readonly guestGenerations?: Readonly<Record<string, number>>;
}
