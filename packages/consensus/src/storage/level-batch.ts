import { assert, present } from '../assert.ts';
import { CHAIN_BYTES, type ConfigurationRecord, LOG_START } from '../raft/entry.ts';
import { INITIAL_HARD_STATE } from '../raft/hard-state.ts';
import type { BatchEncoder } from './batch-encoder.ts';
import { ABSENT_DIGEST, FIRST_BATCH_DIGEST, moveStateDigest, recordDigest } from './digests.ts';
import { storedBytes } from './entry-codec.ts';
import { FORMAT_KEY, stateKey, witnessKey } from './level-keys.ts';
import {
  INITIAL_APPLIED,
  type StateProof,
  type StateWrite,
  type StoreIdentity,
  type StoreJob,
} from './log-storage.ts';
import {
  encodeFormat,
  encodePositions,
  encodeWitness,
  type StoredBounds,
  type StoredFormat,
  type StoredPositions,
} from './position-codec.ts';
import { RECORD_KIND } from './record-frame.ts';
import { configurationAt, configurationDigest } from './stored-configurations.ts';

/** All records of a store that exist once, as of one batch. */
export interface StorePositions extends StoredPositions {
  readonly format: StoredFormat;
}

/** What a batch changes of the positions. A field that is not there stays as it is. */
export type PositionChanges = {
  readonly [K in Exclude<keyof StorePositions, 'head'>]?: StorePositions[K];
};

/** Rough size in bytes of the batch that a job makes. */
export function expectedBytes(job: StoreJob): number {
  let bytes = 1_024;
  for (const entry of job.entries) bytes += storedBytes(entry);
  for (const { key, value } of job.writes) bytes += 2 * key.length + (value?.length ?? 0) + 48;
  return bytes;
}

/** The bounds record of a log, given the configurations that are stored with it. */
export function boundsOf(
  positions: Pick<StoredBounds, 'epoch' | 'purged' | 'last'>,
  configurations: readonly ConfigurationRecord[],
): StoredBounds {
  const { epoch, purged } = positions;
  const { index, term, chain } = positions.last;
  const inForce = configurationAt(configurations, purged.index);
  return {
    epoch,
    purged,
    last: { index, term, chain },
    configurationIndex: inForce?.index ?? 0n,
    configurationDigest: configurationDigest(inForce?.configuration),
  };
}

/**
 * Completes a batch: adds the positions, which hold the digest of the batch, and the batch's
 * witness. Returns the positions after the batch.
 */
export function seal(
  before: StorePositions,
  changes: PositionChanges,
  batch: BatchEncoder,
): StorePositions {
  const seq = before.head.seq + 1n;
  const after = { ...before, ...changes };
  let { formatSeq } = before.head;
  if ('format' in changes) {
    formatSeq = seq;
    batch.put(RECORD_KIND.format, FORMAT_KEY, encodeFormat(seq, after.format));
  }
  const previousDigest = before.head.digest;
  const positions = encodePositions(after, { seq, formatSeq });
  const digest = batch.putPositions(previousDigest, positions);
  const witness = encodeWitness({ seq, previousDigest, digest });
  batch.put(RECORD_KIND.witness, witnessKey(seq), witness);
  return { ...after, head: { seq, digest, formatSeq } };
}

/**
 * The positions of an empty store written at a feature level, in front of the first batch, which
 * writes all of them.
 */
export function initialPositions(identity: StoreIdentity, level: number): StorePositions {
  return {
    format: { identity, level, incarnation: 0n, clusterUid: undefined },
    hardState: INITIAL_HARD_STATE,
    bounds: {
      epoch: 0,
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
    head: { seq: 0n, digest: new Uint8Array(CHAIN_BYTES), formatSeq: 0n },
  };
}

/** Records that change: of each change the name of its record, and digests by these names. */
export interface PresentRecords {
  readonly names: readonly string[];
  /** Digest of what is stored, 0 for a record that is not there. */
  readonly digests: Map<string, bigint>;
}

/**
 * Adds changes of records to a batch and gives the proof of all records after them. The digests of
 * those that change become those of the new values.
 */
export function putWrites(
  before: StateProof,
  writes: readonly StateWrite[],
  { names, digests }: PresentRecords,
  batch: BatchEncoder,
): StateProof {
  let { stateDigest, recordCount } = before;
  writes.forEach(({ key, value }, i) => {
    const name = present(names[i], 'every change has the name of its record');
    const removed = digests.get(name);
    assert(removed !== undefined, 'the digest of each record that changes is known');
    const added = value === undefined ? ABSENT_DIGEST : recordDigest(key, value);
    stateDigest = moveStateDigest(stateDigest, removed, added);
    if (removed === ABSENT_DIGEST) recordCount += 1n;
    if (added === ABSENT_DIGEST) recordCount -= 1n;
    digests.set(name, added);
    if (value === undefined) batch.delete(stateKey(key));
    else batch.putState(key, value);
  });
  return { stateDigest, recordCount };
}
