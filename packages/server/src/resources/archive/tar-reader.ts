import { invalidStream } from './archive-fault.js';
import { quoted } from './entry-path.js';
import { readPaxRecords } from './pax-records.js';
import { BLOCK_BYTES, isZeroBlock, readTarHeader, type TarHeader } from './tar-header.js';

/** Longest description of one entry, such as a long path, that is held in memory. */
const DESCRIPTION_BYTES_MAX = 64 * 1_024;

/** How compressed streams begin: nothing that the path of a first entry begins with stands here. */
const COMPRESSED: readonly (readonly number[])[] = [
  [0x1f, 0x8b],
  [0x28, 0xb5, 0x2f, 0xfd],
  [0xfd, 0x37, 0x7a, 0x58],
  [0x50, 0x4b, 0x03, 0x04],
];

/** Kinds of entries that are refused by a name of their own. */
const REFUSED_TYPES: ReadonlyMap<string, string> = new Map([
  ['1', 'Link'],
  ['2', 'SymbolicLink'],
  ['3', 'CharacterDevice'],
  ['4', 'BlockDevice'],
  ['6', 'FIFO'],
]);

/** A file or a directory of an archive. */
export interface TarEntry {
  /** As written; nobody has looked at it yet. */
  readonly path: string;
  readonly type: 'file' | 'directory';
  /** Bytes of content that follow; 0 for directories. */
  readonly size: number;
}

/** Who takes what an archive holds. Calls come one after the other. */
export interface TarSink {
  begin(entry: TarEntry): Promise<void>;
  /** Content of the entry that began last; never empty. */
  content(bytes: Uint8Array): Promise<void>;
  /** All content of the entry has come. */
  finish(): Promise<void>;
}

/** What extended headers said of the entry that comes next. */
interface Description {
  readonly path?: string;
  readonly size?: string;
}

type Section = 'header' | 'content' | 'description' | 'padding' | 'zeros' | 'end';

/**
 * Reads a tar archive while its bytes come, wherever they are cut. It takes what describes exactly one
 * tree on every reading: where other readers guess, skip or cut off, it refuses, so that nobody finds
 * other files in an archive than those that were installed from it.
 */
export class TarReader {
  readonly #sink: TarSink;
  readonly #block = new Uint8Array(BLOCK_BYTES);
  #filled = 0;
  #section: Section = 'header';
  /** Bytes that the section still has. */
  #left = 0;
  #padding = 0;
  #entry: string | undefined;
  #descriptionType = '';
  #descriptionBytes: Uint8Array = new Uint8Array();
  #next: Description | undefined;

  constructor(sink: TarSink) {
    this.#sink = sink;
  }

  /**
   * Takes the next bytes.
   *
   * @throws ArchiveFault when the archive is refused, and whatever the sink throws
   */
  async write(chunk: Uint8Array): Promise<void> {
    let rest = chunk;
    while (rest.length > 0) rest = rest.subarray(await this.#take(rest));
  }

  /**
   * Says that all bytes were written.
   *
   * @throws ArchiveFault for an archive whose end has not come
   */
  end(): void {
    if (this.#section === 'end') return;
    if (this.#entry === undefined && this.#section === 'header') {
      this.#refuseCompressed();
      if (this.#filled === 0) throw invalidStream('the archive is empty');
      throw invalidStream('this is no tar archive: it is shorter than a header');
    }
    if (this.#section === 'content') throw invalidStream(`file ${this.#named()} is cut off`);
    throw invalidStream(`the archive is cut off behind ${this.#named()}`);
  }

  /** Takes from the front of some bytes, and says how many. */
  async #take(bytes: Uint8Array): Promise<number> {
    switch (this.#section) {
      case 'header':
      case 'zeros':
        return this.#fill(bytes);
      case 'content': {
        const part = bytes.subarray(0, this.#left);
        await this.#sink.content(part);
        this.#left -= part.length;
        if (this.#left === 0) await this.#finish();
        return part.length;
      }
      case 'description':
        return this.#describe(bytes);
      case 'padding': {
        const skipped = Math.min(this.#padding, bytes.length);
        this.#padding -= skipped;
        if (this.#padding === 0) this.#section = 'header';
        return skipped;
      }
      case 'end':
        if (!isZeroBlock(bytes)) throw invalidStream('the archive goes on behind its end');
        return bytes.length;
    }
  }

  async #fill(bytes: Uint8Array): Promise<number> {
    const part = bytes.subarray(0, BLOCK_BYTES - this.#filled);
    this.#block.set(part, this.#filled);
    this.#filled += part.length;
    if (this.#filled < BLOCK_BYTES) return part.length;
    this.#filled = 0;
    if (isZeroBlock(this.#block)) this.#endBlock();
    else await this.#header();
    return part.length;
  }

  #endBlock(): void {
    if (this.#next !== undefined) {
      throw invalidStream(`the archive describes an entry behind ${this.#named()} and ends`);
    }
    this.#section = this.#section === 'zeros' ? 'end' : 'zeros';
  }

  async #header(): Promise<void> {
    if (this.#section === 'zeros') {
      throw invalidStream(`the archive goes on behind an end after ${this.#named()}`);
    }
    if (this.#entry === undefined) this.#refuseCompressed();
    const header = readTarHeader(this.#block);
    const { type } = header;
    if (type === 'x' || type === 'g' || type === 'L' || type === 'K')
      this.#beginDescription(header);
    else await this.#begin(header);
  }

  async #begin(header: TarHeader): Promise<void> {
    const path = this.#next?.path ?? header.path;
    this.#entry = path;
    const type = entryType(header.type, path);
    const size = this.#sizeOf(header, path);
    this.#next = undefined;
    // Some tools say a size of directories, and write no content.
    this.#left = type === 'directory' ? 0 : size;
    this.#padding = paddingOf(this.#left);
    await this.#sink.begin({ path, type, size: this.#left });
    if (this.#left > 0) this.#section = 'content';
    else await this.#finish();
  }

  #sizeOf({ size }: TarHeader, path: string): number {
    const described = this.#next?.size;
    if (described === undefined && size !== undefined) return size;
    const value = /^[0-9]+$/u.test(described ?? '') ? Number(described) : Number.NaN;
    if (Number.isSafeInteger(value)) return value;
    throw invalidStream(`entry ${quoted(path)} has a size that is no number of bytes`);
  }

  async #finish(): Promise<void> {
    this.#pad();
    await this.#sink.finish();
  }

  #pad(): void {
    this.#section = this.#padding > 0 ? 'padding' : 'header';
  }

  #beginDescription({ path, size, type }: TarHeader): void {
    this.#entry ??= path;
    if (size === undefined || size > DESCRIPTION_BYTES_MAX) {
      const limit = `at most ${DESCRIPTION_BYTES_MAX} bytes are taken`;
      throw invalidStream(
        `the description of an entry behind ${this.#named()} is too long; ${limit}`,
      );
    }
    this.#descriptionType = type;
    this.#descriptionBytes = new Uint8Array(size);
    this.#left = size;
    this.#padding = paddingOf(size);
    if (size > 0) this.#section = 'description';
  }

  #describe(bytes: Uint8Array): number {
    const part = bytes.subarray(0, this.#left);
    this.#descriptionBytes.set(part, this.#descriptionBytes.length - this.#left);
    this.#left -= part.length;
    if (this.#left > 0) return part.length;
    this.#pad();
    const described = this.#readDescription();
    if (described !== undefined) this.#next = { ...this.#next, ...described };
    return part.length;
  }

  /** What a description says of the next entry; undefined for one that says nothing of it. */
  #readDescription(): Description | undefined {
    const bytes = this.#descriptionBytes;
    if (this.#descriptionType === 'K') return undefined;
    if (this.#descriptionType === 'L') {
      return {
        path: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes).replace(/\0+$/u, ''),
      };
    }
    const records = readPaxRecords(bytes);
    const path = records.get('path');
    const size = records.get('size');
    if (this.#descriptionType === 'x') {
      refuseSparse(records, path ?? this.#entry ?? '');
      return { ...(path !== undefined && { path }), ...(size !== undefined && { size }) };
    }
    if (path === undefined && size === undefined) return undefined;
    throw invalidStream(`path or size of all entries behind ${this.#named()} is set at once`);
  }

  #refuseCompressed(): void {
    if (COMPRESSED.some((magic) => magic.every((byte, index) => this.#block[index] === byte))) {
      throw invalidStream('the archive is compressed; a plain tar archive is expected');
    }
  }

  #named(): string {
    return quoted(this.#entry ?? '');
  }
}

/** Files with holes lie in an archive in other ways than their content. */
function refuseSparse(records: ReadonlyMap<string, string>, path: string): void {
  for (const key of records.keys()) {
    if (!key.startsWith('GNU.sparse.')) continue;
    const name = records.get('GNU.sparse.name') ?? path;
    throw invalidStream(`entry ${quoted(name)} is a sparse file; pack it whole`);
  }
}

function paddingOf(size: number): number {
  return (BLOCK_BYTES - (size % BLOCK_BYTES)) % BLOCK_BYTES;
}

function entryType(flag: string, path: string): TarEntry['type'] {
  if (flag === '5') return 'directory';
  // Before there was a type of their own, directories were files whose name ends with a slash.
  if (flag === '0' || flag === '\0') return path.endsWith('/') ? 'directory' : 'file';
  if (flag === '7') return 'file';
  const kind = REFUSED_TYPES.get(flag);
  if (kind === undefined) {
    throw invalidStream(`entry ${quoted(path)} is of a kind that is not taken`);
  }
  throw invalidStream(`entry ${quoted(path)} is a ${kind}; files and directories are taken`);
}
