import { invalidStream } from './archive-fault.js';

/** Bytes that a tar archive consists of multiples of. */
export const BLOCK_BYTES = 512;

/** What a header block says of what follows it. */
export interface TarHeader {
  /** As written; bytes that are no UTF-8 come out as U+FFFD. */
  readonly path: string;
  /** Bytes; undefined where the field holds no number of bytes. */
  readonly size: number | undefined;
  /** Type flag, one character; `\0` for archives from before there were any. */
  readonly type: string;
}

/** Where a field stands in a header block, in bytes. */
const FIELDS = {
  path: [0, 100],
  size: [124, 136],
  checksum: [148, 156],
  type: [156, 157],
  magic: [257, 263],
  prefix: [345, 500],
} as const;

const text = new TextDecoder('utf-8', { ignoreBOM: true });

/** A block without content, two of which end an archive. */
export function isZeroBlock(block: Uint8Array): boolean {
  return block.every((byte) => byte === 0);
}

/**
 * Reads a header block of POSIX.1-1988 (ustar) or its forerunners.
 *
 * @throws ArchiveFault for bytes that are no header
 */
export function readTarHeader(block: Uint8Array): TarHeader {
  const field = (name: keyof typeof FIELDS): Uint8Array => block.subarray(...FIELDS[name]);
  if (readNumber(field('checksum')) !== checksumOf(block)) {
    throw invalidStream('this is no tar archive: the checksum of a header is wrong');
  }
  const name = terminated(field('path'));
  // The form of GNU keeps other things where ustar has the prefix; it ends its magic with a space.
  const prefix = text.decode(field('magic')) === 'ustar\0' ? terminated(field('prefix')) : '';
  return {
    path: prefix === '' ? name : `${prefix}/${name}`,
    size: readNumber(field('size')),
    type: String.fromCharCode(...field('type')),
  };
}

/** Text up to the first NUL, or as long as the field. */
function terminated(field: Uint8Array): string {
  const end = field.indexOf(0);
  return text.decode(end < 0 ? field : field.subarray(0, end));
}

/** Octal digits, or the binary form of GNU for what those have no room for. */
function readNumber(field: Uint8Array): number | undefined {
  if (field[0] === 0x80) return safe(field.subarray(1).reduce((sum, byte) => sum * 256 + byte, 0));
  const digits = /^ *([0-7]*)[ \0]*$/u.exec(String.fromCharCode(...field))?.[1];
  return digits === undefined ? undefined : safe(Number.parseInt(`0${digits}`, 8));
}

function safe(value: number): number | undefined {
  return Number.isSafeInteger(value) ? value : undefined;
}

/** The sum of all bytes, with spaces where the sum itself stands. */
function checksumOf(block: Uint8Array): number {
  const [start, end] = FIELDS.checksum;
  let sum = (end - start) * 0x20;
  for (const [index, byte] of block.entries()) {
    if (index < start || index >= end) sum += byte;
  }
  return sum;
}
