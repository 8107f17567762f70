import { ByteOffsets } from './spans.js';

/** A place for people: both numbers count from 1; columns count characters. */
export interface LineColumn {
  readonly line: number;
  readonly column: number;
}

/**
 * Lines of one text. Building it takes one pass; a look-up does not read the text again, so many
 * places of one text are found with one index.
 */
export class LineIndex {
  readonly text: string;
  readonly #bytes: ByteOffsets;
  /** UTF-16 offsets at which lines start, the first one's 0 included. */
  readonly #starts: Uint32Array;
  /** UTF-16 offsets of characters that take two code units. */
  readonly #pairs: Uint32Array;
  #contentEnd: number | undefined;

  constructor(text: string) {
    this.text = text;
    this.#bytes = new ByteOffsets(text);
    this.#starts = lineStarts(text);
    this.#pairs = pairOffsets(text);
  }

  /** UTF-16 offset of a byte offset; one inside a character becomes that character's start. */
  codeUnitAt(byteOffset: number): number {
    return this.#bytes.codeUnitAt(byteOffset);
  }

  /** Line and column of a byte offset. */
  lineColumn(byteOffset: number): LineColumn {
    const offset = this.codeUnitAt(byteOffset);
    const line = this.lineAt(offset);
    const start = this.#starts[line - 1] ?? 0;
    const pairs = countBelow(this.#pairs, offset) - countBelow(this.#pairs, start);
    return { line, column: offset - start - pairs + 1 };
  }

  /** Number of the line that holds a UTF-16 offset; a line break belongs to the line it ends. */
  lineAt(offset: number): number {
    return countBelow(this.#starts, offset + 1);
  }

  /** UTF-16 range of a line without its line break, be it LF or CRLF. */
  lineRange(line: number): { readonly start: number; readonly end: number } {
    const start = this.#starts[line - 1] ?? this.text.length;
    const next = this.#starts[line];
    if (next === undefined) return { start, end: this.text.length };
    const hasReturn = next - 2 >= start && this.text.charCodeAt(next - 2) === 0x0d;
    return { start, end: next - (hasReturn ? 2 : 1) };
  }

  /** UTF-16 offset behind the last character of the text that is no white space. */
  get contentEnd(): number {
    this.#contentEnd ??= this.text.trimEnd().length;
    return this.#contentEnd;
  }
}

/** Line and column of a byte offset; for several places of one text use one {@link LineIndex}. */
export function lineColumn(text: string, byteOffset: number): LineColumn {
  return new LineIndex(text).lineColumn(byteOffset);
}

/** How many of the ascending numbers are below a limit. */
function countBelow(ascending: Uint32Array, limit: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? 0) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

function lineStarts(text: string): Uint32Array {
  let count = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1;
  const starts = new Uint32Array(count);
  let index = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    index += 1;
    starts[index] = at + 1;
  }
  return starts;
}

function pairOffsets(text: string): Uint32Array {
  const offsets: number[] = [];
  // Not by a regular expression: the engine keeps the text that matched last.
  for (let at = 0; at < text.length; at += 1) {
    if ((text.codePointAt(at) ?? 0) <= 0xffff) continue;
    offsets.push(at);
    at += 1;
  }
  return Uint32Array.from(offsets);
}
