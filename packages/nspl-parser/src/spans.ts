import type { SourceSpan, SpanLookup } from '@nervix/model';
import type { IToken } from 'chevrotain';

const BLOCK = 256;

/** A half-open range of UTF-16 offsets. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** Converts UTF-16 ranges into ranges of UTF-8 bytes. */
interface RangeOffsets {
  span(start: number, end: number): SourceSpan;
}

/** Converts UTF-16 offsets of one text into UTF-8 byte offsets and back. */
export class ByteOffsets implements RangeOffsets {
  /** Empty for a text of ASCII characters, which need not be looked at again. */
  readonly #text: string;
  readonly #length: number;
  readonly #isAscii: boolean;
  /** Byte offset at every {@link BLOCK}th code unit; built when first asked for. */
  #blocks: Uint32Array | undefined;

  constructor(text: string) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the ASCII range is meant.
    this.#isAscii = !/[^\u0000-\u007f]/u.test(text);
    // The engine keeps the text that matched last.
    if (!this.#isAscii) /^/u.test('');
    this.#text = this.#isAscii ? '' : text;
    this.#length = text.length;
  }

  /** Byte offset of a UTF-16 offset between 0 and the length of the text. */
  at(offset: number): number {
    if (this.#isAscii) return offset;
    this.#blocks ??= blockOffsets(this.#text);
    const block = Math.floor(offset / BLOCK);
    let bytes = this.#blocks[block] ?? 0;
    for (let index = block * BLOCK; index < offset; index += 1) {
      bytes += byteLength(this.#text, index);
    }
    return bytes;
  }

  /** UTF-16 offset of a byte offset; one inside a character becomes that character's start. */
  codeUnitAt(byteOffset: number): number {
    if (this.#isAscii) return Math.min(Math.max(byteOffset, 0), this.#length);
    const text = this.#text;
    this.#blocks ??= blockOffsets(text);
    let index = blockBefore(this.#blocks, byteOffset) * BLOCK;
    let bytes = this.#blocks[index / BLOCK] ?? 0;
    while (index < text.length) {
      bytes += byteLength(text, index);
      if (bytes > byteOffset) break;
      index += 1;
    }
    // The first half of a surrogate pair counts two bytes but is no place to stop behind.
    const isInPair = isHigh(text.charCodeAt(index - 1)) && isLow(text.charCodeAt(index));
    return isInPair ? index - 1 : index;
  }

  /** Byte range of a UTF-16 range. */
  span(start: number, end: number): SourceSpan {
    return { start: this.at(start), end: this.at(end) };
  }

  /** The same for ranges inside the part that begins at `start`, without the rest of the text. */
  within(start: number, part: string): RangeOffsets {
    if (this.#isAscii) return this;
    const base = this.at(start);
    const inner = new ByteOffsets(part);
    return {
      span: (from, to) => ({
        start: base + inner.at(from - start),
        end: base + inner.at(to - start),
      }),
    };
  }
}

/** Bytes that a code unit adds: a surrogate pair has two in each half. */
function byteLength(text: string, index: number): number {
  const code = text.charCodeAt(index);
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  if (code < 0xd800 || code > 0xdfff) return 3;
  if (code <= 0xdbff) return isLow(text.charCodeAt(index + 1)) ? 2 : 3;
  return isHigh(text.charCodeAt(index - 1)) ? 2 : 3;
}

function isHigh(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

function isLow(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

function blockOffsets(text: string): Uint32Array {
  const blocks = new Uint32Array(Math.floor(text.length / BLOCK) + 1);
  let bytes = 0;
  for (let index = 0; index < text.length; index += 1) {
    if (index % BLOCK === 0) blocks[index / BLOCK] = bytes;
    bytes += byteLength(text, index);
  }
  if (text.length % BLOCK === 0) blocks[text.length / BLOCK] = bytes;
  return blocks;
}

/** Index of the last block that begins at or before a byte offset. */
function blockBefore(blocks: Uint32Array, byteOffset: number): number {
  let low = 0;
  let high = blocks.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((blocks[middle] ?? 0) <= byteOffset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Number of bytes of a text in UTF-8. */
export function utf8Length(text: string): number {
  return new ByteOffsets(text).at(text.length);
}

/** A word that names something, and the label of the slot it fills; offsets are UTF-16. */
export interface NameNote {
  readonly label: string;
  readonly start: number;
  readonly end: number;
}

/** Spans of the nodes of one statement; the index is built when it is first used. */
export class NodeSpans implements SpanLookup {
  readonly #nodes: object[] = [];
  readonly #offsets: number[] = [];
  #bytes: RangeOffsets | undefined;
  readonly #names: NameNote[] | undefined;
  #index: Map<object, number> | undefined;

  /** @param names collects the names that are read, also those before a refusal */
  constructor(bytes?: ByteOffsets, names?: NameNote[]) {
    this.#bytes = bytes;
    this.#names = names;
  }

  /** Gives up the text but for the part that all nodes stand in. */
  confine(bytes: ByteOffsets, start: number, part: string): void {
    this.#bytes = bytes.within(start, part);
  }

  /** Notes a node's UTF-16 range; a later note for the same node wins. */
  note(node: object, start: number, end: number): void {
    this.#nodes.push(node);
    this.#offsets.push(start, end);
  }

  /** Notes a name that is one token. */
  noteName(label: string, token: IToken): void {
    this.#names?.push({
      label,
      start: token.startOffset,
      end: token.startOffset + token.image.length,
    });
  }

  spanOf(node: object): SourceSpan | undefined {
    this.#index ??= new Map(this.#nodes.map((known, index) => [known, index]));
    const index = this.#index.get(node);
    if (index === undefined || this.#bytes === undefined) return undefined;
    return this.#bytes.span(this.#offsets[2 * index] ?? 0, this.#offsets[2 * index + 1] ?? 0);
  }
}
