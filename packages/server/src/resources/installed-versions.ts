import type { Logger } from '../logging/logger.js';
import type { ResourceIndex } from '../replicated-state/resource-index.js';
import type { ResourceVersionRecord } from '../replicated-state/resource-records.js';
import type { Manifest, ManifestEntry } from './archive/manifest.js';
import { expectedContent, versionName } from './resource-catalog.js';
import type { ResourceStore } from './store/resource-store.js';
import { DamagedVersionError } from './store/version-folder.js';

/** A version on this node's disk whose every byte was compared. */
export interface InstalledVersion {
  readonly kind: 'installed';
  /** Folder of its files. */
  readonly directory: string;
  readonly entries: readonly ManifestEntry[];
  /**
   * Reads one file and compares it again.
   *
   * @returns undefined where the version has no such file
   * @throws DamagedVersionError when it changed since it was compared
   */
  readFile(path: string): Promise<Buffer | undefined>;
}

/** Why a version cannot be used on this node. */
export interface UnavailableVersion {
  readonly kind: 'unavailable';
  readonly reason: string;
}

interface Checked {
  readonly manifestChecksum: string;
  /** Rejects for a version that is damaged. What it holds is not kept: that may be much. */
  readonly whole: Promise<void>;
}

/** The versions on this node's disk. Each is compared with the catalog once before it is used. */
export class InstalledVersions {
  readonly #store: ResourceStore;
  readonly #resources: ResourceIndex;
  readonly #signal: AbortSignal;
  readonly #checked = new Map<string, Checked>();
  readonly #damage = new Map<string, string>();

  /** @param signal fires when the node stops, which ends every comparison */
  constructor(store: ResourceStore, resources: ResourceIndex, signal: AbortSignal) {
    this.#store = store;
    this.#resources = resources;
    this.#signal = signal;
  }

  /** The content of a completed version. */
  async open(
    domain: string,
    resource: string,
    version: number,
  ): Promise<InstalledVersion | UnavailableVersion> {
    const record = this.#resources.version(domain, resource, version);
    const name = versionName({ resource, version });
    if (record?.state !== 'completed') {
      const reason = `resource '${name}' is not a completed version in domain '${domain}'`;
      return { kind: 'unavailable', reason };
    }
    try {
      await this.#check(record);
      return this.#installed(record, await this.manifest(record));
    } catch (error) {
      if (!(error instanceof DamagedVersionError)) throw error;
      return { kind: 'unavailable', reason: `resource '${name}' is damaged: ${error.message}` };
    }
  }

  /**
   * What a version holds, read without comparing its files.
   *
   * @throws DamagedVersionError when its manifest is not the one that was installed
   */
  manifest(record: ResourceVersionRecord): Promise<Manifest> {
    return this.#store.folder(record.archiveDigest).manifest(expectedContent(record));
  }

  /** What was last found wrong with a version on this node, or undefined. */
  damageOf({ archiveDigest }: ResourceVersionRecord): string | undefined {
    return this.#damage.get(archiveDigest);
  }

  /** Compares every version that may be used; what is damaged is logged by name. */
  async checkAll(logger: Logger): Promise<void> {
    for (const record of this.#resources.everyVersion()) {
      if (record.state !== 'completed') continue;
      const error = await this.#check(record).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      if (this.#signal.aborted) return;
      if (error === undefined) continue;
      const facts = { domain: record.domain, resource: versionName(record) };
      logger.error('a resource version is damaged', facts, error);
    }
  }

  /** Forgets what was found, so that the next use looks again. */
  forget(archiveDigest: string): void {
    this.#checked.delete(archiveDigest);
    this.#damage.delete(archiveDigest);
  }

  #check(record: ResourceVersionRecord): Promise<void> {
    const { archiveDigest, manifestChecksum } = record;
    const known = this.#checked.get(archiveDigest);
    if (known?.manifestChecksum === manifestChecksum) return known.whole;
    const whole = this.#store.verify(expectedContent(record), this.#signal).then(() => undefined);
    this.#checked.set(archiveDigest, { manifestChecksum, whole });
    whole.catch((error: unknown) => {
      // What is damaged may be mended by the next upload: it is looked at again.
      this.#checked.delete(archiveDigest);
      if (error instanceof DamagedVersionError) this.#damage.set(archiveDigest, error.message);
    });
    return whole;
  }

  #installed(record: ResourceVersionRecord, { entries }: Manifest): InstalledVersion {
    const folder = this.#store.folder(record.archiveDigest);
    const files = new Map(entries.map((entry) => [entry.path, entry]));
    return {
      kind: 'installed',
      directory: folder.tree,
      entries,
      readFile: async (path) => {
        const entry = files.get(path);
        return entry?.type === 'file' ? folder.readFile(entry) : undefined;
      },
    };
  }
}
