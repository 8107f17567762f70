import { present } from '../assert.ts';
import type { ConfigurationRecord } from '../raft/entry.ts';
import type { BatchEncoder } from './batch-encoder.ts';
import { ABSENT_DIGEST, recordDigest } from './digests.ts';
import { followedBy } from './followed-by.ts';
import {
  boundsOf,
  expectedBytes,
  type PositionChanges,
  type PresentRecords,
  putWrites,
  type StorePositions,
} from './level-batch.ts';
import { type LevelContent, putDeletions } from './level-content.ts';
import type { LevelFeed } from './level-feed.ts';
import { blockKey, configurationKey, stateKey } from './level-keys.ts';
import type { StoreReader } from './level-reader.ts';
import type { LevelWriter } from './level-writer.ts';
import { blockBefore, blocksOf } from './log-block.ts';
import type { StateWrite, StoreJob } from './log-storage.ts';
import type { StoredApplied, StoredBounds } from './position-codec.ts';
import { RECORD_KIND } from './record-frame.ts';
import { recordName } from './record-name.ts';
import { writePointsOf } from './store-job.ts';
import {
  configurationAt,
  configurationsBefore,
  configurationsFrom,
} from './stored-configurations.ts';

/** How many blocks one batch cuts off the end of the log. */
const CUT_BLOCKS_MAX = 4_096;

/** What carrying out a job takes. */
export interface JobContext {
  readonly feed: LevelFeed;
  readonly reader: StoreReader;
  readonly writer: LevelWriter;
  readonly content: LevelContent;
}

/**
 * Makes a checked job durable: one batch, unless it cuts a very long suffix. Without a promise it is
 * that already.
 */
export function writeJob(context: JobContext, job: StoreJob): Promise<void> | undefined {
  const { content } = context;
  content.writing = job;
  let writing: Promise<void> | undefined;
  try {
    writing = begin(context, job);
  } finally {
    if (writing === undefined) content.writing = undefined;
  }
  return writing?.finally(() => {
    content.writing = undefined;
  });
}

function begin(context: JobContext, job: StoreJob): Promise<void> | undefined {
  const known = knownDigests(context.content, job);
  const isReady = known.isComplete && job.truncateFrom === undefined;
  if (!isReady) return prepareAndCommit(context, job, known);
  const batch = context.writer.batch(expectedBytes(job));
  return commitBatch(context, job, known, batch);
}

/** Reads first what the batch needs of what is stored. */
async function prepareAndCommit(
  context: JobContext,
  job: StoreJob,
  known: KnownDigests,
): Promise<void> {
  const { reader, writer } = context;
  const records = known.isComplete ? known : await readDigests(reader, job, known);
  if (job.truncateFrom !== undefined) await cutTail(context, job.truncateFrom);
  const batch = writer.batch(expectedBytes(job));
  if (job.truncateFrom !== undefined) await putCut(context, job.truncateFrom, batch);
  await commitBatch(context, job, records, batch);
}

/** Adds what the job writes to a batch that holds what it cuts, and commits it. */
function commitBatch(
  { writer, content }: JobContext,
  job: StoreJob,
  records: PresentRecords,
  batch: BatchEncoder,
): Promise<void> | undefined {
  const before = writer.positions;
  const starts = putEntries(content, job, batch);
  const purged = job.purgeThrough === undefined ? 0 : putPurge(content, job.purgeThrough, batch);
  const configurations = putConfigurations(content, job, batch);
  const bounds = boundsAfter(content, job, configurations);
  const proof = putWrites(before.applied, job.writes, records, batch);
  let applied: StoredApplied = before.applied;
  let { level } = before.format;
  if (job.applied !== undefined) {
    const inForce = configurationAt(configurations, job.applied.index);
    const configurationIndex = inForce?.index ?? 0n;
    applied = { ...proof, position: job.applied, configurationIndex };
    level = inForce?.configuration.level ?? level;
  }
  putDeletions(content, batch);
  const points = writePointsOf(before.hardState, job);
  const committing = writer.commit(
    points,
    batch,
    changesOf(before, job, bounds, { applied, level }),
  );
  return followedBy(committing, () => {
    content.recordDigests.remember(records.digests);
    follow(content, job, configurations);
    followBlocks(content, job, starts, purged);
  });
}

/** What the job changes of the records that exist once. */
function changesOf(
  before: StorePositions,
  job: StoreJob,
  bounds: StoredBounds | undefined,
  { applied, level }: { readonly applied: StoredApplied; readonly level: number },
): PositionChanges {
  const format = {
    ...before.format,
    level,
    incarnation: job.incarnation ?? before.format.incarnation,
    clusterUid: before.format.clusterUid ?? job.clusterUid,
  };
  const isFormatSame =
    format.level === before.format.level &&
    format.incarnation === before.format.incarnation &&
    format.clusterUid === before.format.clusterUid;
  return {
    ...(isFormatSame ? {} : { format }),
    ...(job.hardState === undefined ? {} : { hardState: job.hardState }),
    ...(bounds === undefined ? {} : { bounds }),
    ...(job.applied === undefined ? {} : { applied }),
  };
}

/** Adds the entries to the batch, in blocks, and gives where these begin. */
function putEntries(
  { blocks: { epoch } }: LevelContent,
  job: StoreJob,
  batch: BatchEncoder,
): readonly bigint[] {
  const starts: bigint[] = [];
  for (const block of blocksOf(job.entries)) {
    const first = present(block[0], 'a block holds an entry').index;
    batch.putBlock(blockKey({ epoch, first }), block);
    starts.push(first);
  }
  return starts;
}

/** Adds the removal of the blocks that hold nothing behind `through`; gives how many. */
function putPurge({ log, blocks }: LevelContent, through: bigint, batch: BatchEncoder): number {
  const { epoch } = blocks;
  let count = 0;
  for (const first of blocks.through(through, log.lastIndex)) {
    batch.delete(blockKey({ epoch, first }));
    count += 1;
  }
  return count;
}

/**
 * Adds the removal of the entry at `from` and all behind it. What is in front of it in its block is
 * written again.
 */
async function putCut(
  { reader, content: { blocks } }: JobContext,
  from: bigint,
  batch: BatchEncoder,
): Promise<void> {
  const { epoch } = blocks;
  for (const first of blocks.from(from)) batch.delete(blockKey({ epoch, first }));
  const first = blocks.startOf(from);
  if (first === from) return;
  const key = blockKey({ epoch, first });
  const kept = await reader.require(RECORD_KIND.block, key, (it) => blockBefore(it, first, from));
  batch.put(RECORD_KIND.block, key, kept);
}

/** Adds the changes of stored configurations to the batch and gives those after them. */
function putConfigurations(
  content: LevelContent,
  { truncateFrom, entries, configurations: added = [], purgeThrough }: StoreJob,
  batch: BatchEncoder,
): readonly ConfigurationRecord[] {
  let { configurations } = content;
  if (truncateFrom !== undefined) {
    configurations = putCutConfigurations(configurations, truncateFrom, batch);
  }
  for (const { kind, index, payload } of entries) {
    if (kind !== 'configuration') continue;
    batch.put(RECORD_KIND.configuration, configurationKey(index), payload);
  }
  if (added.length > 0) configurations = [...configurations, ...added];
  if (purgeThrough === undefined) return configurations;
  const kept = configurationsFrom(configurations, purgeThrough);
  for (const { index } of configurations) {
    if (!kept.some((it) => it.index === index)) batch.delete(configurationKey(index));
  }
  return kept;
}

function putCutConfigurations(
  configurations: readonly ConfigurationRecord[],
  from: bigint,
  batch: BatchEncoder,
): readonly ConfigurationRecord[] {
  for (const { index } of configurations) {
    if (index >= from) batch.delete(configurationKey(index));
  }
  return configurationsBefore(configurations, from);
}

/**
 * Cuts a suffix of very many blocks from its end until one batch can take the rest. Each state in
 * between is a valid shorter log.
 */
async function cutTail(context: JobContext, from: bigint): Promise<void> {
  const { writer, content } = context;
  const { log, blocks } = content;
  while (blocks.countFrom(from) > CUT_BLOCKS_MAX) {
    const cut = blocks.fromEnd(CUT_BLOCKS_MAX - 1);
    const batch = writer.newBatch();
    await putCut(context, cut, batch);
    const configurations = putCutConfigurations(content.configurations, cut, batch);
    const { purged } = log.bounds;
    const { epoch } = blocks;
    const last = log.positionAt(cut - 1n);
    const bounds = boundsOf({ epoch, purged, last }, configurations);
    await writer.commit(['truncate'], batch, { bounds });
    log.truncate(cut);
    blocks.truncate(cut);
    content.configurations = configurations;
  }
}

function boundsAfter(
  { log, blocks: { epoch } }: LevelContent,
  job: StoreJob,
  configurations: readonly ConfigurationRecord[],
): StoredBounds | undefined {
  const { truncateFrom, entries, purgeThrough } = job;
  if (truncateFrom === undefined && entries.length === 0 && purgeThrough === undefined) {
    return undefined;
  }
  const purged = log.positionAt(purgeThrough ?? log.bounds.purged.index);
  const start = truncateFrom === undefined ? log.last : log.positionAt(truncateFrom - 1n);
  return boundsOf({ epoch, purged, last: entries.at(-1) ?? start }, configurations);
}

/** Carries out in memory what is now durable. */
function follow(
  content: LevelContent,
  job: StoreJob,
  configurations: readonly ConfigurationRecord[],
): void {
  const { log } = content;
  if (job.truncateFrom !== undefined) log.truncate(job.truncateFrom);
  for (const { index, term, chain, payload } of job.entries) {
    log.append({ index, term, chain, bytes: payload.length });
  }
  if (job.purgeThrough !== undefined) log.purge(job.purgeThrough);
  content.configurations = configurations;
}

/** The same for the blocks that begin at `starts`, `purged` of which have left the log. */
function followBlocks(
  { blocks }: LevelContent,
  { truncateFrom }: StoreJob,
  starts: readonly bigint[],
  purged: number,
): void {
  if (truncateFrom !== undefined) blocks.truncate(truncateFrom);
  for (const first of starts) blocks.append(first);
  blocks.forget(purged);
}

/** Digests of records that change; of some only when it is not complete. */
type KnownDigests = PresentRecords & { readonly isComplete: boolean };

/** Names of the records that the job changes, and digests of their values as far as known here. */
function knownDigests({ recordDigests }: LevelContent, { writes }: StoreJob): KnownDigests {
  const digests = new Map<string, bigint>();
  const names: string[] = [];
  let isComplete = true;
  for (const { key } of writes) {
    const name = recordName(key);
    names.push(name);
    const digest = recordDigests.get(name);
    if (digest === undefined) isComplete = false;
    else digests.set(name, digest);
  }
  return { names, digests, isComplete };
}

/** The same with those digests that must be read. */
async function readDigests(
  reader: StoreReader,
  { writes }: StoreJob,
  { names, digests }: PresentRecords,
): Promise<PresentRecords> {
  const unknown = new Map<string, StateWrite>();
  writes.forEach((write, i) => {
    const name = present(names[i], 'every change has the name of its record');
    if (!digests.has(name)) unknown.set(name, write);
  });
  const keys = Array.from(unknown.values(), (write) => stateKey(write.key));
  const values = await reader.getValues(keys);
  let i = 0;
  for (const [name, { key }] of unknown) {
    const value = values[i];
    digests.set(name, value === undefined ? ABSENT_DIGEST : storedDigest(reader, key, value));
    i += 1;
  }
  return { names, digests };
}

function storedDigest(reader: StoreReader, key: Uint8Array, value: Uint8Array): bigint {
  const bytes = reader.decode(RECORD_KIND.state, stateKey(key), value, (it) => it);
  return recordDigest(key, bytes);
}
