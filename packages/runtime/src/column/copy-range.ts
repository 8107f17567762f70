const BYTES_MIN = 4;
const WORDS_MIN = 8;
const WORDS_BYTES_MAX = 192;
const NONE = new Uint8Array(0);

/** The view of the buffer used last, for a caller that uses few buffers many times each. */
export class ViewCache {
  #bytes: Uint8Array = NONE;
  #view: DataView = new DataView(NONE.buffer);

  of(bytes: Uint8Array): DataView {
    if (bytes !== this.#bytes) {
      this.#bytes = bytes;
      this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    }
    return this.#view;
  }
}

const sources = new ViewCache();
const targets = new ViewCache();

/** Copies a byte range, in the way that is fastest for its length. The ranges do not overlap. */
// biome-ignore lint/complexity/useMaxParams: a parameter object would cost an allocation a row.
export function copyRange(
  source: Uint8Array,
  start: number,
  end: number,
  target: Uint8Array,
  at: number,
): void {
  const length = end - start;
  if (length > WORDS_BYTES_MAX) {
    target.set(source.subarray(start, end), at);
  } else if (length >= BYTES_MIN) {
    copyWords(sources.of(source), start, end, targets.of(target), at - start);
  } else {
    let to = at;
    for (let from = start; from < end; from += 1) target[to++] = source[from] as number;
  }
}

/** Copies whole words, of which the last one may cover a part of the one before again. */
// biome-ignore lint/complexity/useMaxParams: a parameter object would cost an allocation a row.
function copyWords(
  source: DataView,
  start: number,
  end: number,
  target: DataView,
  shift: number,
): void {
  const last = end - BYTES_MIN;
  let from = start;
  for (const lastWord = end - WORDS_MIN; from <= lastWord; from += WORDS_MIN) {
    target.setInt32(from + shift, source.getInt32(from, true), true);
    target.setInt32(from + shift + 4, source.getInt32(from + 4, true), true);
  }
  if (from < last) target.setInt32(from + shift, source.getInt32(from, true), true);
  target.setInt32(last + shift, source.getInt32(last, true), true);
}
