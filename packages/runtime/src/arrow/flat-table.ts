import { decodeText } from '../column/text.js';
import { ArrowDefect } from './arrow-defect.js';
import { STRUCT_BYTES } from './arrow-format.js';

/**
 * A table of a FlatBuffers message, read with every position checked: messages come from outside, and
 * the library that writes them does not check what it reads.
 */
export class FlatTable {
  readonly #view: DataView;
  readonly #at: number;
  readonly #slots: number;
  readonly #slotBytes: number;

  /** @throws RangeError when the message does not hold what it refers to, as all methods do */
  constructor(view: DataView, at: number) {
    this.#view = view;
    this.#at = at;
    this.#slots = at - view.getInt32(at, true);
    this.#slotBytes = view.getUint16(this.#slots, true);
  }

  /** The table that a message begins with a reference to. */
  static root(view: DataView): FlatTable {
    return new FlatTable(view, view.getUint32(0, true));
  }

  /** Position of a field's value; 0 when the table leaves it out. */
  #position(slot: number): number {
    const entry = 4 + slot * 2;
    if (entry + 2 > this.#slotBytes) return 0;
    const offset = this.#view.getUint16(this.#slots + entry, true);
    return offset === 0 ? 0 : this.#at + offset;
  }

  /** Position that a reference leads to; 0 when it is left out. */
  #reference(slot: number): number {
    const at = this.#position(slot);
    return at === 0 ? 0 : at + this.#view.getUint32(at, true);
  }

  int8(slot: number): number {
    const at = this.#position(slot);
    return at === 0 ? 0 : this.#view.getInt8(at);
  }

  int16(slot: number): number {
    const at = this.#position(slot);
    return at === 0 ? 0 : this.#view.getInt16(at, true);
  }

  int32(slot: number): number {
    const at = this.#position(slot);
    return at === 0 ? 0 : this.#view.getInt32(at, true);
  }

  int64(slot: number): bigint {
    const at = this.#position(slot);
    return at === 0 ? 0n : this.#view.getBigInt64(at, true);
  }

  /** A 64-bit length or position, which must be one of this machine. */
  length(slot: number): number {
    return exactLength(this.int64(slot));
  }

  table(slot: number): FlatTable | null {
    const at = this.#reference(slot);
    return at === 0 ? null : new FlatTable(this.#view, at);
  }

  text(slot: number): string | null {
    const at = this.#reference(slot);
    if (at === 0) return null;
    const length = this.#view.getUint32(at, true);
    const bytes = new Uint8Array(this.#view.buffer, this.#view.byteOffset, this.#view.byteLength);
    if (at + 4 + length > bytes.length) throw new RangeError('text outside the message');
    return decodeText(bytes, at + 4, at + 4 + length);
  }

  tables(slot: number): FlatTable[] {
    const at = this.#reference(slot);
    const count = at === 0 ? 0 : this.#count(at, 4);
    return Array.from({ length: count }, (_, index) => {
      const element = at + 4 + index * 4;
      return new FlatTable(this.#view, element + this.#view.getUint32(element, true));
    });
  }

  /** Structs of two 64-bit lengths. */
  pairs(slot: number): (readonly [first: number, second: number])[] {
    const at = this.#reference(slot);
    const count = at === 0 ? 0 : this.#count(at, STRUCT_BYTES);
    return Array.from({ length: count }, (_, index) => {
      const element = at + 4 + index * STRUCT_BYTES;
      return [
        exactLength(this.#view.getBigInt64(element, true)),
        exactLength(this.#view.getBigInt64(element + 8, true)),
      ] as const;
    });
  }

  /** Elements of a vector, which the message must have room for. */
  #count(at: number, elementBytes: number): number {
    const count = this.#view.getUint32(at, true);
    if (at + 4 + count * elementBytes > this.#view.byteLength) {
      throw new RangeError('vector outside the message');
    }
    return count;
  }
}

function exactLength(value: bigint): number {
  if (value < 0n || value > BigInt(Number.MAX_SAFE_INTEGER)) {
    throw new ArrowDefect('a length is no length');
  }
  return Number(value);
}
