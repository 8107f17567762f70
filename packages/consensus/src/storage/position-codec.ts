import { CHAIN_BYTES, type ChainedPosition } from '../raft/entry.ts';
import type { HardState } from '../raft/hard-state.ts';
import { ByteReader, ByteWriter, MalformedBytesError } from './byte-codec.ts';
import type { AppliedPosition, StoreIdentity } from './log-storage.ts';

/** Number of the present layout of a store. */
export const FORMAT_VERSION = 3;

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
  readonly incarnation: bigint;
  readonly clusterUid: string | undefined;
}

/** First and last entry of the stored log. */
export interface StoredBounds {
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

/** Newest batch, and which batch wrote each of the other records that exist once. */
export interface StoredHead {
  readonly seq: bigint;
  readonly digest: Uint8Array;
  readonly formatSeq: bigint;
  readonly hardStateSeq: bigint;
  readonly boundsSeq: bigint;
  readonly appliedSeq: bigint;
  readonly activeSeq: bigint;
  readonly installationSeq: bigint;
}

/** What one batch leaves behind to prove that it was not lost. */
export interface StoredWitness {
  readonly seq: bigint;
  readonly previousDigest: Uint8Array;
  readonly digest: Uint8Array;
}

/** A record together with the number of the batch that wrote it. */
export interface Stamped<T> {
  readonly seq: bigint;
  readonly value: T;
}

const MAGIC = new TextEncoder().encode('NVXCONS1');
const ID_BYTES = 16;
const DIGEST_BYTES = 32;

/** Magic, format version, batch, incarnation, then cluster, node and store identity. */
export function encodeFormat(seq: bigint, format: StoredFormat): Uint8Array {
  const { identity, incarnation, clusterUid } = format;
  const clusterId = new TextEncoder().encode(identity.clusterId);
  const nodeId = new TextEncoder().encode(identity.nodeId);
  const uidBytes = 1 + (clusterUid === undefined ? 0 : ID_BYTES);
  const length = MAGIC.length + 12 + 8 + 8 + clusterId.length + nodeId.length + ID_BYTES + uidBytes;
  const writer = new ByteWriter(length)
    .bytes(MAGIC)
    .u32(FORMAT_VERSION)
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
 * Inverse of {@link encodeFormat}. Throws {@link MalformedBytesError}, or
 * {@link ForeignFormatError} for another version, of which nothing more is read.
 */
export function decodeFormat(bytes: Uint8Array): Stamped<StoredFormat> {
  const reader = new ByteReader(bytes);
  if (Buffer.compare(reader.bytes(MAGIC.length), MAGIC) !== 0) {
    throw new MalformedBytesError('not a consensus store');
  }
  const version = reader.u32();
  if (version !== FORMAT_VERSION) throw new ForeignFormatError(version);
  const seq = reader.u64();
  const incarnation = reader.u64();
  const clusterId = decodeText(reader.sized());
  const nodeId = decodeText(reader.sized());
  const storeId = decodeId(reader);
  const clusterUid = reader.flag() ? decodeId(reader) : undefined;
  reader.finish();
  return { seq, value: { identity: { clusterId, nodeId, storeId }, incarnation, clusterUid } };
}

/** The 16 bytes of an id given as 32 hexadecimal digits. */
export function encodeId(id: string): Uint8Array {
  if (!/^[0-9a-f]{32}$/.test(id)) throw new RangeError('an id is 32 hexadecimal digits');
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

export function encodeHardState(seq: bigint, state: HardState): Uint8Array {
  const voted = state.votedFor;
  if (voted === undefined) {
    return new ByteWriter(25).u64(seq).u64(state.term).u64(state.commit).u8(0).finish();
  }
  const nodeId = new TextEncoder().encode(voted.nodeId);
  return new ByteWriter(25 + 4 + nodeId.length + ID_BYTES)
    .u64(seq)
    .u64(state.term)
    .u64(state.commit)
    .u8(1)
    .sized(nodeId)
    .bytes(encodeId(voted.storeId))
    .finish();
}

export function decodeHardState(bytes: Uint8Array): Stamped<HardState> {
  const reader = new ByteReader(bytes);
  const seq = reader.u64();
  const term = reader.u64();
  const commit = reader.u64();
  if (!reader.flag()) {
    reader.finish();
    return { seq, value: { term, commit, votedFor: undefined } };
  }
  const nodeId = decodeText(reader.sized());
  const storeId = decodeId(reader);
  reader.finish();
  return { seq, value: { term, commit, votedFor: { nodeId, storeId } } };
}

export function encodeBounds(seq: bigint, bounds: StoredBounds): Uint8Array {
  const { purged, last } = bounds;
  return new ByteWriter(48 + 3 * CHAIN_BYTES)
    .u64(seq)
    .u64(purged.index)
    .u64(purged.term)
    .bytes(purged.chain)
    .u64(last.index)
    .u64(last.term)
    .bytes(last.chain)
    .u64(bounds.configurationIndex)
    .bytes(bounds.configurationDigest)
    .finish();
}

export function decodeBounds(bytes: Uint8Array): Stamped<StoredBounds> {
  const reader = new ByteReader(bytes);
  const seq = reader.u64();
  const purged = decodePosition(reader);
  const last = decodePosition(reader);
  const configurationIndex = reader.u64();
  const configurationDigest = reader.bytes(CHAIN_BYTES);
  reader.finish();
  return { seq, value: { purged, last, configurationIndex, configurationDigest } };
}

function decodePosition(reader: ByteReader): ChainedPosition {
  return { index: reader.u64(), term: reader.u64(), chain: reader.bytes(CHAIN_BYTES) };
}

export function encodeApplied(seq: bigint, applied: StoredApplied): Uint8Array {
  return new ByteWriter(48 + DIGEST_BYTES)
    .u64(seq)
    .u64(applied.position.index)
    .u64(applied.position.term)
    .u64(applied.position.revision)
    .bytes(encodeStateDigest(applied.stateDigest))
    .u64(applied.recordCount)
    .u64(applied.configurationIndex)
    .finish();
}

export function decodeApplied(bytes: Uint8Array): Stamped<StoredApplied> {
  const reader = new ByteReader(bytes);
  const seq = reader.u64();
  const position = { index: reader.u64(), term: reader.u64(), revision: reader.u64() };
  const stateDigest = decodeStateDigest(reader);
  const recordCount = reader.u64();
  const configurationIndex = reader.u64();
  reader.finish();
  return { seq, value: { position, stateDigest, recordCount, configurationIndex } };
}

/** The 32 bytes of a state digest. */
export function encodeStateDigest(digest: bigint): Uint8Array {
  return Buffer.from(digest.toString(16).padStart(2 * DIGEST_BYTES, '0'), 'hex');
}

/** Inverse of {@link encodeStateDigest}. */
export function decodeStateDigest(reader: ByteReader): bigint {
  return BigInt(`0x${reader.hex(DIGEST_BYTES)}`);
}

/** A generation, or that there is none: the record itself is always there. */
export function encodeGeneration(
  seq: bigint,
  generation: StoredGeneration | undefined,
): Uint8Array {
  if (generation === undefined) return new ByteWriter(9).u64(seq).u8(0).finish();
  return new ByteWriter(17 + DIGEST_BYTES)
    .u64(seq)
    .u8(1)
    .u64(generation.generation)
    .bytes(Buffer.from(generation.manifestDigest, 'hex'))
    .finish();
}

export function decodeGeneration(bytes: Uint8Array): Stamped<StoredGeneration | undefined> {
  const reader = new ByteReader(bytes);
  const seq = reader.u64();
  if (!reader.flag()) {
    reader.finish();
    return { seq, value: undefined };
  }
  const generation = reader.u64();
  const manifestDigest = reader.hex(DIGEST_BYTES);
  reader.finish();
  return { seq, value: { generation, manifestDigest } };
}

export function encodeHead(head: StoredHead): Uint8Array {
  return new ByteWriter(56 + CHAIN_BYTES)
    .u64(head.seq)
    .bytes(head.digest)
    .u64(head.formatSeq)
    .u64(head.hardStateSeq)
    .u64(head.boundsSeq)
    .u64(head.appliedSeq)
    .u64(head.activeSeq)
    .u64(head.installationSeq)
    .finish();
}

export function decodeHead(bytes: Uint8Array): StoredHead {
  const reader = new ByteReader(bytes);
  const seq = reader.u64();
  const digest = reader.bytes(CHAIN_BYTES);
  const formatSeq = reader.u64();
  const hardStateSeq = reader.u64();
  const boundsSeq = reader.u64();
  const appliedSeq = reader.u64();
  const activeSeq = reader.u64();
  const installationSeq = reader.u64();
  reader.finish();
  return {
    seq,
    digest,
    formatSeq,
    hardStateSeq,
    boundsSeq,
    appliedSeq,
    activeSeq,
    installationSeq,
  };
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
