import type { ConfigurationRecord } from '../raft/entry.ts';
import { BatchEncoder } from './batch-encoder.ts';
import { ABSENT_DIGEST, recordDigest } from './digests.ts';
import {
  boundsOf,
  expectedBytes,
  type PositionChanges,
  putWrites,
  recordName,
  type StorePositions,
} from './level-batch.ts';
import { type LevelContent, putDeletions } from './level-content.ts';
import type { StoreDatabase } from './level-directory.ts';
import { configurationKey, entryKey, stateKey } from './level-keys.ts';
import type { StoreReader } from './level-reader.ts';
import type { LevelWriter } from './level-writer.ts';
import type { StateWrite, StoreJob } from './log-storage.ts';
import type { StoredApplied, StoredBounds } from './position-codec.ts';
import { RECORD_KIND } from './record-frame.ts';
import { writePointsOf } from './store-job.ts';
import {
  configurationAt,
  configurationsBefore,
  configurationsFrom,
} from './stored-configurations.ts';

/** How many entries one batch cuts off the end of the log. */
const CUT_ENTRIES_MAX = 4_096n;

/** What carrying out a job takes. */
export interface JobContext {
  readonly database: StoreDatabase;
  readonly reader: StoreReader;
  readonly writer: LevelWriter;
  readonly content: LevelContent;
}

/** Makes a checked job durable: one batch, unless it cuts a very long suffix. */
export async function writeJob(context: JobContext, job: StoreJob): Promise<void> {
  const { content } = context;
  content.writing = job;
  try {
    await carryOut(context, job);
  } finally {
    content.writing = undefined;
  }
}

async function carryOut(context: JobContext, job: StoreJob): Promise<void> {
  const { writer, content } = context;
  const digests = await presentDigests(context, job);
  if (job.truncateFrom !== undefined) await cutTail(context, job.truncateFrom);
  const before = writer.positions;
  const batch = new BatchEncoder(expectedBytes(job));
  const configurations = putLog(content, job, batch);
  const bounds = boundsAfter(content, job, configurations);
  const written = putWrites(before.applied, job.writes, digests, batch);
  let applied: StoredApplied = before.applied;
  if (job.applied !== undefined) {
    const inForce = configurationAt(configurations, job.applied.index);
    const configurationIndex = inForce?.index ?? 0n;
    applied = { ...written.proof, position: job.applied, configurationIndex };
  }
  putDeletions(content, bounds ?? before.bounds, batch);
  await writer.commit(
    writePointsOf(before.hardState, job),
    batch,
    changesOf(before, job, bounds, applied),
  );
  content.recordDigests.remember(written.digests);
  follow(content, job, configurations);
}

/** What the job changes of the records that exist once. */
function changesOf(
  before: StorePositions,
  job: StoreJob,
  bounds: StoredBounds | undefined,
  applied: StoredApplied,
): PositionChanges {
  const format = {
    ...before.format,
    incarnation: job.incarnation ?? before.format.incarnation,
    clusterUid: before.format.clusterUid ?? job.clusterUid,
  };
  const isFormatSame =
    format.incarnation === before.format.incarnation &&
    format.clusterUid === before.format.clusterUid;
  return {
    ...(isFormatSame ? {} : { format }),
    ...(job.hardState === undefined ? {} : { hardState: job.hardState }),
    ...(bounds === undefined ? {} : { bounds }),
    ...(job.applied === undefined ? {} : { applied }),
  };
}

/** Adds cut, entries and purge to the batch and gives the configurations after them. */
function putLog(
  content: LevelContent,
  job: StoreJob,
  batch: BatchEncoder,
): readonly ConfigurationRecord[] {
  let { configurations } = content;
  const { truncateFrom, purgeThrough } = job;
  if (truncateFrom !== undefined) {
    configurations = putCut(content, truncateFrom, batch);
  }
  for (const entry of job.entries) {
    batch.putEntry(entry);
    if (entry.kind !== 'configuration') continue;
    batch.put(RECORD_KIND.configuration, configurationKey(entry.index), entry.payload);
  }
  configurations = [...configurations, ...(job.configurations ?? [])];
  if (purgeThrough === undefined) return configurations;
  const { purged } = content.log.bounds;
  for (let index = purged.index + 1n; index <= purgeThrough; index += 1n) {
    batch.delete(entryKey(index));
  }
  const kept = configurationsFrom(configurations, purgeThrough);
  for (const { index } of configurations) {
    if (!kept.some((it) => it.index === index)) batch.delete(configurationKey(index));
  }
  return kept;
}

/** Adds the removal of the entry at `from` and all behind it; gives the configurations left. */
function putCut(
  { log, configurations }: LevelContent,
  from: bigint,
  batch: BatchEncoder,
): readonly ConfigurationRecord[] {
  for (let index = log.lastIndex; index >= from; index -= 1n) batch.delete(entryKey(index));
  for (const { index } of configurations) {
    if (index >= from) batch.delete(configurationKey(index));
  }
  return configurationsBefore(configurations, from);
}

/**
 * Cuts a long suffix from its end until one batch can take the rest. Each state in between is a
 * valid shorter log.
 */
async function cutTail({ writer, content }: JobContext, from: bigint): Promise<void> {
  const { log } = content;
  while (log.lastIndex - from + 1n > CUT_ENTRIES_MAX) {
    const cut = log.lastIndex - CUT_ENTRIES_MAX + 1n;
    const batch = new BatchEncoder();
    const configurations = putCut(content, cut, batch);
    const { purged } = log.bounds;
    const bounds = boundsOf({ purged, last: log.positionAt(cut - 1n) }, configurations);
    await writer.commit(['truncate'], batch, { bounds });
    log.truncate(cut);
    content.configurations = configurations;
  }
}

function boundsAfter(
  { log }: LevelContent,
  job: StoreJob,
  configurations: readonly ConfigurationRecord[],
): StoredBounds | undefined {
  const { truncateFrom, entries, purgeThrough } = job;
  if (truncateFrom === undefined && entries.length === 0 && purgeThrough === undefined) {
    return undefined;
  }
  const purged = log.positionAt(purgeThrough ?? log.bounds.purged.index);
  const start = truncateFrom === undefined ? log.last : log.positionAt(truncateFrom - 1n);
  return boundsOf({ purged, last: entries.at(-1) ?? start }, configurations);
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

/** Digests of the present values of the records that the job changes. */
async function presentDigests(
  { reader, content }: JobContext,
  job: StoreJob,
): Promise<ReadonlyMap<string, bigint>> {
  const digests = new Map<string, bigint>();
  const unknown = new Map<string, StateWrite>();
  for (const write of job.writes) {
    const name = recordName(write.key);
    const digest = content.recordDigests.get(name);
    if (digest === undefined) unknown.set(name, write);
    else digests.set(name, digest);
  }
  if (unknown.size === 0) return digests;
  const keys = Array.from(unknown.values(), (write) => stateKey(write.key));
  const values = await reader.getValues(keys);
  let i = 0;
  for (const [name, { key }] of unknown) {
    const value = values[i];
    digests.set(name, value === undefined ? ABSENT_DIGEST : storedDigest(reader, key, value));
    i += 1;
  }
  return digests;
}

function storedDigest(reader: StoreReader, key: Uint8Array, value: Uint8Array): bigint {
  const bytes = reader.decode(RECORD_KIND.state, stateKey(key), value, (it) => it);
  return recordDigest(key, bytes);
}
