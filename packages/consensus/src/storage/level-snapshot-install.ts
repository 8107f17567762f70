import { assert, present } from '../assert.ts';
import { encodeConfiguration } from '../raft/configuration-codec.ts';
import { CHAIN_BYTES, type ConfigurationRecord } from '../raft/entry.ts';
import type { BatchEncoder } from './batch-encoder.ts';
import { contentDigest } from './digests.ts';
import { boundsOf, type PositionChanges } from './level-batch.ts';
import type { JobContext } from './level-job.ts';
import {
  configurationKey,
  manifestKey,
  POSITIONS_KEY,
  sectionKey,
  stateKey,
  stateKeyRange,
} from './level-keys.ts';
import { putUnreferenced } from './level-snapshot-build.ts';
import type { SnapshotInstall, SnapshotManifest, StateRecord } from './log-storage.ts';
import { encodeManifest } from './manifest-codec.ts';
import { RECORD_KIND } from './record-frame.ts';
import { ProofSum, SectionReader } from './snapshot-section.ts';

/** How many records one batch deletes or puts. */
const RECORDS_PER_BATCH = 4_096;

type Phase = 'mark' | 'clear' | 'records' | 'finish' | 'done';

/**
 * Replaces the state by that of a received snapshot. Each step can be repeated: when the process
 * ends after the first one, the next opening begins again with the second.
 */
export class LevelSnapshotInstall implements SnapshotInstall {
  readonly #context: JobContext;
  readonly #manifest: SnapshotManifest;
  readonly #payload: Uint8Array;
  readonly #sectionReader = new SectionReader();
  readonly #sum = new ProofSum();
  #phase: Phase;
  #section = 0;
  #records: Iterator<StateRecord, void> | undefined;

  constructor(context: JobContext, manifest: SnapshotManifest, phase: 'mark' | 'clear') {
    const { hardState, format, applied } = context.writer.positions;
    const { clusterUid } = format;
    const isOfCluster =
      clusterUid === undefined || clusterUid === manifest.configuration.clusterUid;
    assert(isOfCluster, 'a snapshot of the same cluster is installed');
    assert(manifest.index > applied.position.index, 'a snapshot never goes back');
    assert(manifest.term <= hardState.term, 'no snapshot is newer than the term');
    assert(manifest.chain.length === CHAIN_BYTES, 'a snapshot has its chain value');
    this.#context = context;
    this.#manifest = manifest;
    this.#payload = encodeManifest(manifest);
    this.#phase = phase;
  }

  step(): Promise<boolean> {
    assert(this.#phase !== 'done', 'the installation is not finished');
    return this.#context.writer.exclusively(() => this.resume());
  }

  /** A step before the store is exposed, when nobody else can write. */
  async resume(): Promise<boolean> {
    if (this.#phase === 'mark') await this.#mark();
    else if (this.#phase === 'clear' && (await this.#clear())) return false;
    else if (this.#phase === 'records' && (await this.#putRecords())) return false;
    else if (this.#phase === 'finish') await this.#finish();
    return this.#phase === 'done';
  }

  async #mark(): Promise<void> {
    const { writer } = this.#context;
    const { generation, configuration } = this.#manifest;
    const { format } = writer.positions;
    const batch = writer.newBatch(this.#payload.length + 512);
    batch.put(RECORD_KIND.manifest, manifestKey(generation), this.#payload);
    // From here on nothing else counts any more, and all that follows has the shape of the snapshot.
    const { level } = configuration;
    await writer.commit(['snap-marker'], batch, {
      ...(level === format.level ? {} : { format: { ...format, level } }),
      installation: this.#stored(),
    });
    this.#phase = 'clear';
  }

  /** Deletes records of the old state; `false` when there are none left. */
  async #clear(): Promise<boolean> {
    const { reader, writer } = this.#context;
    const keys = await reader.firstKeys(stateKeyRange(), RECORDS_PER_BATCH);
    if (keys.length === 0) {
      this.#phase = 'records';
      return false;
    }
    const batch = writer.newBatch();
    for (const key of keys) batch.delete(key);
    await writer.commit(['install-clear'], batch);
    return true;
  }

  /** Puts records of the new state; `false` when there are none left. */
  async #putRecords(): Promise<boolean> {
    const batch = this.#context.writer.newBatch();
    let count = 0;
    while (count < RECORDS_PER_BATCH) {
      this.#records ??= await this.#openSection();
      if (this.#records === undefined) break;
      const next = this.#records.next();
      if (next.done === true) {
        this.#records = undefined;
        // A batch does not hold more than what one section does.
        if (count > 0) break;
        continue;
      }
      const { key, value } = next.value;
      this.#sum.add(next.value);
      batch.put(RECORD_KIND.state, stateKey(key), value);
      count += 1;
    }
    if (count === 0) {
      this.#phase = 'finish';
      return false;
    }
    await this.#context.writer.commit(['install-section'], batch);
    return true;
  }

  async #openSection(): Promise<Iterator<StateRecord, void> | undefined> {
    const { sections, generation } = this.#manifest;
    const digest = sections[this.#section];
    if (digest === undefined) {
      this.#sectionReader.finish();
      return undefined;
    }
    const { reader } = this.#context;
    const key = sectionKey(generation, this.#section);
    const bytes = await reader.require(RECORD_KIND.section, key, (payload) => payload);
    if (contentDigest(bytes) !== digest) throw reader.corrupt(key, 'differs from its digest');
    this.#section += 1;
    return this.#sectionReader.read(bytes);
  }

  async #finish(): Promise<void> {
    const { writer, content, reader } = this.#context;
    const manifest = this.#manifest;
    if (!this.#sum.equals(manifest)) {
      throw reader.corrupt(POSITIONS_KEY, 'installed records differ from their digest');
    }
    const { index, term, chain } = manifest;
    const { log } = content;
    const purged = { index, term, chain };
    const isKept = isInLog(log, manifest);
    const configurations = this.#configurationsAfter(isKept);
    const batch = writer.newBatch();
    this.#putConfigurations(configurations, batch);
    putUnreferenced(content.generations.displaced(), batch);
    const { epoch } = content.blocks;
    const bounds = boundsOf(
      isKept ? { epoch, purged, last: log.last } : { epoch: epoch + 1, purged, last: purged },
      configurations,
    );
    await writer.commit(['install-finish'], batch, { ...this.#changes(), bounds });
    if (isKept) this.#purge();
    else this.#leaveLog();
    content.recordDigests.clear();
    content.configurations = configurations;
    content.generations.publish(manifest);
    this.#phase = 'done';
  }

  /** The log goes on from the snapshot; blocks that it covers as a whole become leftovers. */
  #purge(): void {
    const { log, blocks, leftovers } = this.#context.content;
    const { epoch } = blocks;
    const { index } = this.#manifest;
    const covered = [...blocks.through(index, log.lastIndex)];
    for (const first of covered) leftovers.add({ epoch, first });
    blocks.forget(covered.length);
    if (index > log.bounds.purged.index) log.purge(index);
  }

  /** A new log begins behind the snapshot; all blocks of the former one become leftovers. */
  #leaveLog(): void {
    const { log, blocks, leftovers } = this.#context.content;
    const { epoch } = blocks;
    const { index, term, chain } = this.#manifest;
    for (const first of blocks.from(0n)) leftovers.add({ epoch, first });
    blocks.clear(epoch + 1);
    log.reset({ index, term, chain });
  }

  #changes(): PositionChanges {
    const { format, hardState } = this.#context.writer.positions;
    const { index, term, revision, stateDigest, recordCount } = this.#manifest;
    const { configuration, configurationIndex } = this.#manifest;
    const { clusterUid } = configuration;
    return {
      ...(format.clusterUid === undefined ? { format: { ...format, clusterUid } } : {}),
      ...(hardState.commit < index ? { hardState: { ...hardState, commit: index } } : {}),
      applied: {
        position: { index, term, revision },
        stateDigest,
        recordCount,
        configurationIndex,
      },
      active: this.#stored(),
      installation: undefined,
    };
  }

  #configurationsAfter(isKept: boolean): readonly ConfigurationRecord[] {
    const { index, configuration, configurationIndex } = this.#manifest;
    const record = { index: configurationIndex, configuration };
    const behind = this.#context.content.configurations.filter((it) => it.index > index);
    return isKept ? [record, ...behind] : [record];
  }

  #putConfigurations(after: readonly ConfigurationRecord[], batch: BatchEncoder): void {
    for (const { index } of this.#context.content.configurations) {
      if (!after.some((it) => it.index === index)) batch.delete(configurationKey(index));
    }
    const { index, configuration } = present(after[0], 'a snapshot has its configuration');
    const payload = encodeConfiguration(configuration);
    batch.put(RECORD_KIND.configuration, configurationKey(index), payload);
  }

  #stored(): { readonly generation: bigint; readonly manifestDigest: string } {
    const { generation } = this.#manifest;
    return { generation, manifestDigest: contentDigest(this.#payload) };
  }
}

function isInLog(log: JobContext['content']['log'], { index, term }: SnapshotManifest): boolean {
  return log.holds(index) && log.termAt(index) === term;
}
