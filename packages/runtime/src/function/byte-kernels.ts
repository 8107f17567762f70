import { sha256 } from '@noble/hashes/sha2.js';
import { printBase64 } from '../column/base64.js';
import { COLUMN_BYTES_MAX } from '../column/column-builder.js';
import { encodeText } from '../column/text.js';
import { overflow, RowFault } from '../program/row-fault.js';
import { type KernelFamily, plain } from './kernel.js';
import { printHex, readBase64, readHex, readUtf8 } from './octets.js';
import { TEXT_BYTES_MAX } from './text-functions.js';
import { xxh3 } from './xxh3.js';

/** Kernels of the functions over BYTES. */
export const BYTE_KERNELS: KernelFamily = {
  bytes_from_utf8: plain((text: string) => encodeText(text)),
  bytes_to_utf8: plain((bytes: Uint8Array) => {
    const text = readUtf8(bytes);
    if (text === undefined) throw castFailed('bytes_to_utf8 input is not valid UTF-8');
    return text;
  }),
  base64_encode: plain((bytes: Uint8Array) => {
    checkEncoded(Math.ceil(bytes.length / 3) * 4, 'base64_encode');
    return printBase64(bytes);
  }),
  base64_decode: plain((text: string) => decoded(readBase64(text), 'base64_decode')),
  hex_encode: plain((bytes: Uint8Array) => {
    checkEncoded(bytes.length * 2, 'hex_encode');
    return printHex(bytes);
  }),
  hex_decode: plain((text: string) => decoded(readHex(text), 'hex_decode')),
  sha256: plain((bytes: Uint8Array) => sha256(bytes)),
  xxh3_64: plain((bytes: Uint8Array) => xxh3(bytes)),
};

function castFailed(detail: string): RowFault {
  return new RowFault('cast_failed', detail);
}

function decoded(bytes: Uint8Array | undefined, name: string): Uint8Array {
  if (bytes === undefined) throw castFailed(`${name} input is not valid encoded bytes`);
  return bytes;
}

function checkEncoded(length: number, name: string): void {
  if (length > Math.min(COLUMN_BYTES_MAX, TEXT_BYTES_MAX)) {
    throw overflow(`${name} result exceeds the bytes one column holds`);
  }
}
