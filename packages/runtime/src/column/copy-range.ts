const LOOP_BYTES_MAX = 48;

/** Copies a byte range; short ones in a loop, which beats making a view. */
// biome-ignore lint/complexity/useMaxParams: a parameter object would cost an allocation a row.
export function copyRange(
  source: Uint8Array,
  start: number,
  end: number,
  target: Uint8Array,
  at: number,
): void {
  if (end - start <= LOOP_BYTES_MAX) {
    let to = at;
    for (let from = start; from < end; from += 1) target[to++] = source[from] as number;
    return;
  }
  target.set(source.subarray(start, end), at);
}
