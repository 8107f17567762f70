import { assert, present } from '../assert.ts';
import { type ConfigurationRecord, type Entry, LOG_START } from '../raft/entry.ts';
import { type HardState, INITIAL_HARD_STATE } from '../raft/hard-state.ts';
import { moveStateDigest, recordDigest } from './digests.ts';
import { LogIndex } from './log-index.ts';
import {
  type AppliedPosition,
  INITIAL_APPLIED,
  type SnapshotManifest,
  type StateProof,
  type StateRecord,
  type StateWrite,
  type StoreIdentity,
  type StoreJob,
} from './log-storage.ts';
import { recordName } from './record-name.ts';
import {
  configurationAt,
  configurationsBefore,
  configurationsFrom,
} from './stored-configurations.ts';

const EMPTY_PROOF: StateProof = { stateDigest: 0n, recordCount: 0n };

/** Everything that a store in memory keeps. */
export class MemoryContent {
  readonly identity: StoreIdentity;
  clusterUid: string | undefined;
  /** Feature level activated at the applied position. */
  level: number;
  incarnation = 0n;
  hardState: HardState = INITIAL_HARD_STATE;
  applied: AppliedPosition = INITIAL_APPLIED;
  proof: StateProof = EMPTY_PROOF;
  readonly log: LogIndex = new LogIndex(LOG_START);
  configurations: readonly ConfigurationRecord[] = [];
  /** By key as text; replaced as a whole by each change. */
  records: ReadonlyMap<string, StateRecord> = new Map();
  /** Sections by generation. */
  readonly sections: Map<bigint, Uint8Array[]> = new Map();
  snapshot: SnapshotManifest | undefined;
  /** The snapshot that is being installed. */
  installation: SnapshotManifest | undefined;
  /** Greatest generation that was ever drawn. */
  generation = 0n;
  #entries: Entry[] = [];

  constructor(identity: StoreIdentity, level: number) {
    this.identity = identity;
    this.level = level;
  }

  /** Stored entries from `from` through `through`. */
  entries(from: bigint, through: bigint): readonly Entry[] {
    const first = this.log.bounds.purged.index + 1n;
    return this.#entries.slice(Number(from - first), Number(through - first) + 1);
  }

  /** Records in order of their keys. */
  sortedRecords(): readonly StateRecord[] {
    const records = [...this.records.values()];
    return records.sort((left, right) => Buffer.compare(left.key, right.key));
  }

  write(job: StoreJob): void {
    this.clusterUid ??= job.clusterUid;
    this.incarnation = job.incarnation ?? this.incarnation;
    this.hardState = job.hardState ?? this.hardState;
    if (job.truncateFrom !== undefined) {
      const kept = Number(job.truncateFrom - this.log.bounds.purged.index) - 1;
      this.#entries = this.#entries.slice(0, kept);
      this.log.truncate(job.truncateFrom);
      this.configurations = configurationsBefore(this.configurations, job.truncateFrom);
    }
    for (const { index, term, kind, payload, chain } of job.entries) {
      this.#entries.push({ index, term, kind, payload: copy(payload), chain: copy(chain) });
      this.log.append({ index, term, chain, bytes: payload.length });
    }
    this.configurations = [...this.configurations, ...(job.configurations ?? [])];
    if (job.purgeThrough !== undefined) this.#purge(job.purgeThrough);
    if (job.applied === undefined) return;
    this.applied = job.applied;
    const inForce = configurationAt(this.configurations, job.applied.index);
    this.level = inForce?.configuration.level ?? this.level;
    this.#putWrites(job.writes);
  }

  /** Removes all records, so that those of a snapshot can follow. */
  clearRecords(): void {
    this.records = new Map();
  }

  /** Adds records without moving the proof, which comes with the end of an installation. */
  addRecords(records: Iterable<StateRecord>): void {
    const after = new Map(this.records);
    for (const record of records) after.set(recordName(record.key), record);
    this.records = after;
  }

  /** Makes the snapshot, whose records are all there, the state, and where needed the log. */
  finishInstallation(): void {
    const manifest = present(this.installation, 'a snapshot is being installed');
    const { index, term, chain, revision, configuration, configurationIndex } = manifest;
    const record = { index: configurationIndex, configuration };
    const isKept = this.log.holds(index) && this.log.termAt(index) === term;
    if (isKept) {
      this.#purge(index);
      const behind = this.configurations.filter((it) => it.index > index);
      this.configurations = [record, ...behind];
    } else {
      this.#entries = [];
      this.log.reset({ index, term, chain });
      this.configurations = [record];
    }
    this.applied = { index, term, revision };
    this.proof = { stateDigest: manifest.stateDigest, recordCount: manifest.recordCount };
    this.clusterUid ??= configuration.clusterUid;
    this.level = configuration.level;
    const { hardState } = this;
    if (hardState.commit < index) this.hardState = { ...hardState, commit: index };
    this.snapshot = manifest;
    this.installation = undefined;
  }

  #purge(through: bigint): void {
    this.#entries = this.#entries.slice(Number(through - this.log.bounds.purged.index));
    this.log.purge(through);
    this.configurations = configurationsFrom(this.configurations, through);
  }

  #putWrites(writes: readonly StateWrite[]): void {
    const records = new Map(this.records);
    let { stateDigest, recordCount } = this.proof;
    for (const { key, value } of writes) {
      const name = recordName(key);
      const previous = records.get(name)?.value;
      const removed = previous === undefined ? 0n : recordDigest(key, previous);
      const added = value === undefined ? 0n : recordDigest(key, value);
      stateDigest = moveStateDigest(stateDigest, removed, added);
      recordCount += (value === undefined ? 0n : 1n) - (previous === undefined ? 0n : 1n);
      if (value === undefined) records.delete(name);
      else records.set(name, { key: copy(key), value: copy(value) });
    }
    this.records = records;
    this.proof = { stateDigest, recordCount };
  }
}

interface DiskState {
  content: MemoryContent | undefined;
  /** The storage that has the disk open. */
  owner: object | undefined;
}

let stateOf: (disk: MemoryDisk) => DiskState;

/**
 * What a store in memory keeps between two openings: the place of a disk in tests. Only one storage
 * at a time may have it open.
 */
export class MemoryDisk {
  readonly #state: DiskState = { content: undefined, owner: undefined };

  static {
    stateOf = (disk) => disk.#state;
  }

  /**
   * Takes the disk away from its owner as the end of its process would: what is not yet durable
   * never becomes so.
   */
  crash(): void {
    this.#state.owner = undefined;
  }
}

/** The inside of a disk, for the storage that opens it. */
export function diskState(disk: MemoryDisk): DiskState {
  return stateOf(disk);
}

/** Asserts that the disk was not taken away. */
export function checkOwner(disk: DiskState, owner: object): void {
  if (disk.owner !== owner) throw new Error('the disk was taken away');
  assert(disk.content !== undefined, 'an opened disk has content');
}

function copy(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes);
}
