import { createHash, type Hash } from 'node:crypto';
import path from 'node:path';
import { Parser, type ReadEntry } from 'tar';
import type { DurableFiles, WritableFile } from '../store/durable-files.js';
import { ArchiveFault, invalidStream } from './archive-fault.js';
import type { ArchiveLimits } from './archive-limits.js';
import { EntryLedger, type EntryType } from './entry-ledger.js';
import { quoted } from './entry-path.js';
import type { ManifestEntry } from './manifest.js';

/** Longest description of one entry, such as a long path, that is held in memory. */
const META_BYTES_MAX = 64 * 1_024;

/**
 * How compressed streams begin, which the parser would unpack without a bound of ours. All that a tar
 * archive begins with is the path of its first entry, so nothing that a path can begin with stands here.
 */
const COMPRESSED: readonly (readonly number[])[] = [
  [0x1f, 0x8b],
  [0x28, 0xb5, 0x2f, 0xfd],
  [0xfd, 0x37, 0x7a, 0x58],
  [0x50, 0x4b, 0x03, 0x04],
];

/**
 * Unpacks a tar archive below a folder while its bytes come. Files and directories only: links,
 * devices and anything unknown end it.
 */
export class TreeWriter {
  readonly #files: DurableFiles;
  readonly #root: string;
  readonly #limits: ArchiveLimits;
  readonly #ledger: EntryLedger;
  readonly #parser: Parser;
  readonly #entries: ManifestEntry[] = [];
  readonly #failed = Promise.withResolvers<never>();
  #failure: unknown;
  #head: Buffer = Buffer.alloc(0);
  #isIdentified = false;
  #isOver = false;
  #extractedBytes = 0;
  #work: Promise<void> = Promise.resolve();
  #open: WritableFile | undefined;
  #reading: ReadEntry | undefined;
  #giveRoom: () => void = () => undefined;

  private constructor(files: DurableFiles, root: string, limits: ArchiveLimits) {
    this.#files = files;
    this.#root = root;
    this.#limits = limits;
    this.#ledger = new EntryLedger(limits.entriesMax);
    // Looked at by whoever waits for the parser; by itself it is no fault of the process.
    this.#failed.promise.catch(() => undefined);
    this.#parser = new Parser({
      strict: true,
      maxMetaEntrySize: META_BYTES_MAX,
      onReadEntry: (entry) => this.#enqueue(entry),
    });
    this.#parser.on('error', (error: Error) => this.#fail(invalidStream(reasonOf(error))));
    this.#parser.on('drain', () => this.#giveRoom());
    this.#parser.on('eof', () => {
      this.#isOver = true;
    });
    this.#parser.on('ignoredEntry', (entry: ReadEntry) => {
      this.#fail(invalidStream(`entry ${quoted(entry.path)} is of a kind that is not taken`));
    });
  }

  /** Makes the folder and a writer into it. */
  static async open(files: DurableFiles, root: string, limits: ArchiveLimits): Promise<TreeWriter> {
    await files.makeDirectory(root);
    return new TreeWriter(files, root, limits);
  }

  /**
   * Takes the next bytes; resolves when there is room for more.
   *
   * @throws ArchiveFault when the archive is refused
   */
  async write(chunk: Uint8Array): Promise<void> {
    this.#throwFailure();
    const bytes = this.#isIdentified ? chunk : this.#identify(chunk);
    // Behind its end the parser would only pile up what comes.
    if (bytes === undefined || this.#isOver) return;
    const hasRoom = this.#parser.write(bytes);
    if (!hasRoom && this.#failure === undefined) await this.#room();
    this.#throwFailure();
  }

  /**
   * Says that all bytes were written.
   *
   * @throws ArchiveFault when the archive is refused
   */
  async end(): Promise<void> {
    if (!this.#isIdentified) throw invalidStream('the archive is empty');
    const ended = new Promise<void>((resolve) => {
      this.#parser.once('end', resolve);
    });
    this.#parser.end();
    await Promise.race([ended, this.#failed.promise]);
    await this.#work;
    this.#throwFailure();
  }

  /** Everything that was unpacked, in the order of the archive. */
  entries(): readonly ManifestEntry[] {
    return this.#entries;
  }

  /** Where it lies, folders behind what they hold and the root last. */
  paths(): readonly string[] {
    const byDepth = [...this.#entries].sort((left, right) => depth(right) - depth(left));
    return [...byDepth.map((entry) => path.join(this.#root, entry.path)), this.#root];
  }

  /** Lets go of a file that was being written. */
  async close(): Promise<void> {
    this.#failure ??= invalidStream('the archive was given up');
    // Whoever reads an entry would wait for bytes that do not come.
    this.#reading?.destroy(this.#failure);
    await this.#work.catch(() => undefined);
    await this.#open?.close();
    this.#open = undefined;
  }

  /** Looks at the first bytes; undefined while there are too few. */
  #identify(chunk: Uint8Array): Uint8Array | undefined {
    this.#head = Buffer.concat([this.#head, chunk]);
    if (this.#head.length < 4) return undefined;
    const head = this.#head;
    if (COMPRESSED.some((magic) => magic.every((byte, index) => head[index] === byte))) {
      throw invalidStream('the archive is compressed; a plain tar archive is expected');
    }
    this.#isIdentified = true;
    this.#head = Buffer.alloc(0);
    return head;
  }

  async #room(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#giveRoom = resolve;
    await Promise.race([promise, this.#failed.promise]);
  }

  #fail(error: unknown): void {
    this.#failure ??= error;
    this.#failed.reject(this.#failure);
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** The parser gives an entry, and waits with the next one until this one is read. */
  #enqueue(entry: ReadEntry): void {
    this.#work = this.#work.then(() => this.#unpack(entry)).catch((error) => this.#fail(error));
  }

  async #unpack(entry: ReadEntry): Promise<void> {
    this.#throwFailure();
    const type = typeOf(entry);
    const admitted = this.#ledger.admit(entry.path, type);
    for (const folder of admitted?.implied ?? []) await this.#makeFolder(folder);
    if (admitted === undefined || type === 'directory') {
      if (admitted?.isNew === true) await this.#makeFolder(admitted.path);
      entry.resume();
      return;
    }
    await this.#writeFile(admitted.path, entry);
  }

  async #makeFolder(folder: string): Promise<void> {
    await this.#files.makeDirectory(path.join(this.#root, folder));
    this.#entries.push({ type: 'directory', path: folder });
  }

  async #writeFile(name: string, entry: ReadEntry): Promise<void> {
    this.#reserve(entry.size);
    const file = await this.#files.createFile(path.join(this.#root, name));
    this.#open = file;
    this.#throwFailure();
    this.#reading = entry;
    // The loop learns of it; by itself it is no fault of the process.
    entry.on('error', () => undefined);
    const checksum: Hash = createHash('sha256');
    let size = 0;
    for await (const chunk of entry) {
      checksum.update(chunk);
      size += chunk.length;
      await file.write(chunk);
      // Before the next chunk is waited for: a reader that was told in between would wait for ever.
      this.#throwFailure();
    }
    this.#reading = undefined;
    this.#open = undefined;
    await file.close();
    if (size !== entry.size) throw invalidStream(`file ${quoted(name)} is cut off`);
    this.#entries.push({ type: 'file', path: name, size, checksum: checksum.digest('hex') });
  }

  #reserve(bytes: number): void {
    this.#extractedBytes += bytes;
    const { extractedBytesMax } = this.#limits;
    if (this.#extractedBytes > extractedBytesMax) {
      const message = `the archive unpacks to more than ${extractedBytesMax} bytes`;
      throw new ArchiveFault('quota_exceeded', message);
    }
  }
}

function depth({ path: name }: ManifestEntry): number {
  return name.split('/').length;
}

function typeOf({ type, path: name }: ReadEntry): EntryType {
  switch (type) {
    case 'File':
    case 'OldFile':
    case 'ContiguousFile':
      return 'file';
    case 'Directory':
      return 'directory';
    default:
      throw invalidStream(`entry ${quoted(name)} is a ${type}; files and directories are taken`);
  }
}

/** The parser's words without its codes. */
function reasonOf({ message }: Error): string {
  return `this is no tar archive: ${message.replace(/^TAR_[A-Z_]+: /u, '')}`;
}
