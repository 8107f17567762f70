import { FIRST_BATCH_DIGEST } from './digests.ts';
import type { StorePositions } from './level-batch.ts';
import { numberInKey, POSITIONS_KEY, WITNESS_SLOTS } from './level-keys.ts';
import type { StoreReader } from './level-reader.ts';
import { decodeWitness, type StoredWitness } from './position-codec.ts';
import { RECORD_KIND } from './record-frame.ts';

/** Checks that the newest batches, up to the number of slots, are all there and chained. */
export class WitnessScan {
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
      throw this.#reader.corrupt(
        POSITIONS_KEY,
        `${missing} of the newest ${expected} batches are lost`,
      );
    }
    if (this.#first !== undefined) this.#checkLink(POSITIONS_KEY, this.#previous, this.#first);
  }

  #checkLink(key: Uint8Array, before: StoredWitness | undefined, after: StoredWitness): void {
    if (after.seq === 1n && Buffer.compare(after.previousDigest, FIRST_BATCH_DIGEST) !== 0) {
      throw this.#reader.corrupt(key, 'first batch is another one');
    }
    if (before === undefined || before.seq + 1n !== after.seq) return;
    if (Buffer.compare(before.digest, after.previousDigest) !== 0) {
      throw this.#reader.corrupt(key, `batch ${after.seq} does not follow from the one before`);
    }
  }
}
