import { chainAfter, moveStateDigest, recordDigest, ZERO_CHAIN } from './digests.ts';
import { decodeEntry, type StoredEntry } from './entry-codec.ts';
import type { StorePositions } from './level-batch.ts';
import {
  APPLIED_KEY,
  BOUNDS_KEY,
  FORMAT_KEY,
  HARD_STATE_KEY,
  HEAD_KEY,
  KEY_PREFIX,
  numberInKey,
  WITNESS_SLOTS,
} from './level-keys.ts';
import type { StoreReader } from './level-reader.ts';
import { LogIndex } from './log-index.ts';
import type { StoreIdentity } from './log-storage.ts';
import {
  decodeApplied,
  decodeBounds,
  decodeHardState,
  decodeHead,
  decodeIdentity,
  decodeWitness,
  type Stamped,
  type StoredWitness,
} from './position-codec.ts';
import { RECORD_KIND } from './record-frame.ts';

/** A store that passed every check. */
export interface RecoveredStore {
  readonly identity: StoreIdentity;
  readonly positions: StorePositions;
  readonly log: LogIndex;
}

/**
 * Reads the whole store once and verifies it: positions against the head, log contiguity and
 * chain, witnesses of the newest batches, digest of the state records. Repairs nothing. Throws
 * `RAFT_STORAGE_CORRUPT` with the key at fault.
 */
export async function recoverStore(reader: StoreReader): Promise<RecoveredStore> {
  const identity = await reader.require(RECORD_KIND.format, FORMAT_KEY, decodeIdentity);
  const positions = await readPositions(reader);
  const logScan = new LogScan(reader, positions);
  const witnessScan = new WitnessScan(reader, positions);
  const stateScan = new StateScan(reader, positions);
  for await (const [key, value] of reader.scan()) {
    switch (key[0]) {
      case KEY_PREFIX.format:
      case KEY_PREFIX.position:
        if (!isKnownKey(key)) throw reader.corrupt(key, 'unknown key');
        break;
      case KEY_PREFIX.entry:
        logScan.visit(key, value);
        break;
      case KEY_PREFIX.witness:
        witnessScan.visit(key, value);
        break;
      case KEY_PREFIX.state:
        stateScan.visit(key, value);
        break;
      default:
        throw reader.corrupt(key, 'unknown key prefix');
    }
  }
  const log = logScan.finish();
  witnessScan.finish();
  stateScan.finish();
  return { identity, positions: withCommitBound(positions), log };
}

async function readPositions(reader: StoreReader): Promise<StorePositions> {
  const head = await reader.require(RECORD_KIND.head, HEAD_KEY, decodeHead);
  const hardState = await reader.require(RECORD_KIND.hardState, HARD_STATE_KEY, decodeHardState);
  const bounds = await reader.require(RECORD_KIND.bounds, BOUNDS_KEY, decodeBounds);
  const applied = await reader.require(RECORD_KIND.applied, APPLIED_KEY, decodeApplied);
  const check = (key: Uint8Array, stamped: Stamped<unknown>, expected: bigint): void => {
    if (stamped.seq === expected) return;
    throw reader.corrupt(key, `written by batch ${stamped.seq}, not by batch ${expected}`);
  };
  check(HARD_STATE_KEY, hardState, head.hardStateSeq);
  check(BOUNDS_KEY, bounds, head.boundsSeq);
  check(APPLIED_KEY, applied, head.appliedSeq);
  const { purgedIndex, lastIndex } = bounds.value;
  const { position } = applied.value;
  if (purgedIndex > position.index || position.index > lastIndex) {
    throw reader.corrupt(APPLIED_KEY, `applied ${position.index} is outside the log`);
  }
  if (hardState.value.commit > lastIndex) {
    throw reader.corrupt(HARD_STATE_KEY, `committed entries behind ${lastIndex} are missing`);
  }
  return {
    hardState: hardState.value,
    bounds: bounds.value,
    applied: applied.value,
    head,
  };
}

/** Applied entries are committed, whatever the lazily stored commit index says. */
function withCommitBound(positions: StorePositions): StorePositions {
  const { hardState, applied } = positions;
  const { index } = applied.position;
  if (hardState.commit >= index) return positions;
  return { ...positions, hardState: { ...hardState, commit: index } };
}

function isKnownKey(key: Uint8Array): boolean {
  return [FORMAT_KEY, HARD_STATE_KEY, BOUNDS_KEY, APPLIED_KEY, HEAD_KEY].some(
    (known) => Buffer.compare(known, key) === 0,
  );
}

class LogScan {
  readonly #reader: StoreReader;
  readonly #positions: StorePositions;
  readonly #log: LogIndex;
  #chain: Uint8Array;

  constructor(reader: StoreReader, positions: StorePositions) {
    const { purgedIndex, purgedTerm, purgedChain } = positions.bounds;
    this.#reader = reader;
    this.#positions = positions;
    this.#log = new LogIndex({ index: purgedIndex, term: purgedTerm });
    this.#chain = purgedChain;
  }

  visit(key: Uint8Array, value: Uint8Array): void {
    const stored: StoredEntry = this.#reader.decode(RECORD_KIND.entry, key, value, decodeEntry);
    const { entry } = stored;
    const { last } = this.#log.bounds;
    if (numberInKey(key) !== entry.index) {
      throw this.#reader.corrupt(key, `holds entry ${entry.index}`);
    }
    if (entry.index !== last.index + 1n) {
      throw this.#reader.corrupt(key, `entry ${last.index + 1n} is missing before it`);
    }
    if (entry.term < last.term)
      throw this.#reader.corrupt(key, 'term is older than the one before');
    const chain = chainAfter(this.#chain, entry);
    if (Buffer.compare(chain, stored.chain) !== 0) {
      throw this.#reader.corrupt(key, 'does not follow from the entry before');
    }
    this.#log.append(entry, value.length);
    this.#chain = chain;
  }

  finish(): LogIndex {
    const { bounds, hardState, applied } = this.#positions;
    const { last } = this.#log.bounds;
    if (last.index !== bounds.lastIndex) {
      throw this.#reader.corrupt(BOUNDS_KEY, `log ends at ${last.index}, not ${bounds.lastIndex}`);
    }
    if (Buffer.compare(this.#chain, bounds.lastChain) !== 0) {
      throw this.#reader.corrupt(BOUNDS_KEY, 'last entry is another one');
    }
    if (last.term > hardState.term) {
      throw this.#reader.corrupt(HARD_STATE_KEY, 'term is older than the last entry');
    }
    if (this.#log.termAt(applied.position.index) !== applied.position.term) {
      throw this.#reader.corrupt(APPLIED_KEY, 'applied entry has another term');
    }
    return this.#log;
  }
}

/** Checks that the newest batches, up to the number of slots, are all there and chained. */
class WitnessScan {
  readonly #reader: StoreReader;
  readonly #positions: StorePositions;
  #count = 0n;
  #first: StoredWitness | undefined;
  #previous: StoredWitness | undefined;

  constructor(reader: StoreReader, positions: StorePositions) {
    this.#reader = reader;
    this.#positions = positions;
  }

  visit(key: Uint8Array, value: Uint8Array): void {
    const witness = this.#reader.decode(RECORD_KIND.witness, key, value, decodeWitness);
    const { head } = this.#positions;
    if (witness.seq > head.seq || witness.seq + WITNESS_SLOTS <= head.seq) {
      throw this.#reader.corrupt(key, `batch ${witness.seq} does not belong to head ${head.seq}`);
    }
    if (numberInKey(key) !== witness.seq % WITNESS_SLOTS) {
      throw this.#reader.corrupt(key, `holds batch ${witness.seq}`);
    }
    if (witness.seq === head.seq && Buffer.compare(witness.digest, head.digest) !== 0) {
      throw this.#reader.corrupt(key, 'newest batch is another one');
    }
    this.#checkLink(key, this.#previous, witness);
    this.#first ??= witness;
    this.#previous = witness;
    this.#count += 1n;
  }

  finish(): void {
    const { seq } = this.#positions.head;
    const hasWrapped = seq >= WITNESS_SLOTS;
    const expected = hasWrapped ? WITNESS_SLOTS : seq;
    if (this.#count !== expected) {
      const missing = expected - this.#count;
      throw this.#reader.corrupt(HEAD_KEY, `${missing} of the newest ${expected} batches are lost`);
    }
    if (this.#first !== undefined) this.#checkLink(HEAD_KEY, this.#previous, this.#first);
  }

  #checkLink(key: Uint8Array, before: StoredWitness | undefined, after: StoredWitness): void {
    if (after.seq === 1n && Buffer.compare(after.previousDigest, ZERO_CHAIN) !== 0) {
      throw this.#reader.corrupt(key, 'first batch is another one');
    }
    if (before === undefined || before.seq + 1n !== after.seq) return;
    if (Buffer.compare(before.digest, after.previousDigest) !== 0) {
      throw this.#reader.corrupt(key, `batch ${after.seq} does not follow from the one before`);
    }
  }
}

class StateScan {
  readonly #reader: StoreReader;
  readonly #positions: StorePositions;
  #digest = 0n;
  #count = 0n;

  constructor(reader: StoreReader, positions: StorePositions) {
    this.#reader = reader;
    this.#positions = positions;
  }

  visit(key: Uint8Array, value: Uint8Array): void {
    const payload = this.#reader.decode(RECORD_KIND.state, key, value, (bytes) => bytes);
    this.#digest = moveStateDigest(this.#digest, 0n, recordDigest(key.subarray(1), payload));
    this.#count += 1n;
  }

  finish(): void {
    const { stateDigest, recordCount } = this.#positions.applied;
    if (this.#count !== recordCount) {
      throw this.#reader.corrupt(
        APPLIED_KEY,
        `${this.#count} state records are stored instead of ${recordCount}`,
      );
    }
    if (this.#digest !== stateDigest) {
      throw this.#reader.corrupt(APPLIED_KEY, 'state records differ from their digest');
    }
  }
}
