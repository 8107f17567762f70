import { assert } from '../assert.ts';
import type { StoreTurn, StoreTurnResult, StoreView } from '../node/replica-ports.ts';
import type { ConfigurationRecord, Entry } from '../raft/entry.ts';
import type { LogBounds, SnapshotManifest, StoreJob, WritePoint } from '../storage/log-storage.ts';
import { chainNumber } from './chain.ts';
import type { StoreContent, StoredSnapshot } from './simulated-store.ts';

/** How many sections a snapshot has. */
export const SNAPSHOT_SECTIONS = 2;

/** A snapshot on its way in. */
export interface IncomingSnapshot {
  readonly stored: StoredSnapshot;
  sectionsStored: number;
}

/** A section that waits for its turn, and who is told. */
interface WaitingSection {
  readonly incoming: IncomingSnapshot;
  readonly stored: (isStored: boolean) => void;
}

/** A store as one process has it open: what only memory knows about the work on it. */
export class StoreSession implements StoreView {
  #content: StoreContent;
  #bounds: LogBounds;
  #build: { readonly stored: StoredSnapshot; sectionsLeft: number } | undefined;
  #incoming: IncomingSnapshot | undefined;
  readonly #waiting: WaitingSection[] = [];
  #installSteps = 0;
  /** What the disk keeps once it began to forget what it confirms. */
  #kept: StoreContent | undefined;

  constructor(content: StoreContent) {
    this.#content = content;
    this.#bounds = content.bounds;
  }

  /** What the process sees. */
  get content(): StoreContent {
    return this.#content;
  }

  /** What the next process will see. */
  get durable(): StoreContent {
    return this.#kept ?? this.#content;
  }

  get bounds(): LogBounds {
    return this.#bounds;
  }

  indexBehind(entriesKept: number, _bytesKept: number): bigint {
    const { purged, last } = this.#bounds;
    const index = last.index - BigInt(entriesKept);
    return index > purged.index ? index : purged.index;
  }

  stateDigest(): string {
    return this.#content.registers.join();
  }

  /** From now on the disk takes and confirms writes that are gone when it is opened again. */
  beginToForget(): void {
    if (this.#kept !== undefined) return;
    this.#kept = this.#content;
    this.#content = this.#content.copy();
  }

  /** Stored entries in a range, as far as they are there; `undefined` when one is damaged. */
  entries(from: bigint, through: bigint, countMax: number): readonly Entry[] | undefined {
    const { purged, entries } = this.#content;
    if (from <= purged.index || from > this.#bounds.last.index) return [];
    const last = through < this.#bounds.last.index ? through : this.#bounds.last.index;
    const start = Number(from - purged.index) - 1;
    const count = Math.min(Number(last - from) + 1, countMax);
    const range = entries.slice(start, start + count);
    return range.every((entry) => this.#content.isWhole(entry)) ? range : undefined;
  }

  beginReceipt(stored: StoredSnapshot): IncomingSnapshot {
    this.#incoming = { stored, sectionsStored: 0 };
    return this.#incoming;
  }

  isCurrent(incoming: IncomingSnapshot): boolean {
    return incoming === this.#incoming;
  }

  queueSection(incoming: IncomingSnapshot, stored: (isStored: boolean) => void): void {
    this.#waiting.push({ incoming, stored });
  }

  /** What writes a turn is going to make, by their names. */
  pointsOf(turn: StoreTurn): readonly WritePoint[] {
    switch (turn.kind) {
      case 'job':
        return pointsOfJob(turn.job);
      case 'snapshotStep':
        return [this.#build?.sectionsLeft === 0 ? 'snap-manifest' : 'snap-section'];
      case 'receiveStep':
        return ['snap-section'];
      case 'installStep': {
        const points: readonly WritePoint[] = ['snap-marker', 'install-clear', 'install-section'];
        return [points[this.#installSteps] ?? 'install-finish'];
      }
    }
  }

  /** Makes the turn durable and says what became of it. */
  run(turn: StoreTurn): StoreTurnResult {
    switch (turn.kind) {
      case 'job':
        this.#content.write(turn.job);
        break;
      case 'snapshotStep': {
        const manifest = this.#buildStep(turn.configuration);
        if (manifest !== undefined) return { kind: 'snapshotComplete', manifest };
        break;
      }
      case 'receiveStep':
        this.#receiveStep();
        break;
      case 'installStep':
        return this.#installStep();
    }
    this.#bounds = this.#content.bounds;
    return { kind: 'done' };
  }

  #buildStep(record: ConfigurationRecord): SnapshotManifest | undefined {
    const content = this.#content;
    if (this.#build === undefined) {
      content.generation += 1n;
      this.#build = { stored: snapshotOf(content, record), sectionsLeft: SNAPSHOT_SECTIONS };
    }
    if (this.#build.sectionsLeft > 0) {
      this.#build.sectionsLeft -= 1;
      return undefined;
    }
    const { stored } = this.#build;
    this.#build = undefined;
    content.snapshot = stored;
    return stored.manifest;
  }

  #receiveStep(): void {
    const section = this.#waiting.shift();
    assert(section !== undefined, 'a section waits for its turn');
    const isCurrent = section.incoming === this.#incoming;
    if (isCurrent) section.incoming.sectionsStored += 1;
    section.stored(isCurrent);
  }

  #installStep(): StoreTurnResult {
    this.#build = undefined;
    const incoming = this.#incoming;
    assert(incoming !== undefined, 'what is installed was received');
    assert(incoming.sectionsStored === SNAPSHOT_SECTIONS, 'what is installed is complete');
    const content = this.#content;
    content.installing = incoming.stored;
    this.#installSteps += 1;
    if (this.#installSteps <= 3) return { kind: 'done' };
    this.#installSteps = 0;
    this.#incoming = undefined;
    content.finishInstall();
    this.#bounds = content.bounds;
    const manifest = content.snapshot?.manifest;
    assert(manifest !== undefined, 'an installed snapshot is the active one');
    return { kind: 'installed', applied: content.applied, manifest };
  }
}

function snapshotOf(content: StoreContent, record: ConfigurationRecord): StoredSnapshot {
  const { index, revision } = content.applied;
  const { term, chain } = content.positionAt(index);
  const registers = [...content.registers];
  const manifest: SnapshotManifest = {
    index,
    term,
    chain,
    generation: content.generation,
    configuration: record.configuration,
    configurationIndex: record.index,
    stateDigest: BigInt(chainNumber(chain)),
    recordCount: BigInt(registers.length),
    revision,
    sections: Array.from({ length: SNAPSHOT_SECTIONS }, () => ''),
    bytes: registers.length * 5,
  };
  return { manifest, registers, written: registers.join() };
}

function pointsOfJob(job: StoreJob): readonly WritePoint[] {
  const points: WritePoint[] = [];
  if (job.hardState !== undefined) points.push('vote');
  if (job.truncateFrom !== undefined) points.push('truncate');
  if (job.entries.length > 0) points.push('append');
  if (job.applied !== undefined) points.push('apply');
  if (job.purgeThrough !== undefined) points.push('purge');
  return points;
}
