import { readBase64Into } from '../column/base64.js';
import { encodeText } from '../column/text.js';

const HEX: readonly string[] = Array.from({ length: 256 }, (_, byte) =>
  byte.toString(16).padStart(2, '0'),
);
const HEX_TEXT = /^(?:[0-9a-fA-F]{2})*$/;

/** Lower-case hexadecimal. */
export function printHex(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += HEX[byte];
  return text;
}

/** Bytes of an even number of hexadecimal digits in either case; undefined for other texts. */
export function readHex(text: string): Uint8Array | undefined {
  if (!HEX_TEXT.test(text)) return undefined;
  const bytes = new Uint8Array(text.length / 2);
  for (let index = 0; index < bytes.length; index += 1) {
    bytes[index] = Number.parseInt(text.slice(index * 2, index * 2 + 2), 16);
  }
  return bytes;
}

/** Bytes of canonical padded Base64; undefined for other texts. */
export function readBase64(text: string): Uint8Array | undefined {
  const encoded = encodeText(text);
  const bytes = new Uint8Array((encoded.length / 4) * 3);
  const length = readBase64Into(encoded, 0, encoded.length, bytes, 0);
  return length < 0 ? undefined : bytes.slice(0, length);
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Text of bytes that are UTF-8 throughout, a byte order mark kept; undefined for others. */
export function readUtf8(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
}
