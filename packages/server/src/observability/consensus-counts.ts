import type { NodeEvent, ReplicaEvent } from '@nervix/consensus';
import type { MetricSample } from '@nervix/runtime/data-plane';

/** What became of a command or a read of the log. */
export type LogOutcome = 'done' | 'refused' | 'unknown';

/** Upper bounds of the buckets, each with +Inf behind it. */
const FSYNC_SECONDS = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5];
const OPERATIONS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024, 2_048, 4_096];
const BYTES = Array.from({ length: 9 }, (_, i) => 128 * 4 ** i);

class Distribution {
  readonly #bounds: readonly number[];
  readonly #counts: number[];
  #sum = 0;
  #count = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = bounds.map(() => 0);
  }

  add(value: number): void {
    const at = this.#bounds.findIndex((bound) => value <= bound);
    if (at >= 0) this.#counts[at] = (this.#counts[at] ?? 0) + 1;
    this.#sum += value;
    this.#count += 1;
  }

  sample(name: string): MetricSample {
    let count = 0;
    const buckets = this.#bounds.map((le, at) => {
      count += this.#counts[at] ?? 0;
      return { le, count };
    });
    buckets.push({ le: Number.POSITIVE_INFINITY, count: this.#count });
    return { kind: 'histogram', name, labels: {}, buckets, sum: this.#sum, count: this.#count };
  }
}

class Tally<L extends string> {
  readonly #counts: Map<L, number>;

  constructor(labels: readonly L[]) {
    this.#counts = new Map(labels.map((label) => [label, 0]));
  }

  add(label: L): void {
    this.#counts.set(label, (this.#counts.get(label) ?? 0) + 1);
  }

  samples(name: string, label: string): readonly MetricSample[] {
    return [...this.#counts].map(([value, count]) => ({
      kind: 'counter',
      name,
      labels: { [label]: value },
      value: count,
    }));
  }
}

const OUTCOMES: readonly LogOutcome[] = ['done', 'refused', 'unknown'];

/** Counts what the log of this process tells of, for its series. */
export class ConsensusCounts {
  readonly #fsync = new Distribution(FSYNC_SECONDS);
  readonly #operations = new Distribution(OPERATIONS);
  readonly #bytes = new Distribution(BYTES);
  readonly #elections = new Tally(['won', 'lost']);
  readonly #proposals = new Tally(OUTCOMES);
  readonly #reads = new Tally(OUTCOMES);
  #leaderChanges = 0;
  #divergences = 0;
  #lostTicks = 0;
  /** -1 until it was looked at. */
  #freeBytes = -1;
  #leader: string | undefined;

  observe(event: ReplicaEvent | NodeEvent): void {
    switch (event.kind) {
      case 'write':
        this.#fsync.add(event.milliseconds / 1_000);
        this.#operations.add(event.operations);
        this.#bytes.add(event.bytes);
        break;
      case 'elected':
        this.#elections.add('won');
        break;
      case 'campaignFailed':
        if (event.phase === 'vote') this.#elections.add('lost');
        break;
      case 'softState': {
        const leader = event.softState.leader?.nodeId;
        if (leader !== undefined && leader !== this.#leader) this.#leaderChanges += 1;
        this.#leader = leader ?? this.#leader;
        break;
      }
      case 'stateDivergence':
        this.#divergences += 1;
        break;
      case 'stalled':
        this.#lostTicks += event.lostTicks;
        break;
      case 'diskSpace':
        this.#freeBytes = event.freeBytes;
        break;
      default:
    }
  }

  proposed(outcome: LogOutcome): void {
    this.#proposals.add(outcome);
  }

  read(outcome: LogOutcome): void {
    this.#reads.add(outcome);
  }

  samples(): readonly MetricSample[] {
    const counter = (name: string, value: number): MetricSample => ({
      kind: 'counter',
      name: `nervix_consensus_${name}_total`,
      labels: {},
      value,
    });
    return [
      counter('leader_changes', this.#leaderChanges),
      counter('state_divergence', this.#divergences),
      counter('tick_stall', this.#lostTicks),
      ...this.#elections.samples('nervix_consensus_elections_total', 'result'),
      ...this.#proposals.samples('nervix_consensus_proposals_total', 'outcome'),
      ...this.#reads.samples('nervix_consensus_read_index_total', 'outcome'),
      this.#fsync.sample('nervix_consensus_fsync_seconds'),
      this.#operations.sample('nervix_consensus_batch_operations'),
      this.#bytes.sample('nervix_consensus_batch_bytes'),
      {
        kind: 'gauge',
        name: 'nervix_consensus_disk_free_bytes',
        labels: {},
        value: this.#freeBytes,
      },
    ];
  }
}
