import { Header, Pax } from 'tar';

/** One entry of an archive that a test writes. */
export interface TarEntry {
  readonly path: string;
  readonly content?: string | Uint8Array;
  /** `File`, or `Directory` for a path that ends with a slash. */
  readonly type?: 'File' | 'Directory' | 'SymbolicLink' | 'Link' | 'CharacterDevice' | 'FIFO';
  readonly linkpath?: string;
  /** Says another size than the content has. */
  readonly claimedSize?: number;
  /** Type as its byte, for kinds that have no name. */
  readonly typeByte?: string;
  /** Records of an extended header before it, in order. */
  readonly records?: readonly (readonly [key: string, value: string])[];
  /** Type of that header: `x` for this entry alone, `g` for all that follow. */
  readonly recordsType?: 'x' | 'g';
}

const BLOCK = 512;

/** The bytes of a tar archive, hostile ones included: nothing is checked. */
export function tarBytes(entries: readonly TarEntry[]): Buffer {
  return Buffer.concat([...entries.map(entryBytes), Buffer.alloc(2 * BLOCK)]);
}

/** An entry that describes others: its content is no file. */
export function metaBytes(type: string, content: Buffer): Buffer {
  const header = Buffer.alloc(BLOCK);
  const facts = { path: 'description', size: content.length, mode: 0o600, mtime: new Date(0) };
  new Header({ ...facts, type: 'File' }).encode(header, 0);
  header.write(type, 156, 'latin1');
  writeChecksum(header);
  return Buffer.concat([header, content, Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK)]);
}

/** A record of an extended header; it begins with its own length. */
function recordBytes([key, value]: readonly [string, string]): Buffer {
  const rest = ` ${key}=${value}\n`;
  const bytes = Buffer.byteLength(rest);
  const length = [1, 2, 3, 4, 5].map((digits) => bytes + digits);
  return Buffer.from(`${length.find((each, index) => String(each).length === index + 1)}${rest}`);
}

function entryBytes(entry: TarEntry): Buffer {
  const content = Buffer.from(entry.content ?? '');
  const type = entry.type ?? (entry.path.endsWith('/') ? 'Directory' : 'File');
  const size = entry.claimedSize ?? content.length;
  const parts: Buffer[] = [];
  if (Buffer.byteLength(entry.path) > 100 || /[^ -~]/.test(entry.path)) {
    parts.push(new Pax({ path: entry.path }).encode());
  }
  if (entry.records !== undefined) {
    const records = Buffer.concat(entry.records.map(recordBytes));
    parts.push(metaBytes(entry.recordsType ?? 'x', records));
  }
  const header = Buffer.alloc(BLOCK);
  const facts = { path: entry.path.slice(0, 90), size, type, mode: 0o600, mtime: new Date(0) };
  const { linkpath } = entry;
  new Header({ ...facts, ...(linkpath === undefined ? {} : { linkpath }) }).encode(header, 0);
  if (entry.typeByte !== undefined) {
    header.write(entry.typeByte, 156, 'latin1');
    writeChecksum(header);
  }
  parts.push(header, content, Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK));
  return Buffer.concat(parts);
}

/** Makes a header valid again that was changed. */
function writeChecksum(header: Buffer): void {
  header.fill(' ', 148, 156);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
}

/** Bytes in pieces of a length. */
export async function* inPieces(bytes: Uint8Array, length: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += length) {
    yield bytes.subarray(start, start + length);
  }
}
