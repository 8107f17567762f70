const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const SEXTETS = new Int8Array(256).fill(-1);
for (let index = 0; index < 64; index += 1) SEXTETS[ALPHABET.charCodeAt(index)] = index;

/** Padded standard base64 of bytes. */
export function printBase64(bytes: Uint8Array): string {
  if (typeof Buffer === 'function') {
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  }
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) text += printGroup(bytes, at);
  return text;
}

/** Four characters of up to three bytes. */
function printGroup(bytes: Uint8Array, at: number): string {
  const length = Math.min(bytes.length - at, 3);
  const group = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
  const sextets = [group >>> 18, (group >>> 12) & 63, (group >>> 6) & 63, group & 63];
  return sextets
    .map((sextet, index) => (index <= length ? (ALPHABET[sextet] ?? '') : '='))
    .join('');
}

/**
 * Decodes canonical padded base64 in `text[start..end)` to `target` from `at`.
 *
 * @returns bytes written, or -1 when the text is not canonical
 */
// biome-ignore lint/complexity/useMaxParams: a parameter object would cost an allocation a row.
export function readBase64Into(
  text: Uint8Array,
  start: number,
  end: number,
  target: Uint8Array,
  at: number,
): number {
  const length = end - start;
  if (length % 4 !== 0) return -1;
  if (length === 0) return 0;
  const padding = text[end - 1] !== 0x3d ? 0 : text[end - 2] !== 0x3d ? 1 : 2;
  const stop = end - padding;
  let group = 0;
  let count = 0;
  let to = at;
  for (let from = start; from < stop; from += 1) {
    const sextet = SEXTETS[text[from] as number] as number;
    if (sextet < 0) return -1;
    group = (group << 6) | sextet;
    count += 1;
    if (count === 4) {
      target[to] = group >>> 16;
      target[to + 1] = group >>> 8;
      target[to + 2] = group;
      to += 3;
      group = 0;
      count = 0;
    }
  }
  if (padding === 1) {
    if ((group & 3) !== 0) return -1;
    target[to] = group >>> 10;
    target[to + 1] = group >>> 2;
    to += 2;
  } else if (padding === 2) {
    if ((group & 15) !== 0) return -1;
    target[to] = group >>> 4;
    to += 1;
  }
  return to - at;
}
