/** Length of a leading UTF-8 byte order mark, or the name of another encoding that is marked. */
export function readByteOrderMark(
  bytes: Uint8Array,
  start: number,
  end: number,
): number | 'UTF-16BE' | 'UTF-16LE' | 'UTF-32BE' | 'UTF-32LE' {
  const length = end - start;
  const [a, b, c, d] = bytes.subarray(start, Math.min(end, start + 4));
  if (length >= 3 && a === 0xef && b === 0xbb && c === 0xbf) return 3;
  if (length >= 4 && a === 0xff && b === 0xfe && c === 0 && d === 0) return 'UTF-32LE';
  if (length >= 4 && a === 0 && b === 0 && c === 0xfe && d === 0xff) return 'UTF-32BE';
  if (length >= 2 && a === 0xff && b === 0xfe) return 'UTF-16LE';
  if (length >= 2 && a === 0xfe && b === 0xff) return 'UTF-16BE';
  return 0;
}
