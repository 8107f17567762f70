import { isUtf8 } from 'node:buffer';

/** Bytes of a file as text, or where they are none. */
export type Utf8Text =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'invalid'; readonly offset: number };

const REPLACEMENT = '\ufffd';
const REPLACEMENT_BYTES: Buffer = Buffer.from(REPLACEMENT);

/** Decodes UTF-8 strictly; a byte order mark at the start is dropped, unless it is to be kept. */
export function decodeUtf8(bytes: Buffer, mark: 'drop' | 'keep' = 'drop'): Utf8Text {
  const text = bytes.toString('utf8');
  if (!isUtf8(bytes)) return { kind: 'invalid', offset: firstInvalid(bytes, text) };
  const isDropped = mark === 'drop' && text.startsWith('\ufeff');
  return { kind: 'text', text: isDropped ? text.slice(1) : text };
}

/** Offset of the first byte for which the decoder put a replacement that the text does not hold. */
function firstInvalid(bytes: Buffer, text: string): number {
  let offset = 0;
  let from = 0;
  for (;;) {
    const at = text.indexOf(REPLACEMENT, from);
    if (at < 0) return offset;
    offset += Buffer.byteLength(text.slice(from, at));
    const length = REPLACEMENT_BYTES.length;
    if (!bytes.subarray(offset, offset + length).equals(REPLACEMENT_BYTES)) return offset;
    offset += length;
    from = at + 1;
  }
}
