import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, open, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { quoted } from '../archive/entry-path.js';
import {
  decodeManifest,
  type Manifest,
  type ManifestEntry,
  manifestFigures,
} from '../archive/manifest.js';
import { VERSION_FILES } from '../archive/receive-archive.js';

/** What the catalog says that a version must be. */
export interface ExpectedVersion {
  readonly archiveDigest: string;
  readonly rootChecksum: string;
  readonly manifestChecksum: string;
}

/** What a manifest's own version must be. */
export function expectedOf(manifest: Manifest): ExpectedVersion {
  const { rootChecksum, manifestChecksum } = manifestFigures(manifest);
  return { archiveDigest: manifest.archive.digest, rootChecksum, manifestChecksum };
}

/**
 * What lies on disk is not what was installed. The message names the file; its content is never told.
 */
export class DamagedVersionError extends Error {
  override readonly name = 'DamagedVersionError';
}

/** Bytes of an archive that are read at once. */
const CHUNK_BYTES = 256 * 1_024;

/** One installed version on this node's disk, read with every byte compared. */
export class VersionFolder {
  /** Where the archive, its manifest and its files lie. */
  readonly directory: string;

  constructor(directory: string) {
    this.directory = directory;
  }

  /** Folder of the unpacked files. */
  get tree(): string {
    return path.join(this.directory, VERSION_FILES.tree);
  }

  /**
   * Reads the manifest.
   *
   * @throws DamagedVersionError when it is not the one that was installed
   */
  async manifest(expected: ExpectedVersion): Promise<Manifest> {
    const name = path.join(this.directory, VERSION_FILES.manifest);
    const bytes = await readFile(name).catch(notReadable('the manifest'));
    const found = createHash('sha256').update(bytes).digest('hex');
    if (found !== expected.manifestChecksum) throw damaged('the manifest is not as installed');
    const manifest = decodeManifest(bytes);
    const { rootChecksum } = manifestFigures(manifest);
    const isSame =
      rootChecksum === expected.rootChecksum && manifest.archive.digest === expected.archiveDigest;
    if (!isSame) throw damaged('the manifest is of another archive');
    return manifest;
  }

  /**
   * Compares everything that a version consists of with what was installed.
   *
   * @param signal ends the comparison with its reason
   * @throws DamagedVersionError for the first difference
   */
  async verify(expected: ExpectedVersion, signal?: AbortSignal): Promise<Manifest> {
    const manifest = await this.manifest(expected);
    const { digest, bytes } = manifest.archive;
    const archive = path.join(this.directory, VERSION_FILES.archive);
    await verifyFile(archive, { size: bytes, checksum: digest, shown: 'the archive' }, signal);
    const held = await this.#names();
    for (const entry of manifest.entries) {
      if (!held.delete(entry.path)) throw damaged(`${quoted(entry.path)} is missing`);
      await this.#verifyEntry(entry, signal);
    }
    const [foreign] = held;
    if (foreign !== undefined) throw damaged(`${quoted(foreign)} was not installed`);
    return manifest;
  }

  /**
   * Reads one file and compares it.
   *
   * @throws DamagedVersionError when it is not what was installed
   */
  async readFile(entry: Extract<ManifestEntry, { type: 'file' }>): Promise<Buffer> {
    const bytes = await readFile(path.join(this.tree, entry.path)).catch(
      notReadable(quoted(entry.path)),
    );
    const checksum = createHash('sha256').update(bytes).digest('hex');
    if (checksum !== entry.checksum) throw damaged(`${quoted(entry.path)} is not as installed`);
    return bytes;
  }

  /** The archive as it was sent, from an offset on; bytes are compared by whoever installs them. */
  async *archive(offset = 0): AsyncGenerator<Uint8Array> {
    const name = path.join(this.directory, VERSION_FILES.archive);
    // Opened by the first read: who needs nothing of it leaves nothing open.
    yield* createReadStream(name, { start: offset, highWaterMark: CHUNK_BYTES });
  }

  async #verifyEntry(entry: ManifestEntry, signal?: AbortSignal): Promise<void> {
    const name = path.join(this.tree, entry.path);
    const shown = quoted(entry.path);
    if (entry.type === 'file') return verifyFile(name, { ...entry, shown }, signal);
    const found = await lstat(name).catch(notReadable(shown));
    if (!found.isDirectory()) throw damaged(`${shown} is no directory`);
    return undefined;
  }

  /** Every path below the tree. */
  async #names(): Promise<Set<string>> {
    const options = { recursive: true, withFileTypes: true } as const;
    const found = await readdir(this.tree, options).catch(notReadable('its files'));
    return new Set(
      found.map(({ parentPath, name }) =>
        path.relative(this.tree, path.join(parentPath, name)).replaceAll(path.sep, '/'),
      ),
    );
  }
}

/** What a file must be, and how it is called. */
interface ExpectedFile {
  readonly size: number;
  readonly checksum: string;
  readonly shown: string;
}

async function verifyFile(
  name: string,
  { size, checksum, shown }: ExpectedFile,
  signal?: AbortSignal,
): Promise<void> {
  signal?.throwIfAborted();
  const opened = await open(name, 'r').catch(notReadable(shown));
  try {
    const found = await opened.stat();
    if (!found.isFile() || found.size !== size) throw damaged(`${shown} is not as installed`);
    const hash = createHash('sha256');
    for await (const chunk of opened.createReadStream({
      autoClose: false,
      highWaterMark: CHUNK_BYTES,
    })) {
      signal?.throwIfAborted();
      hash.update(chunk);
    }
    if (hash.digest('hex') !== checksum) throw damaged(`${shown} is not as installed`);
  } finally {
    await opened.close();
  }
}

function damaged(message: string): DamagedVersionError {
  return new DamagedVersionError(message);
}

/** What the system lacks for a moment, which says nothing about a version. */
const TRANSIENT: ReadonlySet<string | undefined> = new Set([
  'EMFILE',
  'ENFILE',
  'ENOMEM',
  'EAGAIN',
]);

function notReadable(shown: string): (error: NodeJS.ErrnoException) => never {
  return (error) => {
    if (TRANSIENT.has(error.code)) throw error;
    throw damaged(`${shown} cannot be read (${error.code ?? 'unknown'})`);
  };
}
