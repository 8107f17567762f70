import { ArchiveFault, invalidStream } from './archive-fault.js';
import { foldedPath, quoted, readEntryPath } from './entry-path.js';

/** What an archive may hold. */
export type EntryType = 'file' | 'directory';

/** An entry that was let in. */
export interface AdmittedEntry {
  readonly path: string;
  /** Folders that the path implies and that no entry before named, outermost first. */
  readonly implied: readonly string[];
  /** False for a folder that was there already. */
  readonly isNew: boolean;
}

/** Keeps what an archive has held so far, and refuses what does not go with it. */
export class EntryLedger {
  readonly #entriesMax: number;
  /** By folded path: how the path is spelled, and what it is. */
  readonly #entries = new Map<string, { readonly path: string; readonly type: EntryType }>();

  /** @param entriesMax files and directories that an archive may hold */
  constructor(entriesMax: number) {
    this.#entriesMax = entriesMax;
  }

  get count(): number {
    return this.#entries.size;
  }

  /**
   * Lets an entry in.
   *
   * @returns undefined for the folder that the archive was made of
   * @throws ArchiveFault for a path that leads elsewhere or meets another entry, and for too many
   */
  admit(written: string, type: EntryType): AdmittedEntry | undefined {
    const read = readEntryPath(written);
    if (read.kind === 'refused') throw invalidStream(read.reason);
    if (read.kind === 'root') {
      if (type === 'directory') return undefined;
      throw invalidStream(`path ${quoted(written)} names no file`);
    }
    const implied: string[] = [];
    let folder = '';
    for (const name of read.components.slice(0, -1)) {
      folder = folder === '' ? name : `${folder}/${name}`;
      if (this.#enter(folder, 'directory')) implied.push(folder);
    }
    const isNew = this.#enter(read.path, type);
    if (!isNew && type === 'file') {
      throw invalidStream(`the archive holds ${quoted(read.path)} twice`);
    }
    return { path: read.path, implied, isNew };
  }

  #enter(path: string, type: EntryType): boolean {
    const folded = foldedPath(path);
    const known = this.#entries.get(folded);
    if (known === undefined) {
      if (this.#entries.size >= this.#entriesMax) {
        throw new ArchiveFault(
          'quota_exceeded',
          `the archive holds more than ${this.#entriesMax} entries`,
        );
      }
      this.#entries.set(folded, { path, type });
      return true;
    }
    if (known.path !== path) {
      const paths = `${quoted(known.path)} and ${quoted(path)}`;
      throw invalidStream(`paths ${paths} are the same on some file systems`);
    }
    if (known.type !== type) {
      throw invalidStream(`the archive holds ${quoted(path)} as a file and as a directory`);
    }
    return false;
  }
}
