import { CHAIN_BYTES, type ChainedPosition } from '../raft/entry.ts';
import type { HardState } from '../raft/hard-state.ts';
import { isHexId } from '../raft/hex-id.ts';
import type { MemberId } from '../raft/member-id.ts';
import { ByteReader, ByteWriter, MalformedBytesError } from './byte-codec.ts';
import type { AppliedPosition, StoreIdentity } from './log-storage.ts';

/** Number of the present layout of a store, within which feature levels only add. */
export const FORMAT_VERSION = 7;

/** Thrown for a store in another layout than the present one; not a sign of damage. */
export class ForeignFormatError extends Error {
  override readonly name = 'ForeignFormatError';
  readonly found: number;

  constructor(found: number) {
    super(`store format ${found}`);
    this.found = found;
  }
}

/** Whose store it is, and the newest process that made itself known with it. */
export interface StoredFormat {
  readonly identity: StoreIdentity;
  /** Feature level of everything in the store. */
  readonly level: number;
  readonly incarnation: bigint;
  readonly clusterUid: string | undefined;
}

/** First and last entry of the stored log. */
export interface StoredBounds {
  /**
   * Counts how often a snapshot has replaced the whole log. Blocks of former epochs are no part of
   * the log any more.
   */
  readonly epoch: number;
  readonly purged: ChainedPosition;
  readonly last: ChainedPosition;
  /** Entry that introduced the configuration in force at `purged`; 0 for none. */
  readonly configurationIndex: bigint;
  /** Digest of that configuration, so that an older one in its place is noticed. */
  readonly configurationDigest: Uint8Array;
}

/** Applied position with what proves the state records complete. */
export interface StoredApplied {
  readonly position: AppliedPosition;
  readonly stateDigest: bigint;
  readonly recordCount: bigint;
  /** Entry that introduced the configuration in force at `position`; 0 for none. */
  readonly configurationIndex: bigint;
}

/** A generation of snapshots and the digest of its manifest as hexadecimal digits. */
export interface StoredGeneration {
  readonly generation: bigint;
  readonly manifestDigest: string;
}

/** The newest batch, and which batch wrote the format. */
export interface StoredHead {
  readonly seq: bigint;
  readonly digest: Uint8Array;
  readonly formatSeq: bigint;
}

/** All records of a store that exist once, but for its format, as of one batch. */
export interface StoredPositions {
  readonly hardState: HardState;
  readonly bounds: StoredBounds;
  readonly applied: StoredApplied;
  /** The snapshot that is sent to others. */
  readonly active: StoredGeneration | undefined;
  /** The snapshot that is being installed. */
  readonly installation: StoredGeneration | undefined;
  readonly head: StoredHead;
}

/** What one batch leaves behind to prove that it was not lost. */
export interface StoredWitness {
  readonly seq: bigint;
  readonly previousDigest: Uint8Array;
  readonly digest: Uint8Array;
}

/** The format together with the number of the batch that wrote it. */
export interface Stamped<T> {
  readonly seq: bigint;
  readonly value: T;
}

const MAGIC = new TextEncoder().encode('NVXCONS1');
const ID_BYTES = 16;
const DIGEST_BYTES = 32;
/** Bytes of positions that are always there: 14 numbers, the epoch, chain values and digests. */
const FIXED_BYTES = 14 * 8 + 4 + 3 * CHAIN_BYTES + DIGEST_BYTES;
const NO_VOTE = Uint8Array.of(0);
/** A vote stays the same for as long as its term, and is written with every batch. */
const encodedVotes = new WeakMap<MemberId, Uint8Array>();

/** Magic, format version, feature level, batch, incarnation, then cluster, node and store identity. */
export function encodeFormat(seq: bigint, format: StoredFormat): Uint8Array {
  const { identity, level, incarnation, clusterUid } = format;
  const clusterId = new TextEncoder().encode(identity.clusterId);
  const nodeId = new TextEncoder().encode(identity.nodeId);
  const uidBytes = 1 + (clusterUid === undefined ? 0 : ID_BYTES);
  const textBytes = 2 * 4 + clusterId.length + nodeId.length;
  const writer = new ByteWriter(MAGIC.length + 2 * 4 + 2 * 8 + textBytes + ID_BYTES + uidBytes)
    .bytes(MAGIC)
    .u32(FORMAT_VERSION)
    .u32(level)
    .u64(seq)
    .u64(incarnation)
    .sized(clusterId)
    .sized(nodeId)
    .bytes(encodeId(identity.storeId))
    .u8(clusterUid === undefined ? 0 : 1);
  if (clusterUid !== undefined) writer.bytes(encodeId(clusterUid));
  return writer.finish();
}

/**
 * Inverse of {@link encodeFormat}. `checkLevel` is called before anything is read that a greater
 * level may have changed. Throws what it throws, {@link MalformedBytesError}, or
 * {@link ForeignFormatError} for another version, of which nothing more is read.
 */
export function decodeFormat(
  bytes: Uint8Array,
  checkLevel: (level: number) => void,
): Stamped<StoredFormat> {
  const reader = new ByteReader(bytes);
  if (Buffer.compare(reader.bytes(MAGIC.length), MAGIC) !== 0) {
    throw new MalformedBytesError('not a consensus store');
  }
  const version = reader.u32();
  if (version !== FORMAT_VERSION) throw new ForeignFormatError(version);
  const level = reader.u32();
  checkLevel(level);
  const seq = reader.u64();
  const incarnation = reader.u64();
  const clusterId = decodeText(reader.sized());
  const nodeId = decodeText(reader.sized());
  const storeId = decodeId(reader);
  const clusterUid = reader.flag() ? decodeId(reader) : undefined;
  reader.finish();
  const identity = { clusterId, nodeId, storeId };
  return { seq, value: { identity, level, incarnation, clusterUid } };
}

/** The 16 bytes of an id given as 32 hexadecimal digits. */
export function encodeId(id: string): Uint8Array {
  if (!isHexId(id)) throw new RangeError('an id is 32 hexadecimal digits');
  return Uint8Array.from(Buffer.from(id, 'hex'));
}

function decodeId(reader: ByteReader): string {
  return reader.hex(ID_BYTES);
}

function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new MalformedBytesError('a name is not UTF-8', { cause });
  }
}

/**
 * Batch, batch of the format, hard state, bounds, applied position, generations. The digest of the
 * batch is written behind it by whoever knows it: {@link BatchEncoder.putPositions}.
 */
export function encodePositions(
  { hardState, bounds, applied, active, installation }: Omit<StoredPositions, 'head'>,
  { seq, formatSeq }: Omit<StoredHead, 'digest'>,
): Uint8Array {
  const vote = encodedVote(hardState.votedFor);
  const writer = new ByteWriter(
    FIXED_BYTES + vote.length + generationBytes(active) + generationBytes(installation),
  );
  writer.u64(seq).u64(formatSeq).u64(hardState.term).u64(hardState.commit).bytes(vote);
  writeBounds(writer, bounds);
  const { position, stateDigest, recordCount, configurationIndex } = applied;
  writer.u64(position.index).u64(position.term).u64(position.revision);
  writer.bytes(encodeStateDigest(stateDigest)).u64(recordCount).u64(configurationIndex);
  writeGeneration(writer, active);
  writeGeneration(writer, installation);
  return writer.finish();
}

/** Inverse of {@link encodePositions} with the digest behind. Throws {@link MalformedBytesError}. */
export function decodePositions(bytes: Uint8Array): StoredPositions {
  const reader = new ByteReader(bytes);
  const seq = reader.u64();
  const formatSeq = reader.u64();
  const hardState = readHardState(reader);
  const bounds = readBounds(reader);
  const applied = readApplied(reader);
  const active = readGeneration(reader);
  const installation = readGeneration(reader);
  const digest = reader.bytes(CHAIN_BYTES);
  reader.finish();
  return { hardState, bounds, applied, active, installation, head: { seq, digest, formatSeq } };
}

function encodedVote(votedFor: MemberId | undefined): Uint8Array {
  if (votedFor === undefined) return NO_VOTE;
  const known = encodedVotes.get(votedFor);
  if (known !== undefined) return known;
  const nodeId = new TextEncoder().encode(votedFor.nodeId);
  const vote = new ByteWriter(5 + nodeId.length + ID_BYTES)
    .u8(1)
    .sized(nodeId)
    .bytes(encodeId(votedFor.storeId))
    .finish();
  encodedVotes.set(votedFor, vote);
  return vote;
}

function readHardState(reader: ByteReader): HardState {
  const term = reader.u64();
  const commit = reader.u64();
  if (!reader.flag()) return { term, commit, votedFor: undefined };
  return {
    term,
    commit,
    votedFor: { nodeId: decodeText(reader.sized()), storeId: decodeId(reader) },
  };
}

function writeBounds(writer: ByteWriter, bounds: StoredBounds): void {
  writer.u32(bounds.epoch);
  for (const { index, term, chain } of [bounds.purged, bounds.last]) {
    writer.u64(index).u64(term).bytes(chain);
  }
  writer.u64(bounds.configurationIndex).bytes(bounds.configurationDigest);
}

function readBounds(reader: ByteReader): StoredBounds {
  return {
    epoch: reader.u32(),
    purged: readPosition(reader),
    last: readPosition(reader),
    configurationIndex: reader.u64(),
    configurationDigest: reader.bytes(CHAIN_BYTES),
  };
}

function readPosition(reader: ByteReader): ChainedPosition {
  return { index: reader.u64(), term: reader.u64(), chain: reader.bytes(CHAIN_BYTES) };
}

function readApplied(reader: ByteReader): StoredApplied {
  return {
    position: { index: reader.u64(), term: reader.u64(), revision: reader.u64() },
    stateDigest: decodeStateDigest(reader),
    recordCount: reader.u64(),
    configurationIndex: reader.u64(),
  };
}

/** The 32 bytes of a state digest. */
export function encodeStateDigest(digest: bigint): Uint8Array {
  return Buffer.from(digest.toString(16).padStart(2 * DIGEST_BYTES, '0'), 'hex');
}

/** Inverse of {@link encodeStateDigest}. */
export function decodeStateDigest(reader: ByteReader): bigint {
  return BigInt(`0x${reader.hex(DIGEST_BYTES)}`);
}

function generationBytes(generation: StoredGeneration | undefined): number {
  return generation === undefined ? 1 : 9 + DIGEST_BYTES;
}

function writeGeneration(writer: ByteWriter, generation: StoredGeneration | undefined): void {
  writer.u8(generation === undefined ? 0 : 1);
  if (generation === undefined) return;
  writer.u64(generation.generation).bytes(Buffer.from(generation.manifestDigest, 'hex'));
}

function readGeneration(reader: ByteReader): StoredGeneration | undefined {
  if (!reader.flag()) return undefined;
  return { generation: reader.u64(), manifestDigest: reader.hex(DIGEST_BYTES) };
}

export function encodeWitness(witness: StoredWitness): Uint8Array {
  return new ByteWriter(8 + 2 * CHAIN_BYTES)
    .u64(witness.seq)
    .bytes(witness.previousDigest)
    .bytes(witness.digest)
    .finish();
}

export function decodeWitness(bytes: Uint8Array): StoredWitness {
  const reader = new ByteReader(bytes);
  const seq = reader.u64();
  const previousDigest = reader.bytes(CHAIN_BYTES);
  const digest = reader.bytes(CHAIN_BYTES);
  reader.finish();
  return { seq, previousDigest, digest };
}
