import { type FileHandle, mkdir, open, readdir, rename, rm } from 'node:fs/promises';

/** A file that is being written. */
export interface WritableFile {
  /** Appends bytes; resolves when the system has taken them all. */
  write(bytes: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

/** What the store does to its folder. Every change of it goes through here. */
export interface DurableFiles {
  /** Makes a folder in one that exists. */
  makeDirectory(path: string): Promise<void>;
  /** Makes a file that does not exist yet; only its owner may read it, and nobody change it. */
  createFile(path: string): Promise<WritableFile>;
  /** Makes the content of a file, or the names in a folder, durable. */
  sync(path: string): Promise<void>;
  /** Moves a folder to a name that is free, in one step. */
  rename(from: string, to: string): Promise<void>;
  /** Removes a file or a folder with all it holds; one that does not exist is removed already. */
  remove(path: string): Promise<void>;
  /** Names in a folder. */
  list(path: string): Promise<readonly string[]>;
}

/** The file system. */
export const DURABLE_FILES: DurableFiles = {
  makeDirectory: async (path) => {
    await mkdir(path, { mode: 0o700 });
  },
  createFile: async (path) => writable(await open(path, 'wx', 0o400)),
  sync: async (path) => {
    const opened = await open(path, 'r');
    try {
      await opened.sync();
    } finally {
      await opened.close();
    }
  },
  rename: (from, to) => rename(from, to),
  remove: (path) => rm(path, { recursive: true, force: true }),
  list: (path) => readdir(path),
};

function writable(opened: FileHandle): WritableFile {
  return {
    write: async (bytes) => {
      let rest = bytes;
      while (rest.length > 0) {
        const { bytesWritten } = await opened.write(rest);
        rest = rest.subarray(bytesWritten);
      }
    },
    close: () => opened.close(),
  };
}

/** Files that are made durable side by side: one commit of the file system's journal serves many. */
const SYNCED_AT_ONCE = 16;

/** Makes files and folders durable. */
export async function syncAll(files: DurableFiles, paths: readonly string[]): Promise<void> {
  const left = paths.values();
  const work = async (): Promise<void> => {
    for (const path of left) await files.sync(path);
  };
  await Promise.all(Array.from({ length: SYNCED_AT_ONCE }, work));
}
