import { newBuffer } from '../column/buffer-pool.js';
import type { BinaryColumn } from '../column/column.js';
import { copyRange } from '../column/copy-range.js';
import { decodeText, encodeTextInto } from '../column/text.js';
import { FROM_LOWER_A, FROM_UPPER_A, HIGH_BITS, PAST_LOWER_Z, PAST_UPPER_Z } from './byte-text.js';

const LOW_BITS = 0x7f7f7f7f;

/** Bytes of a block, for each of which is kept whether it is all ASCII. */
const BLOCK_WORDS = 16;
const BLOCK_SHIFT = 6;

/** Room for a text that the host mapped. */
const SCRATCH_BYTES = 1024;

/** A column whose texts are to be mapped. */
export interface MappedTexts {
  /** The texts as they are, from the front of bytes that are free to be written over. */
  readonly texts: BinaryColumn;
  readonly isUpper: boolean;
  /** The unmapped text of a row. */
  readonly textOf: (row: number) => string;
}

/** A copy of a column whose bytes are free to be written over. */
export function copiedTexts(column: BinaryColumn): BinaryColumn {
  const first = column.offsets[0] as number;
  const size = (column.offsets[column.length] as number) - first;
  const bytes = new Uint8Array(newBuffer(size), 0, size);
  bytes.set(column.bytes.subarray(first, first + size));
  const offsets = new Int32Array(newBuffer((column.length + 1) * 4), 0, column.length + 1);
  for (let row = 0; row <= column.length; row += 1) {
    offsets[row] = (column.offsets[row] as number) - first;
  }
  return { ...column, offsets, bytes };
}

/**
 * `upper` or `lower` of a whole column: ASCII by words across the texts, then by the host those that
 * hold other characters, whose lengths may change.
 */
export function mapCaseOfColumn({ texts, isUpper, textOf }: MappedTexts): BinaryColumn {
  const { bytes } = texts;
  const wordCount = bytes.length >>> 2;
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, wordCount);
  const blocks = new Uint8Array((bytes.length >>> BLOCK_SHIFT) + 1);
  let hasOther = false;
  for (let block = 0; block * BLOCK_WORDS < wordCount; block += 1) {
    const start = block * BLOCK_WORDS;
    const end = Math.min(start + BLOCK_WORDS, wordCount);
    if ((mapWords(words, start, end, isUpper) & HIGH_BITS) === 0) continue;
    blocks[block] = 1;
    hasOther = true;
  }
  for (let at = wordCount << 2; at < bytes.length; at += 1) {
    const byte = bytes[at] as number;
    if ((byte - (isUpper ? 0x61 : 0x41)) >>> 0 < 26) bytes[at] = byte ^ 0x20;
    if (byte < 0x80) continue;
    blocks[at >>> BLOCK_SHIFT] = 1;
    hasOther = true;
  }
  return hasOther ? mapOthers({ texts, isUpper, textOf }, blocks) : texts;
}

/** Maps the ASCII letters in some words, and gives the bits that any word has. */
function mapWords(words: Int32Array, start: number, end: number, isUpper: boolean): number {
  const from = isUpper ? FROM_LOWER_A : FROM_UPPER_A;
  const past = isUpper ? PAST_LOWER_Z : PAST_UPPER_Z;
  let seen = 0;
  for (let at = start; at < end; at += 1) {
    const word = words[at] as number;
    const low = word & LOW_BITS;
    const letters = ((low + from) ^ (low + past)) & ~word & HIGH_BITS;
    words[at] = word ^ (letters >>> 2);
    seen |= word;
  }
  return seen;
}

/** Maps the texts in which other characters are, of which those are that lie in marked blocks. */
function mapOthers({ texts, isUpper, textOf }: MappedTexts, blocks: Uint8Array): BinaryColumn {
  const { offsets, bytes } = texts;
  const rows: number[] = [];
  const mapped: Uint8Array[] = [];
  let growth = 0;
  let scratch = new Uint8Array(SCRATCH_BYTES);
  for (let row = 0; row < texts.length; row += 1) {
    const start = offsets[row] as number;
    const end = offsets[row + 1] as number;
    if (!isMarked(blocks, start, end) || isAscii(bytes, start, end)) continue;
    const text = textOf(row);
    const made = isUpper ? text.toUpperCase() : text.toLowerCase();
    if (scratch.length < made.length * 3) scratch = new Uint8Array(made.length * 3);
    const size = encodeTextInto(made, scratch, 0);
    if (size === end - start) {
      copyRange(scratch, 0, size, bytes, start);
      continue;
    }
    rows.push(row);
    mapped.push(scratch.slice(0, size));
    growth += size - (end - start);
  }
  return rows.length === 0 ? texts : replaced(texts, { rows, mapped, growth });
}

function isMarked(blocks: Uint8Array, start: number, end: number): boolean {
  for (let block = start >>> BLOCK_SHIFT; block << BLOCK_SHIFT < end; block += 1) {
    if (blocks[block] !== 0) return true;
  }
  return false;
}

function isAscii(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) if ((bytes[at] as number) >= 0x80) return false;
  return true;
}

/** The column with other texts, of other lengths, in some rows. */
function replaced(
  texts: BinaryColumn,
  changes: {
    readonly rows: readonly number[];
    readonly mapped: readonly Uint8Array[];
    readonly growth: number;
  },
): BinaryColumn {
  const { rows, mapped, growth } = changes;
  const size = texts.bytes.length + growth;
  const bytes = new Uint8Array(newBuffer(size), 0, size);
  const offsets = new Int32Array(newBuffer((texts.length + 1) * 4), 0, texts.length + 1);
  let row = 0;
  let shift = 0;
  // Everything between two changed rows moves at once.
  const moveUpTo = (end: number): void => {
    const [from, to] = [texts.offsets[row] as number, texts.offsets[end] as number];
    bytes.set(texts.bytes.subarray(from, to), from + shift);
    for (; row < end; row += 1) offsets[row] = (texts.offsets[row] as number) + shift;
  };
  rows.forEach((changed, index) => {
    moveUpTo(changed);
    const text = mapped[index] as Uint8Array;
    const start = texts.offsets[changed] as number;
    offsets[changed] = start + shift;
    bytes.set(text, start + shift);
    shift += text.length - ((texts.offsets[changed + 1] as number) - start);
    row = changed + 1;
  });
  moveUpTo(texts.length);
  offsets[texts.length] = size;
  return { ...texts, offsets, bytes };
}

/** The text of a row of a column. */
export function textAt({ bytes, offsets }: BinaryColumn, row: number): string {
  return decodeText(bytes, offsets[row] as number, offsets[row + 1] as number);
}
