import { assert } from '../assert.ts';
import type { ChainedPosition, ConfigurationRecord, Entry, EntryHeader } from '../raft/entry.ts';
import type { HardState } from '../raft/hard-state.ts';
import type {
  AppliedPosition,
  LogBounds,
  SnapshotManifest,
  StoreJob,
} from '../storage/log-storage.ts';
import { wordAt } from './command.ts';

/** Bytes that every entry costs beside its payload. */
const ENTRY_OVERHEAD = 64;

/** A snapshot with the registers that it holds. */
export interface StoredSnapshot {
  readonly manifest: SnapshotManifest;
  readonly registers: readonly number[];
}

/** Everything that one store holds durably. */
export class StoreContent {
  readonly storeId: string;
  clusterUid: string | undefined;
  hardState: HardState = { term: 0n, votedFor: undefined, commit: 0n };
  purged: ChainedPosition;
  entries: Entry[] = [];
  configurations: ConfigurationRecord[] = [];
  applied: AppliedPosition = { index: 0n, term: 0n, revision: 0n };
  registers: number[] = [];
  snapshot: StoredSnapshot | undefined;
  generation = 0n;
  /** A received snapshot whose installation has begun. */
  installing: StoredSnapshot | undefined;
  #bytes = 0;

  constructor(storeId: string, start: ChainedPosition) {
    this.storeId = storeId;
    this.purged = start;
  }

  get last(): ChainedPosition {
    return this.entries.at(-1) ?? this.purged;
  }

  get bounds(): LogBounds {
    return {
      purged: this.purged,
      last: this.last,
      retainedEntries: this.entries.length,
      retainedBytes: this.#bytes,
    };
  }

  /** Term of the entry at `index` if it is there or was purged last. */
  termAt(index: bigint): bigint | undefined {
    if (index === this.purged.index) return this.purged.term;
    return this.entryAt(index)?.term;
  }

  entryAt(index: bigint): Entry | undefined {
    if (index <= this.purged.index) return undefined;
    return this.entries[Number(index - this.purged.index) - 1];
  }

  /** The position at `index`, which is in the log or was purged last. */
  positionAt(index: bigint): ChainedPosition {
    const position = index === this.purged.index ? this.purged : this.entryAt(index);
    assert(position !== undefined, 'the position is in the stored log');
    return position;
  }

  *headers(): Generator<EntryHeader, void, void> {
    for (const { index, term, chain, payload } of this.entries) {
      yield { index, term, chain, bytes: payload.length };
    }
  }

  /** An independent copy, for a disk that will forget what it confirms. */
  copy(): StoreContent {
    const copy = new StoreContent(this.storeId, this.purged);
    copy.clusterUid = this.clusterUid;
    copy.hardState = this.hardState;
    copy.entries = [...this.entries];
    copy.configurations = [...this.configurations];
    copy.applied = this.applied;
    copy.registers = [...this.registers];
    copy.snapshot = this.snapshot;
    copy.generation = this.generation;
    copy.installing = this.installing;
    copy.#bytes = this.#bytes;
    return copy;
  }

  write(job: StoreJob): void {
    if (job.clusterUid !== undefined) this.clusterUid = job.clusterUid;
    if (job.truncateFrom !== undefined) this.#truncate(job.truncateFrom);
    for (const entry of job.entries) {
      assert(entry.index === this.last.index + 1n, 'entries are stored without a gap');
      this.entries.push(entry);
      this.#bytes += entry.payload.length + ENTRY_OVERHEAD;
    }
    if (job.configurations !== undefined) this.configurations.push(...job.configurations);
    if (job.hardState !== undefined) this.hardState = job.hardState;
    if (job.applied !== undefined) this.applied = job.applied;
    for (const { key, value } of job.writes) {
      this.registers[key[0] ?? 0] = value === undefined ? 0 : wordAt(value, 0);
    }
    if (job.purgeThrough !== undefined) this.#purge(job.purgeThrough);
  }

  /** Replaces state and, unless it goes on from there, log by the snapshot being installed. */
  finishInstall(): void {
    const stored = this.installing;
    if (stored === undefined) return;
    const { manifest, registers } = stored;
    const { index, term, chain, configuration, configurationIndex } = manifest;
    const isKept = this.termAt(index) === term;
    const record = { index: configurationIndex, configuration };
    if (isKept) {
      this.#purge(index);
      const behind = this.configurations.filter((it) => it.index > index);
      this.configurations = [record, ...behind];
    } else {
      this.entries = [];
      this.#bytes = 0;
      this.purged = { index, term, chain };
      this.configurations = [record];
    }
    this.applied = { index, term, revision: manifest.revision };
    this.registers = [...registers];
    this.generation += 1n;
    this.snapshot = { manifest: { ...manifest, generation: this.generation }, registers };
    this.clusterUid = configuration.clusterUid;
    if (this.hardState.commit < index) this.hardState = { ...this.hardState, commit: index };
    this.installing = undefined;
  }

  #truncate(from: bigint): void {
    assert(from > this.purged.index, 'what is purged is not cut');
    const kept = Number(from - this.purged.index) - 1;
    for (const { payload } of this.entries.splice(kept)) {
      this.#bytes -= payload.length + ENTRY_OVERHEAD;
    }
    while ((this.configurations.at(-1)?.index ?? 0n) >= from) this.configurations.pop();
  }

  #purge(through: bigint): void {
    const removed = Number(through - this.purged.index);
    if (removed <= 0) return;
    this.purged = this.positionAt(through);
    for (const { payload } of this.entries.splice(0, removed)) {
      this.#bytes -= payload.length + ENTRY_OVERHEAD;
    }
    const inForce = this.configurations.findLastIndex(({ index }) => index <= through);
    if (inForce > 0) this.configurations.splice(0, inForce);
  }
}
