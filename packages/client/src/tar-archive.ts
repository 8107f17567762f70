import { InvalidOptionsError } from './errors.js';

/** One file, or one folder without files, of what is uploaded. */
export interface UploadFile {
  /** Relative, with slashes. */
  readonly path: string;
  /** The content, such as a `File` of a browser; null for a folder. */
  readonly content: Blob | null;
}

/** A piece of an archive; contents stay where they are until they are sent. */
export type ArchivePart = Blob | Uint8Array<ArrayBuffer>;

const BLOCK = 512;
/** Bytes of a name that fit into a header. */
const NAME_BYTES = 100;
/** Largest size that eleven octal digits tell. */
const SIZE_MAX = 8 ** 11 - 1;
const utf8 = new TextEncoder();

/**
 * The tar archive of files (POSIX.1-2001, with extended headers for what does not fit). The contents
 * are not read here; equal files always give equal bytes.
 *
 * @throws InvalidOptionsError for a path that is not relative, or that two files share
 */
export function tarArchive(files: readonly UploadFile[]): Blob {
  const ordered = [...files].sort((left, right) => (left.path < right.path ? -1 : 1));
  const parts: ArchivePart[] = [header('./', '5', 0)];
  for (const [index, { path, content }] of ordered.entries()) {
    checkPath(path);
    if (path === ordered[index + 1]?.path) {
      throw new InvalidOptionsError(`path '${path}' is given twice`);
    }
    const name = content === null ? `${path}/` : path;
    const size = content?.size ?? 0;
    parts.push(...extendedHeader(name, size), header(name, content === null ? '5' : '0', size));
    if (content !== null) parts.push(content, padding(size));
  }
  parts.push(new Uint8Array(2 * BLOCK));
  return new Blob(parts);
}

function checkPath(path: string): void {
  const names = path.split('/');
  if (names.every((name) => name !== '' && name !== '.' && name !== '..')) return;
  throw new InvalidOptionsError(`path '${path}' is not relative to the uploaded folder`);
}

/** What the plain header has no room for, as an entry before it. */
function extendedHeader(name: string, size: number): readonly ArchivePart[] {
  const records: string[] = [];
  const isPlain = /^[ -~]*$/.test(name) && name.length <= NAME_BYTES;
  if (!isPlain) records.push(record('path', name));
  if (size > SIZE_MAX) records.push(record('size', String(size)));
  if (records.length === 0) return [];
  const body = utf8.encode(records.join(''));
  return [header('pax', 'x', body.length), body, padding(body.length)];
}

/** A record begins with its own length in bytes, the digits of that included. */
function record(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`;
  const bytes = utf8.encode(rest).length;
  let length = bytes + 1;
  while (bytes + String(length).length !== length) length = bytes + String(length).length;
  return `${length}${rest}`;
}

function header(name: string, type: '0' | '5' | 'x', size: number): Uint8Array<ArrayBuffer> {
  const block = new Uint8Array(BLOCK);
  const write = (offset: number, text: string): void => block.set(utf8.encode(text), offset);
  const octal = (value: number, digits: number): string =>
    `${value.toString(8).padStart(digits, '0')}\0`;
  block.set(utf8.encode(name).subarray(0, NAME_BYTES), 0);
  write(100, octal(type === '5' ? 0o755 : 0o644, 7));
  write(108, octal(0, 7));
  write(116, octal(0, 7));
  write(124, octal(Math.min(size, SIZE_MAX), 11));
  write(136, octal(0, 11));
  write(148, ' '.repeat(8));
  write(156, type);
  write(257, 'ustar\x0000');
  const sum = block.reduce((total, byte) => total + byte, 0);
  write(148, `${sum.toString(8).padStart(6, '0')}\0 `);
  return block;
}

function padding(size: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array((BLOCK - (size % BLOCK)) % BLOCK);
}
