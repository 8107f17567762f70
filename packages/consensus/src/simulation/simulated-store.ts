import { assert } from '../assert.ts';
import type { ChainedPosition, ConfigurationRecord, Entry, EntryHeader } from '../raft/entry.ts';
import { FIRST_LEVEL } from '../raft/feature-levels.ts';
import type { HardState } from '../raft/hard-state.ts';
import type {
  AppliedPosition,
  LogBounds,
  SnapshotManifest,
  StoreJob,
} from '../storage/log-storage.ts';
import { configurationAt } from '../storage/stored-configurations.ts';
import { chainNumber, simulatedChain } from './chain.ts';
import { wordAt } from './command.ts';

/** Bytes that every entry costs beside its payload. */
const ENTRY_OVERHEAD = 64;

/** A snapshot with the registers that it holds. */
export interface StoredSnapshot {
  readonly manifest: SnapshotManifest;
  readonly registers: readonly number[];
  /** The registers as they were written, in place of digests of sections. */
  readonly written: string;
}

/** What of a store a changed bit lies in. */
export type FlippedPart = 'entry' | 'hardState' | 'registers' | 'snapshot';

/** Everything that one store holds durably. */
export class StoreContent {
  readonly storeId: string;
  clusterUid: string | undefined;
  /** Feature level activated at the applied position. */
  level: number = FIRST_LEVEL;
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
  /** What exists once, as it was written: stands for the checksums of a real store. */
  #written: string;

  constructor(storeId: string, start: ChainedPosition) {
    this.storeId = storeId;
    this.purged = start;
    this.#written = this.#positions;
  }

  /** What of the store differs from what was written to it; `undefined` when nothing does. */
  get damage(): string | undefined {
    if (this.#positions !== this.#written) return 'positions or records';
    const damaged = this.entries.find((entry) => !this.isWhole(entry));
    return damaged === undefined ? undefined : `entry ${damaged.index}`;
  }

  /** Whether a stored entry is as it was written. */
  isWhole(entry: Entry): boolean {
    const before = this.positionAt(entry.index - 1n);
    return chainNumber(simulatedChain(before.chain, entry)) === chainNumber(entry.chain);
  }

  /** Changes one bit; `draw` gives a number below its argument. `false` when there is nothing. */
  flip(part: FlippedPart, draw: (bound: number) => number): boolean {
    switch (part) {
      case 'entry': {
        const at = draw(Math.max(1, this.entries.length));
        const entry = this.entries[at];
        if (entry === undefined || entry.payload.length === 0) return false;
        // Others have the same entry in their memory.
        const payload = new Uint8Array(entry.payload);
        const byte = draw(payload.length);
        payload[byte] = (payload[byte] ?? 0) ^ (1 << draw(8));
        this.entries[at] = { ...entry, payload };
        return true;
      }
      case 'hardState':
        this.hardState = { ...this.hardState, term: this.hardState.term ^ (1n << BigInt(draw(4))) };
        return true;
      case 'registers':
        return flipOne(this.registers, draw);
      case 'snapshot': {
        if (this.snapshot === undefined) return false;
        const registers = [...this.snapshot.registers];
        this.snapshot = { ...this.snapshot, registers };
        return flipOne(registers, draw);
      }
    }
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
    copy.level = this.level;
    copy.hardState = this.hardState;
    copy.entries = [...this.entries];
    copy.configurations = [...this.configurations];
    copy.applied = this.applied;
    copy.registers = [...this.registers];
    copy.snapshot = this.snapshot;
    copy.generation = this.generation;
    copy.installing = this.installing;
    copy.#bytes = this.#bytes;
    copy.#written = this.#written;
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
    if (job.applied !== undefined) {
      this.applied = job.applied;
      const inForce = configurationAt(this.configurations, job.applied.index);
      this.level = inForce?.configuration.level ?? this.level;
    }
    for (const { key, value } of job.writes) {
      this.registers[key[0] ?? 0] = value === undefined ? 0 : wordAt(value, 0);
    }
    if (job.purgeThrough !== undefined) this.#purge(job.purgeThrough);
    this.#written = this.#positions;
  }

  /** Replaces state and, unless it goes on from there, log by the snapshot being installed. */
  finishInstall(): void {
    const stored = this.installing;
    if (stored === undefined) return;
    const { manifest, registers, written } = stored;
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
    this.snapshot = { manifest: { ...manifest, generation: this.generation }, registers, written };
    this.clusterUid = configuration.clusterUid;
    this.level = configuration.level;
    if (this.hardState.commit < index) this.hardState = { ...this.hardState, commit: index };
    this.installing = undefined;
    this.#written = this.#positions;
  }

  get #positions(): string {
    const { term, votedFor, commit } = this.hardState;
    const { index, revision } = this.applied;
    return [term, votedFor?.storeId, commit, index, revision, ...this.registers].join();
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

function flipOne(numbers: number[], draw: (bound: number) => number): boolean {
  if (numbers.length === 0) return false;
  const at = draw(numbers.length);
  numbers[at] = (numbers[at] ?? 0) ^ (1 << draw(16));
  return true;
}
