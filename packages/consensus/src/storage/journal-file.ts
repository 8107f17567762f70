import { fdatasync, fdatasyncSync, writeSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { SyncPace } from './sync-pace.ts';

/** A file of the journal. Sizes and places are bytes. */
export interface JournalFile {
  /** For messages. */
  readonly name: string;
  readonly size: number;
  read(): Promise<Uint8Array>;
  /** Writes at a place in front of `size`; durable once it resolves, without a promise already. */
  write(bytes: Uint8Array, at: number): Promise<void> | undefined;
  /** Makes durable what was written by anyone. */
  sync(): Promise<void>;
  /** Fills the file up to a size with zeros, durably. */
  extend(size: number): Promise<void>;
  close(): Promise<void>;
}

/** More than this is handed to a thread, because even the page cache takes a while for it. */
const INLINE_BYTES_MAX = 256 * 1_024;
const ZEROS = new Uint8Array(256 * 1_024);

/**
 * A {@link JournalFile} on disk. Its blocks are written before they are needed, so that a sync of
 * one has no size and no place of the file to make durable, which would take a second write.
 */
export class DiskJournalFile implements JournalFile {
  readonly name: string;
  readonly #file: FileHandle;
  readonly #pace = new SyncPace();
  #size: number;

  private constructor(name: string, file: FileHandle, size: number) {
    this.name = name;
    this.#file = file;
    this.#size = size;
  }

  /** Opens an existing file; its absence is the operating system's `ENOENT`. */
  static async open(path: string, name: string): Promise<DiskJournalFile> {
    const file = await open(path, 'r+');
    return new DiskJournalFile(name, file, (await file.stat()).size);
  }

  /** Creates the file, or empties one of an unfinished creation. */
  static async create(path: string, name: string): Promise<DiskJournalFile> {
    return new DiskJournalFile(name, await open(path, 'w+'), 0);
  }

  get size(): number {
    return this.#size;
  }

  async read(): Promise<Uint8Array> {
    const bytes = new Uint8Array(this.#size);
    for (let at = 0; at < bytes.length; ) {
      const { bytesRead } = await this.#file.read(bytes, at, bytes.length - at, at);
      if (bytesRead === 0) throw new Error(`${this.name} ends early`);
      at += bytesRead;
    }
    return bytes;
  }

  write(bytes: Uint8Array, at: number): Promise<void> | undefined {
    if (bytes.length > INLINE_BYTES_MAX) return this.#writeAll(bytes, at).then(() => this.sync());
    this.#writeInline(bytes, at);
    return this.#pace.isQuick ? this.syncHere() : this.sync();
  }

  /** Like {@link sync} on the calling thread; over without a promise. */
  syncHere(): Promise<void> | undefined {
    const begun = performance.now();
    fdatasyncSync(this.#file.fd);
    this.#pace.took(performance.now() - begun);
    return undefined;
  }

  sync(): Promise<void> {
    const begun = performance.now();
    return new Promise((resolve, reject) => {
      fdatasync(this.#file.fd, (error) => {
        this.#pace.took(performance.now() - begun);
        if (error === null) resolve();
        else reject(error);
      });
    });
  }

  async extend(size: number): Promise<void> {
    for (let at = this.#size; at < size; at += ZEROS.length) {
      await this.#writeAll(ZEROS.subarray(0, size - at), at);
    }
    await this.sync();
    this.#size = Math.max(size, this.#size);
  }

  async close(): Promise<void> {
    await this.#file.close();
  }

  #writeInline(bytes: Uint8Array, at: number): void {
    for (let done = 0; done < bytes.length; ) {
      done += writeSync(this.#file.fd, bytes, done, bytes.length - done, at + done);
    }
  }

  async #writeAll(bytes: Uint8Array, at: number): Promise<void> {
    for (let done = 0; done < bytes.length; ) {
      const { bytesWritten } = await this.#file.write(bytes, done, bytes.length - done, at + done);
      done += bytesWritten;
    }
  }
}
