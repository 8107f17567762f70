import type { SourceSpan, SpanLookup } from '@nervix/model';

const BLOCK = 256;

/** Converts UTF-16 offsets of one text into UTF-8 byte offsets. */
export class ByteOffsets {
  readonly #text: string;
  readonly #isAscii: boolean;
  /** Byte offset at every {@link BLOCK}th code unit; built when first asked for. */
  #blocks: Uint32Array | undefined;

  constructor(text: string) {
    this.#text = text;
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the ASCII range is meant.
    this.#isAscii = !/[^\u0000-\u007f]/u.test(text);
  }

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

  span(start: number, end: number): SourceSpan {
    return { start: this.at(start), end: this.at(end) };
  }
}

/** Bytes that a code unit adds: a surrogate pair has two in each half. */
function byteLength(text: string, index: number): number {
  const code = text.charCodeAt(index);
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  if (code < 0xd800 || code > 0xdfff) return 3;
  if (code <= 0xdbff) return isLow(text.charCodeAt(index + 1)) ? 2 : 3;
  const previous = text.charCodeAt(index - 1);
  return previous >= 0xd800 && previous <= 0xdbff ? 2 : 3;
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

/** Number of bytes of a text in UTF-8. */
export function utf8Length(text: string): number {
  return new ByteOffsets(text).at(text.length);
}

/** Spans of the nodes of one statement; the index is built when it is first used. */
export class NodeSpans implements SpanLookup {
  readonly #nodes: object[] = [];
  readonly #offsets: number[] = [];
  readonly #bytes: ByteOffsets | undefined;
  #index: Map<object, number> | undefined;

  constructor(bytes?: ByteOffsets) {
    this.#bytes = bytes;
  }

  /** Notes a node's UTF-16 range; a later note for the same node wins. */
  note(node: object, start: number, end: number): void {
    this.#nodes.push(node);
    this.#offsets.push(start, end);
  }

  spanOf(node: object): SourceSpan | undefined {
    this.#index ??= new Map(this.#nodes.map((known, index) => [known, index]));
    const index = this.#index.get(node);
    if (index === undefined || this.#bytes === undefined) return undefined;
    return this.#bytes.span(this.#offsets[2 * index] ?? 0, this.#offsets[2 * index + 1] ?? 0);
  }
}
