import { isUtf8 } from 'node:buffer';
import { type Dirent, readdirSync, type Stats, statSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { nameDefect } from '@nervix/model';
import type { SnapshotSecret } from '@nervix/planner';
import { SECRET_BYTES_MAX } from '@nervix/protocol';
import type { SecretProvider } from './secret-provider.js';
import { SecretUnavailableError } from './secret-unavailable.js';

/**
 * Secrets in a folder: a file holds a value, a folder in it the keys of a secret. All domains see the
 * same. One line end at the end of a file is not part of its value.
 */
export class FileProvider implements SecretProvider {
  readonly name = 'file';
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Looked up each time: what replaces a file is another version of the secret. */
  list(): readonly SnapshotSecret[] {
    return entriesOf(this.#directory).flatMap((entry) => {
      if (nameDefect(entry.name) !== undefined || entry.name !== entry.name.toLowerCase())
        return [];
      const place = path.join(this.#directory, entry.name);
      return isFolder(place)
        ? entriesOf(place).flatMap((key) => versionOf(place, entry.name, key.name))
        : versionOf(this.#directory, entry.name, null);
    });
  }

  async value(_domain: string, { name, key }: SnapshotSecret): Promise<string> {
    const file = path.join(this.#directory, name, ...(key === null ? [] : [key]));
    try {
      // Looked at first: nobody wants a file of any size in memory.
      if ((await stat(file)).size > SECRET_BYTES_MAX) throw unreadable('EFBIG');
      const bytes = await readFile(file);
      if (bytes.length > SECRET_BYTES_MAX) throw unreadable('EFBIG');
      if (!isUtf8(bytes)) throw unreadable('EILSEQ');
      return bytes.toString('utf8').replace(/\r?\n$/u, '');
    } catch (cause) {
      const { code = 'unknown' } = cause as NodeJS.ErrnoException;
      const message = `the file of secret '${name}' cannot be read (${code})`;
      throw new SecretUnavailableError(message, { cause });
    }
  }
}

/** Visible entries, by name; none of a folder that is not there. */
function entriesOf(directory: string): readonly Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true })
      .filter(({ name }) => !name.startsWith('.'))
      .sort((left, right) => (left.name < right.name ? -1 : 1));
  } catch {
    return [];
  }
}

function unreadable(code: 'EFBIG' | 'EILSEQ'): Error {
  return Object.assign(new Error('no such content is read as a secret'), { code });
}

/** Mounted secrets are links. */
function isFolder(place: string): boolean {
  return statOf(place)?.isDirectory() ?? false;
}

/** What nobody can look at, such as a link that leads nowhere, counts as not there. */
function statOf(place: string): Stats | undefined {
  try {
    return statSync(place);
  } catch {
    return undefined;
  }
}

function versionOf(directory: string, name: string, key: string | null): readonly SnapshotSecret[] {
  const found = statOf(path.join(directory, key ?? name));
  if (found === undefined || !found.isFile()) return [];
  return [{ name, key, identity: String(found.ino), version: Math.trunc(found.mtimeMs) }];
}
