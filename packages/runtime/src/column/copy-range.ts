const LOOP_BYTES_MAX = 15;
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

/** Copies a byte range, in the way that is fastest for its length. */
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
    return;
  }
  let from = start;
  if (length > LOOP_BYTES_MAX) {
    from = copyWords(sources.of(source), start, end, targets.of(target), at - start);
  }
  let to = at + from - start;
  for (; from < end; from += 1) target[to++] = source[from] as number;
}

/** Copies whole words and returns the position of the first byte that is left. */
// biome-ignore lint/complexity/useMaxParams: a parameter object would cost an allocation a row.
function copyWords(
  source: DataView,
  start: number,
  end: number,
  target: DataView,
  shift: number,
): number {
  let from = start;
  for (const last = end - 8; from <= last; from += 8) {
    target.setInt32(from + shift, source.getInt32(from, true), true);
    target.setInt32(from + shift + 4, source.getInt32(from + 4, true), true);
  }
  return from;
}
