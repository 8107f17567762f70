import { assert } from '../assert.ts';
import { CHAIN_BYTES, type ConfigurationRecord, LOG_START } from '../raft/entry.ts';
import { type HardState, INITIAL_HARD_STATE } from '../raft/hard-state.ts';
import type { BatchEncoder } from './batch-encoder.ts';
import { ABSENT_DIGEST, FIRST_BATCH_DIGEST, moveStateDigest, recordDigest } from './digests.ts';
import { storedBytes } from './entry-codec.ts';
import {
  ACTIVE_SNAPSHOT_KEY,
  APPLIED_KEY,
  BOUNDS_KEY,
  FORMAT_KEY,
  HARD_STATE_KEY,
  HEAD_KEY,
  INSTALLATION_KEY,
  stateKey,
  witnessKey,
} from './level-keys.ts';
import {
  INITIAL_APPLIED,
  type StateProof,
  type StateWrite,
  type StoreIdentity,
  type StoreJob,
} from './log-storage.ts';
import {
  encodeApplied,
  encodeBounds,
  encodeFormat,
  encodeGeneration,
  encodeHardState,
  encodeHead,
  encodeWitness,
  type StoredApplied,
  type StoredBounds,
  type StoredFormat,
  type StoredGeneration,
  type StoredHead,
} from './position-codec.ts';
import { RECORD_KIND } from './record-frame.ts';
import { configurationAt, configurationDigest } from './stored-configurations.ts';

/** All records of a store that exist once, as of one batch. */
export interface StorePositions {
  readonly format: StoredFormat;
  readonly hardState: HardState;
  readonly bounds: StoredBounds;
  readonly applied: StoredApplied;
  /** The snapshot that is sent to others. */
  readonly active: StoredGeneration | undefined;
  /** The snapshot that is being installed. */
  readonly installation: StoredGeneration | undefined;
  readonly head: StoredHead;
}

/** What a batch changes of the positions. A field that is not there stays as it is. */
export type PositionChanges = {
  readonly [K in Exclude<keyof StorePositions, 'head'>]?: StorePositions[K];
};

/** A record key as a map key: one character per byte, so that order is byte order. */
export function recordName(key: Uint8Array): string {
  return Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString('latin1');
}

/** Rough size in bytes of the batch that a job makes. */
export function expectedBytes(job: StoreJob): number {
  let bytes = 1_024;
  for (const entry of job.entries) bytes += storedBytes(entry) + 24;
  for (const { key, value } of job.writes) bytes += 2 * key.length + (value?.length ?? 0) + 48;
  return bytes;
}

/** The bounds record of a log, given the configurations that are stored with it. */
export function boundsOf(
  positions: Pick<StoredBounds, 'purged' | 'last'>,
  configurations: readonly ConfigurationRecord[],
): StoredBounds {
  const { purged } = positions;
  const { index, term, chain } = positions.last;
  const inForce = configurationAt(configurations, purged.index);
  return {
    purged,
    last: { index, term, chain },
    configurationIndex: inForce?.index ?? 0n,
    configurationDigest: configurationDigest(inForce?.configuration),
  };
}

/**
 * Completes a batch: adds the changed positions, the batch's witness and the head, which name the
 * digest of everything before them. Returns the positions after the batch.
 */
export function seal(
  before: StorePositions,
  changes: PositionChanges,
  batch: BatchEncoder,
): StorePositions {
  const seq = before.head.seq + 1n;
  const after = { ...before, ...changes };
  const head = { ...before.head, seq };
  if ('format' in changes) {
    head.formatSeq = seq;
    batch.put(RECORD_KIND.format, FORMAT_KEY, encodeFormat(seq, after.format));
  }
  if ('hardState' in changes) {
    head.hardStateSeq = seq;
    batch.put(RECORD_KIND.hardState, HARD_STATE_KEY, encodeHardState(seq, after.hardState));
  }
  if ('bounds' in changes) {
    head.boundsSeq = seq;
    batch.put(RECORD_KIND.bounds, BOUNDS_KEY, encodeBounds(seq, after.bounds));
  }
  if ('applied' in changes) {
    head.appliedSeq = seq;
    batch.put(RECORD_KIND.applied, APPLIED_KEY, encodeApplied(seq, after.applied));
  }
  if ('active' in changes) {
    head.activeSeq = seq;
    const payload = encodeGeneration(seq, after.active);
    batch.put(RECORD_KIND.activeSnapshot, ACTIVE_SNAPSHOT_KEY, payload);
  }
  if ('installation' in changes) {
    head.installationSeq = seq;
    const payload = encodeGeneration(seq, after.installation);
    batch.put(RECORD_KIND.installation, INSTALLATION_KEY, payload);
  }
  const previousDigest = before.head.digest;
  head.digest = batch.digest(previousDigest);
  const witness = encodeWitness({ seq, previousDigest, digest: head.digest });
  batch.put(RECORD_KIND.witness, witnessKey(seq), witness);
  batch.put(RECORD_KIND.head, HEAD_KEY, encodeHead(head));
  return { ...after, head };
}

/** The positions of an empty store, in front of the first batch, which writes all of them. */
export function initialPositions(identity: StoreIdentity): StorePositions {
  return {
    format: { identity, incarnation: 0n, clusterUid: undefined },
    hardState: INITIAL_HARD_STATE,
    bounds: {
      purged: LOG_START,
      last: LOG_START,
      configurationIndex: 0n,
      configurationDigest: FIRST_BATCH_DIGEST,
    },
    applied: {
      position: INITIAL_APPLIED,
      stateDigest: 0n,
      recordCount: 0n,
      configurationIndex: 0n,
    },
    active: undefined,
    installation: undefined,
    head: {
      seq: 0n,
      digest: new Uint8Array(CHAIN_BYTES),
      formatSeq: 0n,
      hardStateSeq: 0n,
      boundsSeq: 0n,
      appliedSeq: 0n,
      activeSeq: 0n,
      installationSeq: 0n,
    },
  };
}

/** Records after some changes: the proof of all, and the digest of each that changed. */
export interface WrittenRecords {
  readonly proof: StateProof;
  /** By {@link recordName}; 0 for a record that is gone. */
  readonly digests: ReadonlyMap<string, bigint>;
}

/**
 * Adds changes of records to a batch and gives what holds after them. `digests` are those of the
 * present values of all records that change, by {@link recordName}, 0 where there is none.
 */
export function putWrites(
  before: StateProof,
  writes: readonly StateWrite[],
  digests: ReadonlyMap<string, bigint>,
  batch: BatchEncoder,
): WrittenRecords {
  const current = new Map(digests);
  let { stateDigest, recordCount } = before;
  for (const { key, value } of writes) {
    const name = recordName(key);
    const removed = current.get(name);
    assert(removed !== undefined, 'the digest of each record that changes is known');
    const added = value === undefined ? ABSENT_DIGEST : recordDigest(key, value);
    stateDigest = moveStateDigest(stateDigest, removed, added);
    recordCount += countOf(added) - countOf(removed);
    current.set(name, added);
    if (value === undefined) batch.delete(stateKey(key));
    else batch.put(RECORD_KIND.state, stateKey(key), value);
  }
  return { proof: { stateDigest, recordCount }, digests: current };
}

function countOf(digest: bigint): bigint {
  return digest === ABSENT_DIGEST ? 0n : 1n;
}
