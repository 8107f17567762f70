import { createHash, type Hash } from 'node:crypto';
import path from 'node:path';
import type { DurableFiles, WritableFile } from '../store/durable-files.js';
import { ArchiveFault } from './archive-fault.js';
import type { ArchiveLimits } from './archive-limits.js';
import { EntryLedger } from './entry-ledger.js';
import type { ManifestEntry } from './manifest.js';
import { type TarEntry, TarReader } from './tar-reader.js';

/** A file that content goes to. */
interface OpenFile {
  /** As it will stand in the manifest. */
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  readonly file: WritableFile;
  readonly checksum: Hash;
}

/**
 * Unpacks a tar archive below a folder while its bytes come. Files and directories only: links,
 * devices and anything unknown end it.
 */
export class TreeWriter {
  readonly #files: DurableFiles;
  readonly #root: string;
  readonly #limits: ArchiveLimits;
  readonly #ledger: EntryLedger;
  readonly #reader: TarReader;
  readonly #entries: ManifestEntry[] = [];
  #extractedBytes = 0;
  #open: OpenFile | undefined;

  private constructor(files: DurableFiles, root: string, limits: ArchiveLimits) {
    this.#files = files;
    this.#root = root;
    this.#limits = limits;
    this.#ledger = new EntryLedger(limits.entriesMax);
    this.#reader = new TarReader({
      begin: (entry) => this.#begin(entry),
      content: (bytes) => this.#append(bytes),
      finish: () => this.#finish(),
    });
  }

  /** Makes the folder and a writer into it. */
  static async open(files: DurableFiles, root: string, limits: ArchiveLimits): Promise<TreeWriter> {
    await files.makeDirectory(root);
    return new TreeWriter(files, root, limits);
  }

  /**
   * Takes the next bytes; resolves when they are written.
   *
   * @throws ArchiveFault when the archive is refused
   */
  write(chunk: Uint8Array): Promise<void> {
    return this.#reader.write(chunk);
  }

  /**
   * Says that all bytes were written.
   *
   * @throws ArchiveFault for an archive that is cut off
   */
  end(): void {
    this.#reader.end();
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
    const open = this.#open;
    this.#open = undefined;
    await open?.file.close();
  }

  async #begin({ path: written, type, size }: TarEntry): Promise<void> {
    const admitted = this.#ledger.admit(written, type);
    for (const folder of admitted?.implied ?? []) await this.#makeFolder(folder);
    if (admitted === undefined) return;
    if (type === 'directory') {
      if (admitted.isNew) await this.#makeFolder(admitted.path);
      return;
    }
    this.#reserve(size);
    const file = await this.#files.createFile(path.join(this.#root, admitted.path));
    this.#open = { path: admitted.path, size, file, checksum: createHash('sha256') };
  }

  async #makeFolder(folder: string): Promise<void> {
    await this.#files.makeDirectory(path.join(this.#root, folder));
    this.#entries.push({ type: 'directory', path: folder });
  }

  async #append(bytes: Uint8Array): Promise<void> {
    this.#open?.checksum.update(bytes);
    await this.#open?.file.write(bytes);
  }

  async #finish(): Promise<void> {
    const open = this.#open;
    if (open === undefined) return;
    await this.close();
    const { path: name, size, checksum } = open;
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
