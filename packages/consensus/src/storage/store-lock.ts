import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { RaftError } from '../errors.ts';
import { hasCode } from './system-error.ts';

/** Where Linux tells which files this process has open, and who has locked what. */
const OPEN_FILES = '/proc/self/fd';
const LOCKS = '/proc/locks';
/** Process and inode of a lock for writing, as in `proc_locks(5)`. */
const WRITE_LOCK = /^\d+: POSIX\s+\S+\s+WRITE (\d+) [0-9a-f]+:[0-9a-f]+:(\d+) /;

/** Directories whose stores are being opened by, or on behalf of, this thread. */
const opening = new Set<string>();

/**
 * Opens a store while nothing else in this thread does: two that begin at the same time would both
 * find that it is not open yet. Throws `RAFT_STORAGE_LOCKED`.
 */
export async function openingAlone<T>(directory: string, open: () => Promise<T>): Promise<T> {
  if (opening.has(directory)) throw new RaftError('RAFT_STORAGE_LOCKED', { directory });
  opening.add(directory);
  try {
    return await open();
  } finally {
    opening.delete(directory);
  }
}

interface FileIdentity {
  readonly dev: bigint;
  readonly ino: bigint;
}

/**
 * Whether some thread of this process has the database of a directory open. LevelDB refuses a
 * second opening as well, but it opens and closes its lock file for that, and the closing releases
 * the lock of the whole process: any other process could open the store from then on
 * (`PosixEnv::LockFile` of LevelDB 1.20, `fcntl(2)`). Elsewhere than on Linux the answer is no.
 */
export async function isOpenHere(directory: string): Promise<boolean> {
  const lock = await identityOf(path.join(directory, 'LOCK'));
  // A file that is open and not locked here was inherited from the process that started this one.
  return lock !== undefined && (await isLockedHere(lock)) && (await isFileOpenHere(lock));
}

async function isLockedHere({ ino }: FileIdentity): Promise<boolean> {
  const locks = (await unlessAbsent(readFile(LOCKS, 'utf8'))) ?? '';
  return locks.split('\n').some((line) => {
    const [, pid, inode] = WRITE_LOCK.exec(line) ?? [];
    return pid === String(process.pid) && inode === String(ino);
  });
}

async function isFileOpenHere({ dev, ino }: FileIdentity): Promise<boolean> {
  for (const name of (await unlessAbsent(readdir(OPEN_FILES))) ?? []) {
    const file = await identityOf(path.join(OPEN_FILES, name));
    if (file?.dev === dev && file.ino === ino) return true;
  }
  return false;
}

function identityOf(file: string): Promise<FileIdentity | undefined> {
  return unlessAbsent(stat(file, { bigint: true }));
}

async function unlessAbsent<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR') || hasCode(error, 'EACCES')) {
      return undefined;
    }
    throw error;
  }
}
