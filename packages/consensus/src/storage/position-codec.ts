import type { HardState } from '../raft/hard-state.ts';
import { ByteReader, ByteWriter, MalformedBytesError } from './byte-codec.ts';
import { CHAIN_BYTES } from './entry-codec.ts';
import type { AppliedPosition, StoreIdentity } from './log-storage.ts';

/** First and last entry of the stored log. Chain values are those of `purged` and `last`. */
export interface StoredBounds {
  readonly purgedIndex: bigint;
  readonly purgedTerm: bigint;
  readonly purgedChain: Uint8Array;
  readonly lastIndex: bigint;
  readonly lastChain: Uint8Array;
}

/** Applied position with what proves the state records complete. */
export interface StoredApplied {
  readonly position: AppliedPosition;
  readonly stateDigest: bigint;
  readonly recordCount: bigint;
}

/** Newest batch, and which batch wrote each of the other position records. */
export interface StoredHead {
  readonly seq: bigint;
  readonly digest: Uint8Array;
  readonly hardStateSeq: bigint;
  readonly boundsSeq: bigint;
  readonly appliedSeq: bigint;
}

/** What one batch leaves behind to prove that it was not lost. */
export interface StoredWitness {
  readonly seq: bigint;
  readonly previousDigest: Uint8Array;
  readonly digest: Uint8Array;
}

/** A position record together with the number of the batch that wrote it. */
export interface Stamped<T> {
  readonly seq: bigint;
  readonly value: T;
}

const MAGIC = new TextEncoder().encode('NVXCONS1');
const STORE_ID_BYTES = 16;

/** Magic, then cluster, node and store identity. */
export function encodeIdentity(identity: StoreIdentity): Uint8Array {
  const clusterId = new TextEncoder().encode(identity.clusterId);
  const nodeId = new TextEncoder().encode(identity.nodeId);
  const length = MAGIC.length + 8 + clusterId.length + nodeId.length + STORE_ID_BYTES;
  return new ByteWriter(length)
    .bytes(MAGIC)
    .sized(clusterId)
    .sized(nodeId)
    .bytes(encodeStoreId(identity.storeId))
    .finish();
}

/** Inverse of {@link encodeIdentity}. Throws {@link MalformedBytesError}. */
export function decodeIdentity(bytes: Uint8Array): StoreIdentity {
  const reader = new ByteReader(bytes);
  if (Buffer.compare(reader.bytes(MAGIC.length), MAGIC) !== 0) {
    throw new MalformedBytesError('not a consensus store of this format');
  }
  const clusterId = new TextDecoder().decode(reader.sized());
  const nodeId = new TextDecoder().decode(reader.sized());
  const storeId = Buffer.from(reader.bytes(STORE_ID_BYTES)).toString('hex');
  reader.finish();
  return { clusterId, nodeId, storeId };
}

/** The 16 bytes of a store id given as 32 hexadecimal digits. */
export function encodeStoreId(storeId: string): Uint8Array {
  if (!/^[0-9a-f]{32}$/.test(storeId)) throw new RangeError('a store id is 32 hexadecimal digits');
  return Uint8Array.from(Buffer.from(storeId, 'hex'));
}

export function encodeHardState(seq: bigint, state: HardState): Uint8Array {
  const voted = state.votedFor;
  if (voted === undefined) {
    return new ByteWriter(25).u64(seq).u64(state.term).u64(state.commit).u8(0).finish();
  }
  const nodeId = new TextEncoder().encode(voted.nodeId);
  return new ByteWriter(25 + 4 + nodeId.length + STORE_ID_BYTES)
    .u64(seq)
    .u64(state.term)
    .u64(state.commit)
    .u8(1)
    .sized(nodeId)
    .bytes(encodeStoreId(voted.storeId))
    .finish();
}

export function decodeHardState(bytes: Uint8Array): Stamped<HardState> {
  const reader = new ByteReader(bytes);
  const seq = reader.u64();
  const term = reader.u64();
  const commit = reader.u64();
  if (reader.u8() === 0) {
    reader.finish();
    return { seq, value: { term, commit, votedFor: undefined } };
  }
  const nodeId = new TextDecoder().decode(reader.sized());
  const storeId = Buffer.from(reader.bytes(STORE_ID_BYTES)).toString('hex');
  reader.finish();
  return { seq, value: { term, commit, votedFor: { nodeId, storeId } } };
}

export function encodeBounds(seq: bigint, bounds: StoredBounds): Uint8Array {
  return new ByteWriter(32 + 2 * CHAIN_BYTES)
    .u64(seq)
    .u64(bounds.purgedIndex)
    .u64(bounds.purgedTerm)
    .bytes(bounds.purgedChain)
    .u64(bounds.lastIndex)
    .bytes(bounds.lastChain)
    .finish();
}

export function decodeBounds(bytes: Uint8Array): Stamped<StoredBounds> {
  const reader = new ByteReader(bytes);
  const seq = reader.u64();
  const purgedIndex = reader.u64();
  const purgedTerm = reader.u64();
  const purgedChain = reader.bytes(CHAIN_BYTES);
  const lastIndex = reader.u64();
  const lastChain = reader.bytes(CHAIN_BYTES);
  reader.finish();
  return { seq, value: { purgedIndex, purgedTerm, purgedChain, lastIndex, lastChain } };
}

export function encodeApplied(seq: bigint, applied: StoredApplied): Uint8Array {
  const digest = Buffer.from(applied.stateDigest.toString(16).padStart(64, '0'), 'hex');
  return new ByteWriter(40 + 32)
    .u64(seq)
    .u64(applied.position.index)
    .u64(applied.position.term)
    .u64(applied.position.revision)
    .bytes(digest)
    .u64(applied.recordCount)
    .finish();
}

export function decodeApplied(bytes: Uint8Array): Stamped<StoredApplied> {
  const reader = new ByteReader(bytes);
  const seq = reader.u64();
  const position = { index: reader.u64(), term: reader.u64(), revision: reader.u64() };
  const stateDigest = BigInt(`0x${Buffer.from(reader.bytes(32)).toString('hex')}`);
  const recordCount = reader.u64();
  reader.finish();
  return { seq, value: { position, stateDigest, recordCount } };
}

export function encodeHead(head: StoredHead): Uint8Array {
  return new ByteWriter(32 + CHAIN_BYTES)
    .u64(head.seq)
    .bytes(head.digest)
    .u64(head.hardStateSeq)
    .u64(head.boundsSeq)
    .u64(head.appliedSeq)
    .finish();
}

export function decodeHead(bytes: Uint8Array): StoredHead {
  const reader = new ByteReader(bytes);
  const seq = reader.u64();
  const digest = reader.bytes(CHAIN_BYTES);
  const hardStateSeq = reader.u64();
  const boundsSeq = reader.u64();
  const appliedSeq = reader.u64();
  reader.finish();
  return { seq, digest, hardStateSeq, boundsSeq, appliedSeq };
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
