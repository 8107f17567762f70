import type { ConfigurationRecord, Entry, EntryHeader } from '../raft/entry.ts';
import type { SnapshotMeta } from '../raft/message.ts';
import type { SnapshotManifest } from '../storage/log-storage.ts';
import type { RetentionPolicy } from './raft-node-options.ts';

/** Snapshots of less than this are made whenever there are enough entries. */
const CHEAP_BYTES = 1_024 * 1_024;
/** How much of the log a byte of a larger snapshot has to replace. */
const LOG_BYTES_PER_BYTE = 8;

/** When snapshots are made, and where those that come from elsewhere stand. */
export class SnapshotSchedule {
  readonly #policy: RetentionPolicy;
  #newest: SnapshotManifest | undefined;
  /** Generation of which a section turned out to be damaged. */
  #damaged: bigint | undefined;
  #building: ConfigurationRecord | undefined;
  #bytesSince = 0;
  /** Size of what was appended since the snapshot in the making was begun. */
  #bytesSinceBegin = 0;
  #installing: SnapshotMeta | undefined;
  #hasJobEnded = false;
  /** The job that begins the installation is durable. */
  isInstallReady = false;
  /** Sections of an incoming snapshot that wait for their turn. */
  sectionsWaiting = 0;

  constructor(policy: RetentionPolicy, newest: SnapshotManifest | undefined) {
    this.#policy = policy;
    this.#newest = newest;
  }

  /** Passes headers through and counts those behind the newest snapshot. */
  *counting(headers: Iterable<EntryHeader>): Generator<EntryHeader, void, void> {
    const covered = this.#newest?.index ?? 0n;
    for (const header of headers) {
      if (header.index > covered) this.#bytesSince += header.bytes;
      yield header;
    }
  }

  /** The active snapshot. */
  get newest(): SnapshotManifest | undefined {
    return this.#newest;
  }

  /** Index up to which entries are in a snapshot that can be sent. */
  get covered(): bigint | undefined {
    return this.#isDamaged ? undefined : this.#newest?.index;
  }

  /** Payload bytes appended behind the newest snapshot. */
  get bytesSince(): number {
    return this.#bytesSince;
  }

  get isBuilding(): boolean {
    return this.#building !== undefined;
  }

  /** The snapshot that is replacing this member's state. */
  get installing(): SnapshotMeta | undefined {
    return this.#installing;
  }

  /** Whether a turn other than a job is waiting. */
  get isStepDue(): boolean {
    return this.isBuilding || this.sectionsWaiting > 0 || this.isInstallReady;
  }

  /** Whether the next turn belongs to the others, because a job has had the last one. */
  get takesTurns(): boolean {
    return this.#hasJobEnded;
  }

  jobEnded(): void {
    this.#hasJobEnded = true;
  }

  otherStarts(): void {
    this.#hasJobEnded = false;
  }

  appended(entries: readonly Entry[]): void {
    let bytes = 0;
    for (const { payload } of entries) bytes += payload.length;
    this.#bytesSince += bytes;
    if (this.isBuilding) this.#bytesSinceBegin += bytes;
  }

  /**
   * A section of this generation could not be read whole. Returns whether that is news of the
   * newest one, so that another one has to be made in its place.
   */
  damaged(generation: bigint): boolean {
    if (this.#newest?.generation !== generation || this.#isDamaged) return false;
    this.#damaged = generation;
    return true;
  }

  /**
   * Whether enough was applied since the newest snapshot, entries lie below it unreachably, it is
   * damaged, or of a former feature level: members that do not run at that one take no entry from
   * in front of `levelIndex`.
   */
  isDue(applied: bigint, purged: bigint, levelIndex = 0n): boolean {
    if (this.#isDamaged) return true;
    const covered = this.#newest?.index ?? 0n;
    if (applied <= covered) return false;
    if (covered < purged || covered < levelIndex) return true;
    const { entriesThreshold, bytesThreshold } = this.#policy;
    if (this.#bytesSince >= bytesThreshold) return true;
    return applied - covered >= BigInt(entriesThreshold) && this.#isWorthIt;
  }

  /** Writing all records anew must not cost more than the commands that changed them. */
  get #isWorthIt(): boolean {
    const bytes = this.#newest?.bytes ?? 0;
    return bytes < CHEAP_BYTES || this.#bytesSince >= LOG_BYTES_PER_BYTE * bytes;
  }

  /**
   * Begins or goes on; `configuration` is the one at the applied position,
   * without which there is nothing to begin.
   */
  begin(
    configuration: ConfigurationRecord | undefined,
  ): { readonly record: ConfigurationRecord; readonly isNew: boolean } | undefined {
    if (this.#building !== undefined) return { record: this.#building, isNew: false };
    if (configuration === undefined) return undefined;
    this.#building = configuration;
    this.#bytesSinceBegin = 0;
    return { record: configuration, isNew: true };
  }

  completed(manifest: SnapshotManifest): void {
    this.#building = undefined;
    this.#newest = manifest;
    this.#bytesSince = this.#bytesSinceBegin;
  }

  /** The core has decided to install; what was being built or received is given up. */
  install(snapshot: SnapshotMeta): void {
    this.#installing = snapshot;
    this.#building = undefined;
    this.isInstallReady = false;
  }

  installed(manifest: SnapshotManifest): void {
    this.#installing = undefined;
    this.isInstallReady = false;
    this.#newest = manifest;
    this.#bytesSince = 0;
  }

  get #isDamaged(): boolean {
    return this.#damaged !== undefined && this.#damaged === this.#newest?.generation;
  }
}
