import { isRaftError, RaftError } from '../errors.ts';
import { type FeatureLevels, LEVEL_MAX } from '../raft/feature-levels.ts';
import { MalformedBytesError } from './byte-codec.ts';
import type { StorePositions } from './level-batch.ts';
import type { LevelContent } from './level-content.ts';
import { FORMAT_KEY, KEY_PREFIX, POSITIONS_KEY } from './level-keys.ts';
import type { StoreReader } from './level-reader.ts';
import { ConfigurationScan, LogScan } from './log-scan.ts';
import type { SnapshotManifest } from './log-storage.ts';
import { LogVerification } from './log-verification.ts';
import {
  decodeFormat,
  decodePositions,
  FORMAT_VERSION,
  ForeignFormatError,
  type Stamped,
  type StoredFormat,
  type StoredPositions,
} from './position-codec.ts';
import { decodeRecord, RECORD_KIND } from './record-frame.ts';
import { SnapshotScan } from './snapshot-scan.ts';
import { StateScan } from './state-scan.ts';
import { checkStoreLevel } from './store-level.ts';
import { WitnessScan } from './witness-scan.ts';

/** A store that passed every check. */
export interface RecoveredStore {
  readonly positions: StorePositions;
  readonly content: LevelContent;
  /** The snapshot whose installation was interrupted, if any; the records are incomplete then. */
  readonly installation: SnapshotManifest | undefined;
}

/** Length of a log from which on a second thread is worth its start. */
const ASIDE_ENTRIES_MIN = 50_000n;

/**
 * Reads the whole store once and verifies it: positions, log contiguity and
 * chain, configurations against their entries, witnesses of the newest batches, digest of the
 * state records, manifests. A log of at least `asideMin` entries is verified in a thread of its
 * own. Repairs nothing. Throws `RAFT_STORAGE_CORRUPT` with the key at fault, `RAFT_STORAGE_VERSION`
 * or `RAFT_STORAGE_LEVEL`.
 */
export async function recoverStore(
  reader: StoreReader,
  levels: FeatureLevels,
  asideMin: bigint = ASIDE_ENTRIES_MIN,
): Promise<RecoveredStore> {
  const format = await readFormat(reader, levels);
  reader.follow(() => format.value.level);
  const positions = await readPositions(reader, format);
  const { purged, last } = positions.bounds;
  const isLong = last.index - purged.index >= asideMin;
  const recovered = isLong ? await scanAside(reader, positions) : undefined;
  return recovered ?? scanStore(reader, positions);
}

/** Scans the store with the log verified in another thread; `undefined` when anything is wrong. */
async function scanAside(
  reader: StoreReader,
  positions: StorePositions,
): Promise<RecoveredStore | undefined> {
  const { epoch, purged } = positions.bounds;
  const aside = new LogVerification({ epoch, purged, level: reader.level });
  try {
    const recovered = await scanStore(reader, positions, aside);
    return (await aside.finish()) ? recovered : undefined;
  } catch (error) {
    // It may have followed from an entry that was not verified yet.
    if (isRaftError(error, 'RAFT_STORAGE_CORRUPT')) return undefined;
    throw error;
  } finally {
    await aside.abandon();
  }
}

async function scanStore(
  reader: StoreReader,
  positions: StorePositions,
  aside?: LogVerification,
): Promise<RecoveredStore> {
  const log = new LogScan(reader, positions, aside);
  const configurations = new ConfigurationScan(reader, positions, log);
  const witnesses = new WitnessScan(reader, positions);
  const state = new StateScan(reader, positions);
  const snapshots = new SnapshotScan(reader, positions);
  const visitors = new Map<number, (key: Uint8Array, value: Uint8Array) => void>([
    [KEY_PREFIX.format, (key) => checkKnown(reader, key, FORMAT_KEY)],
    [KEY_PREFIX.positions, (key) => checkKnown(reader, key, POSITIONS_KEY)],
    [KEY_PREFIX.block, (key, value) => log.visit(key, value)],
    [KEY_PREFIX.configuration, (key, value) => configurations.visit(key, value)],
    [KEY_PREFIX.witness, (key, value) => witnesses.visit(key, value)],
    [KEY_PREFIX.state, (key, value) => state.visit(key, value)],
    [KEY_PREFIX.manifest, (key, value) => snapshots.visitManifest(key, value)],
    [KEY_PREFIX.unreferenced, (key) => snapshots.visitUnreferenced(key)],
  ]);
  const sections = Uint8Array.of(KEY_PREFIX.section);
  const behind = Uint8Array.of(KEY_PREFIX.section + 1);
  for (const range of [{ lt: sections }, { gte: behind }]) {
    for await (const page of reader.pages(range)) {
      for (const [key, value] of page) {
        const visit = visitors.get(key[0] ?? -1);
        if (visit === undefined) throw reader.corrupt(key, 'unknown key prefix');
        visit(key, value);
      }
      await aside?.room();
    }
  }
  // Sections are large and verified whenever they are read.
  for await (const page of reader.keyPages({ gte: sections, lt: behind })) {
    for (const key of page) snapshots.visitSection(key);
  }
  witnesses.finish();
  const index = log.finish();
  const history = configurations.finish();
  if (positions.installation === undefined) state.finish();
  const { generations, installation } = snapshots.finish();
  return {
    positions: withCommitBound(positions),
    content: {
      log: index,
      blocks: log.blocks,
      leftovers: log.leftovers,
      recordDigests: state.digests,
      ...history,
      generations,
      writing: undefined,
    },
    installation,
  };
}

/**
 * The format record, which comes first: of another version nothing else can be understood. Throws
 * like {@link recoverStore}.
 */
export async function readFormat(
  reader: StoreReader,
  levels: FeatureLevels,
): Promise<Stamped<StoredFormat>> {
  const value = await reader.getValue(FORMAT_KEY);
  if (value === undefined) throw reader.corrupt(FORMAT_KEY, 'record is missing');
  try {
    const payload = decodeRecord(RECORD_KIND.format, FORMAT_KEY, value, LEVEL_MAX);
    return decodeFormat(payload, (level) => checkStoreLevel(reader.directory, level, levels));
  } catch (error) {
    if (error instanceof ForeignFormatError) throw foreignVersion(reader, error);
    if (!(error instanceof MalformedBytesError)) throw error;
    throw reader.corrupt(FORMAT_KEY, error.message, error);
  }
}

function foreignVersion({ directory }: StoreReader, cause: ForeignFormatError): RaftError {
  const details = { directory, found: cause.found, supported: FORMAT_VERSION };
  return new RaftError('RAFT_STORAGE_VERSION', details, { cause });
}

/** The positions without their checks. Throws `RAFT_STORAGE_CORRUPT`. */
export function readStoredPositions(reader: StoreReader): Promise<StoredPositions> {
  return reader.require(RECORD_KIND.positions, POSITIONS_KEY, decodePositions);
}

async function readPositions(
  reader: StoreReader,
  format: Stamped<StoredFormat>,
): Promise<StorePositions> {
  const stored = await readStoredPositions(reader);
  const { formatSeq } = stored.head;
  if (format.seq !== formatSeq) {
    const problem = `written by batch ${format.seq}, not by batch ${formatSeq}`;
    throw reader.corrupt(FORMAT_KEY, problem);
  }
  const positions = { ...stored, format: format.value };
  checkOrder(reader, positions);
  return positions;
}

function checkOrder(reader: StoreReader, { bounds, applied, hardState }: StorePositions): void {
  const { purged, last } = bounds;
  const { position } = applied;
  if (purged.index > position.index || position.index > last.index) {
    throw reader.corrupt(POSITIONS_KEY, `applied ${position.index} is outside the log`);
  }
  if (hardState.commit > last.index) {
    throw reader.corrupt(POSITIONS_KEY, `committed entries behind ${last.index} are missing`);
  }
  if (last.term > hardState.term) {
    throw reader.corrupt(POSITIONS_KEY, 'term is older than the last entry');
  }
}

/** Applied entries are committed, whatever the lazily stored commit index says. */
function withCommitBound(positions: StorePositions): StorePositions {
  const { hardState, applied } = positions;
  const { index } = applied.position;
  if (hardState.commit >= index) return positions;
  return { ...positions, hardState: { ...hardState, commit: index } };
}

function checkKnown(reader: StoreReader, key: Uint8Array, known: Uint8Array): void {
  if (Buffer.compare(key, known) !== 0) throw reader.corrupt(key, 'unknown key');
}
