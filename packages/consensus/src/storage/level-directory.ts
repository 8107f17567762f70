import { mkdir, open, readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ClassicLevel } from 'classic-level';
import { RaftError } from '../errors.ts';
import { invalidOption } from '../options/option-check.ts';
import { isOpenHere, openingAlone } from './store-lock.ts';
import { hasCode } from './system-error.ts';

/** The LevelDB database of a store. */
export type StoreDatabase = ClassicLevel<Uint8Array, Uint8Array>;

/** What lies on disk before the database is opened. */
export interface DirectoryState {
  readonly hasAnchor: boolean;
  readonly hasDatabase: boolean;
}

/** Memory that LevelDB fills before it begins another write-ahead file. */
export const WRITE_BUFFER_BYTES: number = 8 * 1_024 * 1_024;
const FILE_BYTES_MAX = 8 * 1_024 * 1_024;
const CACHE_BYTES = 16 * 1_024 * 1_024;

/** Names of the two files of the journal in the directory of the database, which leaves them alone. */
export const JOURNAL_NAMES = ['JOURNAL-0', 'JOURNAL-1'] as const;

const REMAINS = /^(?:\d+\.(?:log|ldb|sst)|JOURNAL-[01])$/;
/** What may lie in the place of a new store: what LevelDB left when it was interrupted before. */
const LEFTOVER = /^(?:LOCK|LOG|LOG\.old|MANIFEST-\d+|\d+\.dbtmp|lost\+found)$/;
const DATABASE_FILE = /CURRENT|MANIFEST-\d+|\d+\.(?:log|ldb|sst)/;

/** Path of the anchor file that belongs to a database directory: beside it, not inside. */
export function anchorPath(directory: string): string {
  return `${directory}.anchor`;
}

/**
 * Looks at a directory without opening it. Throws `RAFT_STORAGE_CORRUPT` when LevelDB would take
 * the remains of a database for an empty place and delete them, and `RAFT_INVALID_OPTION` when a
 * store would be created among files of others.
 */
export async function inspectDirectory(directory: string): Promise<DirectoryState> {
  const hasAnchor = await isPresent(anchorPath(directory));
  const names = await listNames(directory);
  const hasDatabase = names.includes('CURRENT');
  const hasRemains = names.some((name) => REMAINS.test(name));
  if (!hasDatabase && (hasAnchor || hasRemains)) {
    throw corrupt(directory, 'CURRENT', 'file is missing');
  }
  const foreign = names.find((name) => !LEFTOVER.test(name));
  if (!hasDatabase && foreign !== undefined) {
    const problem = `is '${directory}', which holds '${foreign}'; a new store needs an empty directory`;
    throw invalidOption('directory', problem);
  }
  return { hasAnchor, hasDatabase };
}

/**
 * Opens the database and takes its exclusive lock. Throws `RAFT_STORAGE_LOCKED`,
 * `RAFT_STORAGE_CORRUPT` or `RAFT_STORAGE_UNAVAILABLE`.
 */
export async function openDatabase(directory: string, mayCreate: boolean): Promise<StoreDatabase> {
  if (mayCreate) await makeDirectory(directory);
  return openingAlone(directory, async () => {
    if (await isOpenHere(directory)) throw new RaftError('RAFT_STORAGE_LOCKED', { directory });
    return openLocked(directory, mayCreate);
  });
}

async function openLocked(directory: string, mayCreate: boolean): Promise<StoreDatabase> {
  const database: StoreDatabase = new ClassicLevel<Uint8Array, Uint8Array>(directory, {
    keyEncoding: 'view',
    valueEncoding: 'view',
    compression: false,
    createIfMissing: mayCreate,
    writeBufferSize: WRITE_BUFFER_BYTES,
    maxFileSize: FILE_BYTES_MAX,
    cacheSize: CACHE_BYTES,
  });
  try {
    await database.open();
    return database;
  } catch (error) {
    throw storageError(directory, error);
  }
}

/**
 * Makes a directory and its parents, one by one: a recursive `mkdir` of Node never ends where the
 * system calls a name absent and creates none, as below `/proc`.
 */
async function makeDirectory(directory: string): Promise<void> {
  try {
    await mkdir(directory);
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return;
    const parent = dirname(directory);
    if (!isAbsence(error) || parent === directory) throw error;
    await makeDirectory(parent);
    await mkdir(directory);
  }
}

/** Makes the names in a directory durable. */
export async function syncDirectory(directory: string): Promise<void> {
  const file = await open(directory, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Makes the directory's content and its own name durable. */
export async function syncDirectoryAndParent(directory: string): Promise<void> {
  await syncDirectory(directory);
  await syncDirectory(dirname(directory));
}

/** Names of LevelDB's write-ahead files, older ones first. */
export async function writeAheadFiles(directory: string): Promise<readonly string[]> {
  const names = await readdir(directory);
  return names.filter((name) => name.endsWith('.log')).sort(compareNumbered);
}

/**
 * Makes durable what LevelDB has written without a sync. It leaves the file in front of the newest
 * unsynced until its content is in a table, and removes it then.
 */
export async function syncWriteAheadFiles(directory: string): Promise<void> {
  for (const name of await writeAheadFiles(directory)) {
    try {
      await syncFile(join(directory, name));
    } catch (error) {
      if (!isAbsence(error)) throw error;
    }
  }
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.datasync();
  } finally {
    await file.close();
  }
}

/** Order of names that begin with a number: LevelDB pads it to six digits, later ones are longer. */
function compareNumbered(left: string, right: string): number {
  if (left.length !== right.length) return left.length - right.length;
  return left < right ? -1 : 1;
}

/** A `RAFT_STORAGE_CORRUPT` error naming the file or key at fault. */
export function corrupt(
  directory: string,
  location: string,
  problem: string,
  cause?: unknown,
): RaftError<'RAFT_STORAGE_CORRUPT'> {
  return new RaftError('RAFT_STORAGE_CORRUPT', { directory, location, problem }, { cause });
}

/** Name of the anchor file, for messages. */
export function anchorName(directory: string): string {
  return basename(anchorPath(directory));
}

/**
 * The typed error for whatever LevelDB or the operating system reported while opening, creating or
 * reading a store.
 */
export function storageError(directory: string, error: unknown): RaftError {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  const message = cause instanceof Error ? cause.message : String(cause);
  if (code === 'LEVEL_LOCKED') {
    return new RaftError('RAFT_STORAGE_LOCKED', { directory }, { cause: error });
  }
  // LevelDB reports a file that its own index names and that is gone as an input error.
  const isDamaged = code === 'LEVEL_CORRUPTION' || /No such file|NotFound/.test(message);
  if (isDamaged) {
    const location = message.replace(directory, '').match(DATABASE_FILE)?.[0] ?? 'database';
    return corrupt(directory, location, message, error);
  }
  return new RaftError('RAFT_STORAGE_UNAVAILABLE', { directory }, { cause: error });
}

async function isPresent(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (isAbsence(error)) return false;
    throw error;
  }
}

async function listNames(directory: string): Promise<readonly string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if (isAbsence(error)) return [];
    throw error;
  }
}

function isAbsence(error: unknown): boolean {
  return hasCode(error, 'ENOENT');
}
