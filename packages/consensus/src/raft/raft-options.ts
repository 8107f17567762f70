import type { ChainedPosition, ConfigurationRecord, Entry, EntryHeader } from './entry.ts';
import type { HardState } from './hard-state.ts';
import type { MemberId } from './member-id.ts';
import type { SnapshotMeta } from './message.ts';

/** Settings of the core. Times are ticks, sizes bytes. */
export interface RaftOptions {
  readonly self: MemberId;
  /** Process epoch: 16 bytes as 32 lower-case hexadecimal digits, new with every process. */
  readonly epoch: string;
  /** Seeds the core's only randomness, the election timeouts. */
  readonly seed: number;
  /** Chain value of an entry from the one before it and the entry's other fields. */
  readonly chainOf: (previous: Uint8Array, entry: Omit<Entry, 'chain'>) => Uint8Array;
  readonly heartbeatTicks: number;
  readonly electionTicksMin: number;
  /** Exclusive. */
  readonly electionTicksMax: number;
  /**
   * How long a probe, and any other append, may stay unanswered until it is taken for lost and sent
   * anew. A slow network then carries it twice, and the next one is even later: where the transport
   * tells of what it lost, both are long.
   */
  readonly probeTicksMax: number;
  readonly answerTicksMax: number;
  /** How reads are confirmed. Leases trust clocks: for tests and comparison only. */
  readonly readMode: 'round' | 'lease';
  /** What one append carries; its first entry is sent whatever its size. */
  readonly appendBytesMax: number;
  readonly appendEntriesMax: number;
  /** Bounds of what is sent to one follower and not answered. */
  readonly inflightBatchesMax: number;
  readonly inflightBytesMax: number;
  /** Appended and uncommitted commands above which further ones are refused. */
  readonly uncommittedBytesMax: number;
  /** Largest payload of one command. */
  readonly payloadBytesMax: number;
  /** Entries that are durable and kept in memory all the same, to be sent without reading. */
  readonly cacheBytesMax: number;
}

const MEBIBYTE = 1_024 * 1_024;

/** Defaults: ticks of 25 ms, heartbeats every 250 ms, election timeouts of 1.5 to 3 s. */
export const DEFAULT_RAFT_OPTIONS: Omit<RaftOptions, 'self' | 'epoch' | 'seed' | 'chainOf'> = {
  heartbeatTicks: 10,
  electionTicksMin: 60,
  electionTicksMax: 120,
  probeTicksMax: 10,
  answerTicksMax: 120,
  readMode: 'round',
  appendBytesMax: MEBIBYTE,
  appendEntriesMax: 1_024,
  inflightBatchesMax: 16,
  inflightBytesMax: 16 * MEBIBYTE,
  uncommittedBytesMax: 64 * MEBIBYTE,
  payloadBytesMax: 2 * MEBIBYTE - 256,
  cacheBytesMax: MEBIBYTE / 2,
};

/** What the core needs to know of the stored state when it is constructed. */
export interface RaftState {
  readonly hardState: HardState;
  /** Newest entry that is no longer in the log. */
  readonly purged: ChainedPosition;
  /** The stored entries behind it, in order. */
  readonly headers: Iterable<EntryHeader>;
  /** Configurations in order: the one in force at `purged`, if any, and all introduced since. */
  readonly configurations: readonly ConfigurationRecord[];
  /** Index of the newest entry whose effects are durable. */
  readonly applied: bigint;
  /** Newest complete snapshot. */
  readonly snapshot: SnapshotMeta | undefined;
}
