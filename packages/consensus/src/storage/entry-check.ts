import { crc32 } from 'node:zlib';
import { CHAIN_BYTES } from '../raft/entry.ts';
import { ENTRY_HEAD_BYTES } from './entry-codec.ts';
import { ENTRY_KEY_BYTES } from './level-keys.ts';
import { FRAME_BYTES, FRAME_HEAD_BYTES, RECORD_KIND, RECORD_VERSION } from './record-frame.ts';

const CAPACITY_MIN = 65_536;
const VALUE_AT = ENTRY_KEY_BYTES;
const HEAD_AT = VALUE_AT + FRAME_HEAD_BYTES;
const CHAIN_AT = HEAD_AT + 17;
const PAYLOAD_AT = HEAD_AT + ENTRY_HEAD_BYTES;

/**
 * Looks at stored entries one after the other in a single buffer, because a log of a million
 * entries is read at every opening. It only says whether an entry is whole; whoever has to know
 * what is wrong decodes it step by step.
 */
export class EntryCheck {
  #bytes = new Uint8Array(CAPACITY_MIN);
  #view = new DataView(this.#bytes.buffer);
  #payloadLength = 0;

  /** Takes an entry over. `false` unless it is as it was written. */
  load(key: Uint8Array, value: Uint8Array): boolean {
    if (!this.place(key, value)) return false;
    const end = VALUE_AT + value.length - 4;
    return this.#view.getUint32(end) === crc32(this.#bytes.subarray(0, end));
  }

  /** Takes an entry over whose checksum is compared elsewhere. `false` when its form is wrong. */
  place(key: Uint8Array, value: Uint8Array): boolean {
    const end = VALUE_AT + value.length;
    if (key.length !== ENTRY_KEY_BYTES || end < PAYLOAD_AT + 4) return false;
    if (end > this.#bytes.length) this.#grow(end);
    const bytes = this.#bytes;
    const view = this.#view;
    bytes.set(key);
    bytes.set(value, VALUE_AT);
    this.#payloadLength = end - 4 - PAYLOAD_AT;
    return (
      bytes[VALUE_AT] === RECORD_KIND.entry &&
      bytes[VALUE_AT + 1] === RECORD_VERSION &&
      view.getUint32(VALUE_AT + 2) === value.length - FRAME_BYTES &&
      view.getUint32(PAYLOAD_AT - 4) === this.#payloadLength &&
      view.getBigUint64(1) === view.getBigUint64(HEAD_AT + 8)
    );
  }

  #grow(needed: number): void {
    this.#bytes = new Uint8Array(Math.max(needed, 2 * this.#bytes.length));
    this.#view = new DataView(this.#bytes.buffer);
  }

  get term(): bigint {
    return this.#view.getBigUint64(HEAD_AT);
  }

  get index(): bigint {
    return this.#view.getBigUint64(HEAD_AT + 8);
  }

  /** Stored number of the kind. */
  get kindCode(): number {
    return this.#view.getUint8(HEAD_AT + 16);
  }

  /** Valid until the next entry is taken over. */
  get chain(): Uint8Array {
    return this.#bytes.subarray(CHAIN_AT, CHAIN_AT + CHAIN_BYTES);
  }

  get payloadLength(): number {
    return this.#payloadLength;
  }

  /** Valid until the next entry is taken over. */
  get payload(): Uint8Array {
    return this.#bytes.subarray(PAYLOAD_AT, PAYLOAD_AT + this.#payloadLength);
  }
}
