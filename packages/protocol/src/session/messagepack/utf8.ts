const CONTINUATION_MASK = 0xc0;
const CONTINUATION = 0x80;

/**
 * Whether a range of bytes is valid UTF-8 (RFC 3629): shortest forms only, no surrogates, nothing
 * above U+10FFFF. Allocates nothing.
 */
export function isUtf8(bytes: Uint8Array, start: number, end: number): boolean {
  let at = start;
  while (at < end) {
    const lead = bytes[at] ?? 0;
    if (lead < 0x80) {
      at += 1;
      continue;
    }
    const length = sequenceLength(lead);
    if (length === 0 || at + length > end) return false;
    const second = bytes[at + 1] ?? 0;
    if (second < lowestSecond(lead) || second > highestSecond(lead)) return false;
    for (let index = at + 2; index < at + length; index += 1) {
      if (((bytes[index] ?? 0) & CONTINUATION_MASK) !== CONTINUATION) return false;
    }
    at += length;
  }
  return true;
}

/** Bytes of the sequence that a byte begins, or 0 when it begins none. */
function sequenceLength(lead: number): number {
  if (lead < 0xc2 || lead > 0xf4) return 0;
  if (lead < 0xe0) return 2;
  return lead < 0xf0 ? 3 : 4;
}

/** Overlong forms have a second byte below this. */
function lowestSecond(lead: number): number {
  if (lead === 0xe0) return 0xa0;
  return lead === 0xf0 ? 0x90 : 0x80;
}

/** Surrogates, and what lies above Unicode, have a second byte above this. */
function highestSecond(lead: number): number {
  if (lead === 0xed) return 0x9f;
  return lead === 0xf4 ? 0x8f : 0xbf;
}
