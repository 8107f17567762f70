import { chmodSync, existsSync, renameSync, rmSync, truncateSync } from 'node:fs';
import path from 'node:path';
import {
  DURABLE_FILES,
  type DurableFiles,
  type WritableFile,
} from '../../../src/resources/store/durable-files.ts';

/** What every operation fails with once the process has ended. */
export class ProcessEnded extends Error {}

interface UnsyncedName {
  readonly kind: 'made' | 'moved';
  readonly path: string;
  readonly from: string;
}

/**
 * The file system of a process that ends at a chosen operation, and of a machine that then loses what
 * was not made durable: content of files, and names in folders.
 */
export class CrashingFiles implements DurableFiles {
  #operationsLeft = Number.POSITIVE_INFINITY;
  #isDone = false;
  /** Operations so far. */
  count = 0;
  isOver = false;
  /** Files that were made and not closed. */
  openFiles = 0;
  readonly #unsynced = new Set<string>();
  /** Names whose folder is not durable yet, in order. */
  readonly #names: UnsyncedName[] = [];

  /**
   * @param operation the coming one that the process does not get past, from 1
   * @param isDone whether the system still does it
   */
  arm(operation: number, isDone: boolean): void {
    this.#operationsLeft = operation;
    this.#isDone = isDone;
  }

  /** Takes away what is not durable. */
  losePower(): void {
    this.isOver = true;
    for (const file of this.#unsynced) {
      // A file that was removed or lost with its folder has nothing to lose.
      try {
        chmodSync(file, 0o600);
        truncateSync(file, 0);
      } catch {}
    }
    for (const name of [...this.#names].reverse()) {
      if (name.kind === 'moved') {
        if (existsSync(name.path)) renameSync(name.path, name.from);
      } else rmSync(name.path, { recursive: true, force: true });
    }
  }

  makeDirectory(name: string): Promise<void> {
    return this.#step(async () => {
      await DURABLE_FILES.makeDirectory(name);
      this.#names.push({ kind: 'made', path: name, from: '' });
    });
  }

  async createFile(name: string): Promise<WritableFile> {
    let opened: WritableFile | undefined;
    const create = async (): Promise<WritableFile> => {
      opened = await DURABLE_FILES.createFile(name);
      this.openFiles += 1;
      this.#unsynced.add(name);
      return opened;
    };
    const file = await this.#step(create).catch(async (error: unknown) => {
      if (opened !== undefined) await this.#close(opened);
      throw error;
    });
    return {
      write: (bytes) => this.#step(() => file.write(bytes)),
      close: () => this.#close(file),
    };
  }

  sync(name: string): Promise<void> {
    return this.#step(async () => {
      await DURABLE_FILES.sync(name);
      this.#unsynced.delete(name);
      // A move is one step: it is durable with either of its folders.
      this.#forget(
        ({ kind, path: to, from }) =>
          path.dirname(to) === name || (kind === 'moved' && path.dirname(from) === name),
      );
    });
  }

  rename(from: string, to: string): Promise<void> {
    return this.#step(async () => {
      await DURABLE_FILES.rename(from, to);
      this.#names.push({ kind: 'moved', path: to, from });
      for (const file of [...this.#unsynced]) {
        if (!file.startsWith(from + path.sep)) continue;
        this.#unsynced.delete(file);
        this.#unsynced.add(to + file.slice(from.length));
      }
    });
  }

  remove(name: string): Promise<void> {
    return this.#step(async () => {
      await DURABLE_FILES.remove(name);
      this.#forget((known) => known.path === name);
    });
  }

  async list(name: string): Promise<readonly string[]> {
    if (this.isOver) throw new ProcessEnded();
    return DURABLE_FILES.list(name);
  }

  async #close(file: WritableFile): Promise<void> {
    await file.close();
    this.openFiles -= 1;
  }

  #forget(isDurable: (name: UnsyncedName) => boolean): void {
    for (const [index, name] of [...this.#names.entries()].reverse()) {
      if (isDurable(name)) this.#names.splice(index, 1);
    }
  }

  async #step<T>(operation: () => Promise<T>): Promise<T> {
    if (this.isOver) throw new ProcessEnded();
    this.count += 1;
    this.#operationsLeft -= 1;
    if (this.#operationsLeft > 0) return operation();
    this.isOver = true;
    if (this.#isDone) await operation();
    throw new ProcessEnded();
  }
}
