import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { ArchiveLimits } from '../archive/archive-limits.js';
import { encodeManifest, type Manifest } from '../archive/manifest.js';
import { type ArchiveOffer, receiveArchive, VERSION_FILES } from '../archive/receive-archive.js';
import { DURABLE_FILES, type DurableFiles } from './durable-files.js';
import {
  DamagedVersionError,
  type ExpectedVersion,
  expectedOf,
  VersionFolder,
} from './version-folder.js';

/** Folders of the store: installed versions by the digest of their archive, and what is coming. */
const OBJECTS = 'objects';
const STAGING = 'staging';
const DIGEST = /^[0-9a-f]{64}$/;

/** Settings of a {@link ResourceStore}. */
export interface ResourceStoreOptions {
  /** The store's own folder. */
  readonly directory: string;
  readonly limits: ArchiveLimits;
  /** The file system by default. */
  readonly files?: DurableFiles;
}

/** An archive that is complete and checked, and not installed yet. */
export interface StagedArchive {
  readonly manifest: Manifest;
  /** Installs it under its digest; afterwards it outlives the process. */
  install(): Promise<void>;
  /** Gives it up; nothing after {@link install}. */
  discard(): Promise<void>;
}

/**
 * The versions of resources on this node's disk, by the digest of their archive: equal archives are
 * stored once. Nothing is ever changed in place. What is coming is written beside, made durable and
 * moved in one step; whatever ends the process leaves a whole version or none.
 */
export class ResourceStore {
  readonly limits: ArchiveLimits;
  readonly #directory: string;
  readonly #files: DurableFiles;
  readonly #objects: string;
  readonly #staging: string;
  /** Digests that must stay although no record names them yet, with how often that was asked. */
  readonly #held = new Map<string, number>();
  #installing: Promise<unknown> = Promise.resolve();

  /** Nothing is done yet; {@link prepare} comes before everything else. */
  constructor({ directory, limits, files = DURABLE_FILES }: ResourceStoreOptions) {
    this.limits = limits;
    this.#directory = directory;
    this.#files = files;
    this.#objects = path.join(directory, OBJECTS);
    this.#staging = path.join(directory, STAGING);
  }

  /** Makes the folders, and removes what was coming when the process ended. */
  async prepare(): Promise<void> {
    for (const folder of [this.#objects, this.#staging]) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
    }
    for (const name of await this.#files.list(this.#staging)) {
      await this.#files.remove(path.join(this.#staging, name));
    }
    for (const folder of [this.#directory, path.dirname(this.#directory)]) {
      await this.#files.sync(folder);
    }
  }

  /**
   * Takes an archive as it comes.
   *
   * @throws ArchiveFault when it is refused; nothing of it is left then
   */
  async stage(offer: ArchiveOffer, body: AsyncIterable<Uint8Array>): Promise<StagedArchive> {
    const directory = path.join(this.#staging, randomBytes(12).toString('hex'));
    await this.#files.makeDirectory(directory);
    let manifest: Manifest;
    try {
      const { limits } = this;
      manifest = await receiveArchive({ files: this.#files, directory, limits }, offer, body);
      await this.#writeManifest(directory, manifest);
    } catch (error) {
      await this.#files.remove(directory);
      throw error;
    }
    return this.#staged(directory, manifest);
  }

  /** Whether an archive is installed; it may be damaged. */
  async has(digest: string): Promise<boolean> {
    return (await this.#files.list(this.#objects)).includes(digest);
  }

  /** The version of an archive that is installed. */
  folder(digest: string): VersionFolder {
    return new VersionFolder(path.join(this.#objects, digest));
  }

  /**
   * Compares an installed version with what the catalog says.
   *
   * @param signal ends the comparison with its reason
   * @throws DamagedVersionError when it is not that
   */
  verify(expected: ExpectedVersion, signal?: AbortSignal): Promise<Manifest> {
    return this.folder(expected.archiveDigest).verify(expected, signal);
  }

  /** Keeps {@link collect} from removing an archive until the returned function is called. */
  hold(digest: string): () => void {
    this.#held.set(digest, (this.#held.get(digest) ?? 0) + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const left = (this.#held.get(digest) ?? 1) - 1;
      if (left === 0) this.#held.delete(digest);
      else this.#held.set(digest, left);
    };
  }

  /**
   * Removes installed archives that nothing refers to any more.
   *
   * @param referenced asked when the removal is about to begin
   * @returns the digests that were removed
   */
  collect(referenced: () => ReadonlySet<string>): Promise<readonly string[]> {
    return this.#exclusively(async () => {
      const removed: string[] = [];
      const known = referenced();
      for (const name of await this.#files.list(this.#objects)) {
        if (this.#held.has(name) || known.has(name)) continue;
        // Another look before a removal: it may have been referred to meanwhile.
        if (referenced().has(name)) continue;
        await this.#removeObject(name);
        if (DIGEST.test(name)) removed.push(name);
      }
      return removed;
    });
  }

  #staged(directory: string, manifest: Manifest): StagedArchive {
    let isOver = false;
    return {
      manifest,
      install: async () => {
        isOver = true;
        await this.#exclusively(() => this.#install(directory, manifest));
      },
      discard: async () => {
        if (isOver) return;
        isOver = true;
        await this.#files.remove(directory);
      },
    };
  }

  /** One that is installed already stays, for it may be in use; unless it is damaged. */
  async #install(directory: string, manifest: Manifest): Promise<void> {
    const { digest } = manifest.archive;
    if (await this.has(digest)) {
      if (await this.#isWhole(manifest)) return this.#files.remove(directory);
      await this.#removeObject(digest);
    }
    await this.#files.rename(directory, path.join(this.#objects, digest));
    return this.#files.sync(this.#objects);
  }

  async #isWhole(manifest: Manifest): Promise<boolean> {
    try {
      await this.verify(expectedOf(manifest));
      return true;
    } catch (error) {
      if (error instanceof DamagedVersionError) return false;
      throw error;
    }
  }

  /** Moved away first: what is left of a removal that is cut off is never taken for a version. */
  async #removeObject(name: string): Promise<void> {
    const away = path.join(this.#staging, randomBytes(12).toString('hex'));
    await this.#files.rename(path.join(this.#objects, name), away);
    await this.#files.sync(this.#objects);
    await this.#files.remove(away);
  }

  async #writeManifest(directory: string, manifest: Manifest): Promise<void> {
    const name = path.join(directory, VERSION_FILES.manifest);
    const file = await this.#files.createFile(name);
    try {
      await file.write(encodeManifest(manifest));
    } finally {
      await file.close();
    }
    await this.#files.sync(name);
    await this.#files.sync(directory);
  }

  /** Installations and removals come one after the other. */
  async #exclusively<T>(work: () => Promise<T>): Promise<T> {
    const run = this.#installing.then(work);
    this.#installing = run.catch(() => undefined);
    return run;
  }
}
