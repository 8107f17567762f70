import { assert } from '../assert.ts';
import { MalformedBytesError } from './byte-codec.ts';
import { moveStateDigest, recordDigest } from './digests.ts';
import { SECTION_BYTES_MAX, type StateProof, type StateRecord } from './log-storage.ts';
import { FRAME_BYTES } from './record-frame.ts';

/** Largest section in bytes without the frame under which it is stored. */
export const SECTION_CONTENT_MAX: number = SECTION_BYTES_MAX - FRAME_BYTES;

/** Longest record that is read from a section; longer ones are taken for damage. */
const RECORD_BYTES_MAX = 64 * 1_024 * 1_024;
const RECORD_HEAD_BYTES = 8;

/**
 * Cuts records into sections: length of key u32, length of value u32, key, value. A section ends
 * between two records; only a record larger than a whole section goes on in the next one.
 */
export class SectionWriter {
  readonly #contentMax: number;
  #parts: Uint8Array[] = [];
  #length = 0;
  /** What of an oversized record did not fit. */
  #rest: Uint8Array = new Uint8Array(0);

  constructor(contentMax: number = SECTION_CONTENT_MAX) {
    assert(contentMax >= 1, 'a section has room');
    this.#contentMax = contentMax;
  }

  /**
   * Adds a record, or returns `false`: then the section is full, has to be taken, and the record
   * added again.
   */
  add(record: StateRecord): boolean {
    const bytes = RECORD_HEAD_BYTES + record.key.length + record.value.length;
    if (this.#rest.length > 0) return false;
    if (this.#length > 0 && this.#length + bytes > this.#contentMax) return false;
    const encoded = encodeRecords(record, bytes);
    this.#push(encoded.subarray(0, this.#contentMax));
    this.#rest = encoded.subarray(Math.min(encoded.length, this.#contentMax));
    return true;
  }

  /** The section that is full or, at the end, the last one; `undefined` when nothing is left. */
  take(): Uint8Array | undefined {
    if (this.#length === 0) return undefined;
    const section = Buffer.concat(this.#parts, this.#length);
    this.#parts = [];
    this.#length = 0;
    const rest = this.#rest;
    this.#push(rest.subarray(0, this.#contentMax));
    this.#rest = rest.subarray(Math.min(rest.length, this.#contentMax));
    return new Uint8Array(section.buffer, section.byteOffset, section.byteLength);
  }

  #push(part: Uint8Array): void {
    if (part.length === 0) return;
    this.#parts.push(part);
    this.#length += part.length;
  }
}

function encodeRecords({ key, value }: StateRecord, bytes: number): Uint8Array {
  const encoded = new Uint8Array(bytes);
  const view = new DataView(encoded.buffer);
  view.setUint32(0, key.length);
  view.setUint32(4, value.length);
  encoded.set(key, RECORD_HEAD_BYTES);
  encoded.set(value, RECORD_HEAD_BYTES + key.length);
  return encoded;
}

/** Takes the records out of sections that are given in order. */
export class SectionReader {
  #carried: Uint8Array = new Uint8Array(0);

  /** The records that end in this section. Throws {@link MalformedBytesError}. */
  *read(section: Uint8Array): Generator<StateRecord, void, void> {
    let bytes = section;
    if (this.#carried.length > 0) bytes = Buffer.concat([this.#carried, section]);
    this.#carried = new Uint8Array(0);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let at = 0;
    while (at + RECORD_HEAD_BYTES <= bytes.length) {
      const keyLength = view.getUint32(at);
      const valueLength = view.getUint32(at + 4);
      if (keyLength + valueLength > RECORD_BYTES_MAX) {
        throw new MalformedBytesError('a record is too long');
      }
      const keyStart = at + RECORD_HEAD_BYTES;
      const valueStart = keyStart + keyLength;
      const end = valueStart + valueLength;
      if (end > bytes.length) break;
      yield { key: copy(bytes, keyStart, valueStart), value: copy(bytes, valueStart, end) };
      at = end;
    }
    this.#carried = copy(bytes, at, bytes.length);
  }

  /** Ends the reading; no record may be open. Throws {@link MalformedBytesError}. */
  finish(): void {
    if (this.#carried.length > 0) throw new MalformedBytesError('the last record is incomplete');
  }
}

/** Sums the proof of records up as they pass, and sees to it that their keys ascend. */
export class ProofSum {
  #stateDigest = 0n;
  #recordCount = 0n;
  #lastKey: Uint8Array | undefined;

  /** Throws {@link MalformedBytesError} when a key does not come after the one before. */
  add({ key, value }: StateRecord): void {
    if (this.#lastKey !== undefined && Buffer.compare(this.#lastKey, key) >= 0) {
      throw new MalformedBytesError('records are not in order');
    }
    this.#lastKey = key;
    this.#stateDigest = moveStateDigest(this.#stateDigest, 0n, recordDigest(key, value));
    this.#recordCount += 1n;
  }

  equals(proof: StateProof): boolean {
    return this.#stateDigest === proof.stateDigest && this.#recordCount === proof.recordCount;
  }
}

/** Not `slice`: on a Buffer that is a view of the same memory. */
function copy(bytes: Uint8Array, from: number, to: number): Uint8Array {
  return new Uint8Array(bytes.subarray(from, to));
}
