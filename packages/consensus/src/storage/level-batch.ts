import { present } from '../assert.ts';
import type { HardState } from '../raft/hard-state.ts';
import {
  type BatchOperation,
  batchDigest,
  chainAfter,
  moveStateDigest,
  recordDigest,
} from './digests.ts';
import { encodeEntry } from './entry-codec.ts';
import {
  APPLIED_KEY,
  BOUNDS_KEY,
  entryKey,
  HARD_STATE_KEY,
  HEAD_KEY,
  stateKey,
  witnessKey,
} from './level-keys.ts';
import type { StateWrite, StoreJob } from './log-storage.ts';
import {
  encodeApplied,
  encodeBounds,
  encodeHardState,
  encodeHead,
  encodeWitness,
  type StoredApplied,
  type StoredBounds,
  type StoredHead,
} from './position-codec.ts';
import { encodeRecord, RECORD_KIND } from './record-frame.ts';

/** All position records of a store, as of one batch. */
export interface StorePositions {
  readonly hardState: HardState;
  readonly bounds: StoredBounds;
  readonly applied: StoredApplied;
  readonly head: StoredHead;
}

/** What a job needs to know beyond the positions. */
export interface JobInputs {
  /** Present values of the records that the job changes, by {@link recordName}. */
  readonly previousValues: ReadonlyMap<string, Uint8Array | undefined>;
  /** Term and chain value of the entry at `purgeThrough`. */
  readonly purgedEntry: { readonly term: bigint; readonly chain: Uint8Array } | undefined;
}

/** One LevelDB batch and the positions after it. */
export interface StoreBatch {
  readonly operations: readonly BatchOperation[];
  readonly positions: StorePositions;
  /** Encoded sizes of the appended entries in bytes. */
  readonly entryBytes: readonly number[];
}

/** A record key as a map key: one character per byte, so that order is byte order. */
export function recordName(key: Uint8Array): string {
  return Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString('latin1');
}

/** Turns a checked job into the one batch that makes it durable. */
export function buildBatch(before: StorePositions, job: StoreJob, inputs: JobInputs): StoreBatch {
  const seq = before.head.seq + 1n;
  const operations: BatchOperation[] = [];
  const entryBytes: number[] = [];
  let { bounds, applied } = before;
  for (const entry of job.entries) {
    const chain = chainAfter(bounds.lastChain, entry);
    const key = entryKey(entry.index);
    const value = encodeRecord(RECORD_KIND.entry, key, encodeEntry({ entry, chain }));
    operations.push({ type: 'put', key, value });
    entryBytes.push(value.length);
    bounds = { ...bounds, lastIndex: entry.index, lastChain: chain };
  }
  if (job.purgeThrough !== undefined) {
    const through = job.purgeThrough;
    for (let index = bounds.purgedIndex + 1n; index <= through; index += 1n) {
      operations.push({ type: 'del', key: entryKey(index) });
    }
    const { term, chain } = present(inputs.purgedEntry, 'a purge knows its last entry');
    bounds = { ...bounds, purgedIndex: through, purgedTerm: term, purgedChain: chain };
  }
  if (job.applied !== undefined) {
    const changed = applyWrites(applied, job.writes, inputs.previousValues, operations);
    applied = { ...changed, position: job.applied };
  }
  const positions = {
    hardState: job.hardState ?? before.hardState,
    bounds,
    applied,
    head: {
      ...before.head,
      seq,
      ...(job.hardState === undefined ? {} : { hardStateSeq: seq }),
      ...(bounds === before.bounds ? {} : { boundsSeq: seq }),
      ...(applied === before.applied ? {} : { appliedSeq: seq }),
    },
  };
  return { ...seal(before.head.digest, positions, operations), entryBytes };
}

/**
 * Adds to `operations` the changed position records, the batch's witness and the head, which name
 * the digest of everything before them.
 */
export function seal(
  previousDigest: Uint8Array,
  positions: StorePositions,
  operations: BatchOperation[],
): { readonly operations: readonly BatchOperation[]; readonly positions: StorePositions } {
  const { hardState, bounds, applied, head } = positions;
  const { seq } = head;
  const put = (
    kind: (typeof RECORD_KIND)[keyof typeof RECORD_KIND],
    key: Uint8Array,
    payload: Uint8Array,
  ): void => {
    operations.push({ type: 'put', key, value: encodeRecord(kind, key, payload) });
  };
  if (head.hardStateSeq === seq) {
    put(RECORD_KIND.hardState, HARD_STATE_KEY, encodeHardState(seq, hardState));
  }
  if (head.boundsSeq === seq) put(RECORD_KIND.bounds, BOUNDS_KEY, encodeBounds(seq, bounds));
  if (head.appliedSeq === seq) put(RECORD_KIND.applied, APPLIED_KEY, encodeApplied(seq, applied));
  const digest = batchDigest(previousDigest, operations);
  const sealedHead = { ...head, digest };
  put(RECORD_KIND.witness, witnessKey(seq), encodeWitness({ seq, previousDigest, digest }));
  put(RECORD_KIND.head, HEAD_KEY, encodeHead(sealedHead));
  return { operations, positions: { ...positions, head: sealedHead } };
}

function applyWrites(
  before: StoredApplied,
  writes: readonly StateWrite[],
  previousValues: JobInputs['previousValues'],
  operations: BatchOperation[],
): Omit<StoredApplied, 'position'> {
  const current = new Map(previousValues);
  let { stateDigest, recordCount } = before;
  for (const { key, value } of writes) {
    const name = recordName(key);
    const previous = current.get(name);
    const removed = previous === undefined ? 0n : recordDigest(key, previous);
    const added = value === undefined ? 0n : recordDigest(key, value);
    stateDigest = moveStateDigest(stateDigest, removed, added);
    recordCount += (value === undefined ? 0n : 1n) - (previous === undefined ? 0n : 1n);
    current.set(name, value);
    const stored = stateKey(key);
    if (value === undefined) operations.push({ type: 'del', key: stored });
    else {
      operations.push({
        type: 'put',
        key: stored,
        value: encodeRecord(RECORD_KIND.state, stored, value),
      });
    }
  }
  return { stateDigest, recordCount };
}
