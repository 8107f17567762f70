import { assert } from '../assert.ts';
import type { ConfigurationRecord, Entry } from '../raft/entry.ts';
import type { HardState } from '../raft/hard-state.ts';
import type { CoreStoreJob } from '../raft/output.ts';
import { ENTRY_OVERHEAD_BYTES } from '../storage/entry-codec.ts';

/** Several jobs of the core as one durable write, under the number of the newest of them. */
export interface MergedJob extends CoreStoreJob {
  /** Entries and configurations in it. */
  readonly operations: number;
  /** Encoded size of its entries in bytes. */
  readonly bytes: number;
}

/** Jobs of the core that are not being written yet, in order. */
export class StoreQueue {
  readonly #operationsMax: number;
  readonly #bytesMax: number;
  #jobs: CoreStoreJob[] = [];

  constructor(limits: { readonly operationsMax: number; readonly bytesMax: number }) {
    this.#operationsMax = limits.operationsMax;
    this.#bytesMax = limits.bytesMax;
  }

  get isEmpty(): boolean {
    return this.#jobs.length === 0;
  }

  /** Whether commands are all that the jobs append, and appending is all that they do. */
  get isCommandsOnly(): boolean {
    return this.#jobs.every(
      ({ truncateFrom, entries, configurations, installSnapshot }) =>
        entries.length > 0 &&
        truncateFrom === undefined &&
        configurations.length === 0 &&
        installSnapshot === undefined,
    );
  }

  push(job: CoreStoreJob): void {
    this.#jobs.push(job);
  }

  clear(): void {
    this.#jobs = [];
  }

  /**
   * Takes as many jobs as fit one write, but at least one. No job is divided, and none is merged
   * behind one that replaces the state.
   */
  take(): MergedJob | undefined {
    const first = this.#jobs[0];
    if (first === undefined) return undefined;
    const merged = new Merge(first);
    let taken = 1;
    for (; taken < this.#jobs.length && !merged.isClosed; taken += 1) {
      const job = this.#jobs[taken];
      assert(job !== undefined, 'the job is in the queue');
      if (!merged.add(job, this.#operationsMax, this.#bytesMax)) break;
    }
    this.#jobs = this.#jobs.slice(taken);
    return merged.finish();
  }
}

class Merge {
  #newest: CoreStoreJob;
  #truncateFrom: bigint | undefined;
  #entries: Entry[];
  #configurations: ConfigurationRecord[];
  #hardState: HardState | undefined;
  #bytes: number;

  constructor(first: CoreStoreJob) {
    this.#newest = first;
    this.#truncateFrom = first.truncateFrom;
    this.#entries = [...first.entries];
    this.#configurations = [...first.configurations];
    this.#hardState = first.hardState;
    this.#bytes = entriesBytes(first.entries);
  }

  get isClosed(): boolean {
    return this.#newest.installSnapshot !== undefined;
  }

  get #operations(): number {
    return this.#entries.length + this.#configurations.length;
  }

  add(job: CoreStoreJob, operationsMax: number, bytesMax: number): boolean {
    const bytes = entriesBytes(job.entries);
    const operations = job.entries.length + job.configurations.length;
    if (this.#operations + operations > operationsMax || this.#bytes + bytes > bytesMax) {
      return false;
    }
    if (job.truncateFrom !== undefined) this.#truncate(job.truncateFrom);
    for (const entry of job.entries) this.#entries.push(entry);
    for (const record of job.configurations) this.#configurations.push(record);
    this.#bytes += bytes;
    this.#hardState = job.hardState ?? this.#hardState;
    this.#newest = job;
    return true;
  }

  finish(): MergedJob {
    const { seq, commitOnPersist, installSnapshot } = this.#newest;
    return {
      seq,
      truncateFrom: this.#truncateFrom,
      entries: this.#entries,
      configurations: this.#configurations,
      hardState: this.#hardState,
      commitOnPersist,
      installSnapshot,
      operations: this.#operations,
      bytes: this.#bytes,
    };
  }

  /** Cuts what this write would append, and the stored log too when the cut reaches below that. */
  #truncate(from: bigint): void {
    const start = this.#entries[0]?.index;
    if (start === undefined || from < start) {
      const isDeeper = this.#truncateFrom === undefined || from < this.#truncateFrom;
      if (isDeeper) this.#truncateFrom = from;
    }
    this.#entries = this.#entries.filter(({ index }) => index < from);
    this.#configurations = this.#configurations.filter(({ index }) => index < from);
    this.#bytes = entriesBytes(this.#entries);
  }
}

function entriesBytes(entries: readonly Entry[]): number {
  let bytes = 0;
  for (const { payload } of entries) bytes += payload.length + ENTRY_OVERHEAD_BYTES;
  return bytes;
}
