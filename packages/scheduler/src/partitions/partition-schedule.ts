/** What the scheduled model of a Kafka `OFFSET BY DOMAIN` ingestor says about its partitions. */
export interface PartitionedIngestor {
  readonly topic: string;
  /** Consumers the partitions are dealt to; values below one count as one. */
  readonly instances: number;
}

/** Partitions of one topic, as the leader's watcher read them from the broker. */
export interface PartitionObservation extends PartitionedIngestor {
  /** Partition numbers in any order; repeats collapse. */
  readonly partitions: readonly number[];
}

/** The committed assignment, which alone decides what an executing instance consumes. */
export interface PartitionSchedule extends PartitionedIngestor {
  /** Zero for the first assignment, one more for each that differs from the one before. */
  readonly epoch: number;
  /** Partition numbers, ascending. */
  readonly observed: readonly number[];
  /** One ascending list per instance; empty where there are more instances than partitions. */
  readonly byInstance: readonly (readonly number[])[];
}

/** What an observation asks of the control plane. */
export type PartitionDecision =
  | { readonly kind: 'commit'; readonly schedule: PartitionSchedule }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'discarded'; readonly reason: 'topic' | 'instances' };

/**
 * Decides what one observation changes. The partition at place i of the ascending list belongs to
 * instance i mod n, so lists differ in length by at most one and partitions that a topic gains at
 * its end move none of the others.
 *
 * @param model the ingestor as scheduled now
 * @param stored the assignment in force, undefined before the first
 * @param observation what was read, with the topic and instance count it was read for
 */
export function decidePartitions(
  model: PartitionedIngestor,
  stored: PartitionSchedule | undefined,
  observation: PartitionObservation,
): PartitionDecision {
  if (observation.topic !== model.topic) return { kind: 'discarded', reason: 'topic' };
  if (observation.instances !== model.instances) {
    return { kind: 'discarded', reason: 'instances' };
  }
  const observed = [...new Set(observation.partitions)].sort((left, right) => left - right);
  const byInstance = dealPartitions(observed, model.instances);
  if (stored !== undefined && isSameAssignment(stored, model.topic, observed, byInstance)) {
    return { kind: 'unchanged' };
  }
  const epoch = stored === undefined ? 0 : stored.epoch + 1;
  const { topic, instances } = model;
  return { kind: 'commit', schedule: { topic, instances, epoch, observed, byInstance } };
}

function dealPartitions(observed: readonly number[], instances: number): readonly number[][] {
  const hands: number[][] = Array.from({ length: Math.max(1, instances) }, () => []);
  for (const [place, partition] of observed.entries()) {
    hands[place % hands.length]?.push(partition);
  }
  return hands;
}

function isSameAssignment(
  stored: PartitionSchedule,
  topic: string,
  observed: readonly number[],
  byInstance: readonly (readonly number[])[],
): boolean {
  return (
    stored.topic === topic &&
    isSameList(stored.observed, observed) &&
    stored.byInstance.length === byInstance.length &&
    stored.byInstance.every((list, instance) => isSameList(list, byInstance[instance] ?? []))
  );
}

function isSameList(left: readonly number[], right: readonly number[]): boolean {
  return left.length === right.length && left.every((value, place) => value === right[place]);
}

/**
 * The lines of `DESCRIBE INGESTOR` about partitions.
 *
 * @param instances consumers of the ingestor
 * @param schedule undefined before the first observation
 */
export function partitionLines(
  instances: number,
  schedule: PartitionSchedule | undefined,
): readonly string[] {
  const listed = (partitions: readonly number[] = []) => partitions.join(',') || '-';
  const lists = schedule?.byInstance ?? dealPartitions([], instances);
  return [
    `kafka observed partitions: ${listed(schedule?.observed)}`,
    `kafka rebalance epoch: ${schedule?.epoch ?? 0}`,
    ...lists.map((list, instance) => `kafka instance ${instance} partitions: ${listed(list)}`),
  ];
}
