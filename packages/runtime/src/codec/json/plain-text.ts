const HIGH_BITS = 0x80808080 | 0;
const ONES = 0x01010101;
const CONTROL_LIMIT = 0x20202020;
const QUOTES = 0x22222222;
const BACKSLASHES = 0x5c5c5c5c;

/**
 * Copies runs of text that JSON writes as they are, four bytes at a time. It remembers the views of
 * the last buffers, which callers use many times.
 */
export class PlainTextCopier {
  /** All ones in the sign bits of bytes when non-ASCII ends a run, else zero. */
  readonly #stopMask: number;
  #source: Uint8Array = new Uint8Array(0);
  #sourceView = new DataView(this.#source.buffer);
  #target: Uint8Array = this.#source;
  #targetView = this.#sourceView;

  constructor(isAsciiOnly: boolean) {
    this.#stopMask = isAsciiOnly ? HIGH_BITS : 0;
  }

  /**
   * Copies whole words from `source[from..end)` to `target` from `at` until one holds a quote, a
   * backslash, a control character or (if so made) a non-ASCII byte.
   *
   * @returns the position of the first byte not copied, at most seven before the byte that stops
   */
  // biome-ignore lint/complexity/useMaxParams: a parameter object would cost an allocation a row.
  copy(source: Uint8Array, from: number, end: number, target: Uint8Array, at: number): number {
    if (source !== this.#source) {
      this.#source = source;
      this.#sourceView = new DataView(source.buffer, source.byteOffset, source.byteLength);
    }
    if (target !== this.#target) {
      this.#target = target;
      this.#targetView = new DataView(target.buffer, target.byteOffset, target.byteLength);
    }
    return copyWords(this.#sourceView, from, end, this.#targetView, at - from, this.#stopMask);
  }
}

/** The loop is a function of its own: code behind a long loop makes the compiler give it up. */
// biome-ignore lint/complexity/useMaxParams: a parameter object would cost an allocation a row.
function copyWords(
  source: DataView,
  from: number,
  end: number,
  target: DataView,
  shift: number,
  stopMask: number,
): number {
  let position = from;
  for (const last = end - 8; position <= last; position += 8) {
    const first = source.getInt32(position, true);
    const second = source.getInt32(position + 4, true);
    const isStopped = (stopsIn(first) | stopsIn(second)) & HIGH_BITS;
    if ((isStopped | ((first | second) & stopMask)) !== 0) break;
    target.setInt32(position + shift, first, true);
    target.setInt32(position + shift + 4, second, true);
  }
  for (const last = end - 4; position <= last; position += 4) {
    const word = source.getInt32(position, true);
    if (((stopsIn(word) & HIGH_BITS) | (word & stopMask)) !== 0) return position;
    target.setInt32(position + shift, word, true);
  }
  return position;
}

/**
 * Has the high bit of a byte set when the byte is a quote, a backslash or a control character. Bytes
 * behind one that is may be told wrongly, and so may those with a high bit of their own.
 */
function stopsIn(word: number): number {
  const quote = word ^ QUOTES;
  const backslash = word ^ BACKSLASHES;
  return (
    ((word - CONTROL_LIMIT) & ~word) | ((quote - ONES) & ~quote) | ((backslash - ONES) & ~backslash)
  );
}
