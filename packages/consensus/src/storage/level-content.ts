import type { ConfigurationRecord } from '../raft/entry.ts';
import type { BatchEncoder } from './batch-encoder.ts';
import {
  blockKey,
  configurationKey,
  manifestKey,
  sectionKey,
  unreferencedKey,
} from './level-keys.ts';
import type { LogBlocks } from './log-blocks.ts';
import type { LogIndex } from './log-index.ts';
import type { LogLeftovers } from './log-leftovers.ts';
import type { StoreJob } from './log-storage.ts';
import type { RecordDigests } from './record-digests.ts';
import type { SnapshotGenerations } from './snapshot-generations.ts';

/** What of a store is kept in memory beside its positions. */
export interface LevelContent {
  readonly log: LogIndex;
  readonly blocks: LogBlocks;
  configurations: readonly ConfigurationRecord[];
  readonly generations: SnapshotGenerations;
  readonly leftovers: LogLeftovers;
  readonly recordDigests: RecordDigests;
  /** Indexes of stored configurations that no longer count. */
  leftoverConfigurations: readonly bigint[];
  /** The job that is being written: the database may show it already, the log here does not. */
  writing: StoreJob | undefined;
}

/** How many leftover blocks one batch deletes. */
const LEFTOVER_BLOCKS_PER_BATCH = 1_024;
/** How many sections one batch deletes; they are large, but their deletion is not. */
const SECTIONS_PER_BATCH = 64;

/** Adds to a batch, in bounded portions, the deletion of what nobody refers to any more. */
export function putDeletions(content: LevelContent, batch: BatchEncoder): void {
  for (const index of content.leftoverConfigurations) {
    const isStored = content.configurations.some((record) => record.index === index);
    if (!isStored) batch.delete(configurationKey(index));
  }
  content.leftoverConfigurations = [];
  const { leftovers, generations } = content;
  for (const place of leftovers.take(LEFTOVER_BLOCKS_PER_BATCH)) batch.delete(blockKey(place));
  const sections = generations.takeUnreferenced(SECTIONS_PER_BATCH);
  if (sections === undefined) return;
  const { generation, from, to, isLast } = sections;
  for (let section = from; section < to; section += 1) {
    batch.delete(sectionKey(generation, section));
  }
  if (!isLast) return;
  batch.delete(manifestKey(generation));
  batch.delete(unreferencedKey(generation));
}
