import { ABSENT_DIGEST, moveStateDigest, recordDigest } from './digests.ts';
import type { StorePositions } from './level-batch.ts';
import { POSITIONS_KEY } from './level-keys.ts';
import type { StoreReader } from './level-reader.ts';
import { RecordDigests } from './record-digests.ts';
import { RECORD_KIND } from './record-frame.ts';
import { recordName } from './record-name.ts';

/** Checks that the state records are those whose digest is stored. */
export class StateScan {
  /** Of the records that were visited. */
  readonly digests: RecordDigests = new RecordDigests();
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
    const record = key.subarray(1);
    const digest = recordDigest(record, payload);
    this.digests.remember([[recordName(record), digest]]);
    this.#digest = moveStateDigest(this.#digest, ABSENT_DIGEST, digest);
    this.#count += 1n;
  }

  finish(): void {
    const { stateDigest, recordCount } = this.#positions.applied;
    if (this.#count !== recordCount) {
      throw this.#reader.corrupt(
        POSITIONS_KEY,
        `${this.#count} state records are stored instead of ${recordCount}`,
      );
    }
    if (this.#digest !== stateDigest) {
      throw this.#reader.corrupt(POSITIONS_KEY, 'state records differ from their digest');
    }
  }
}
