import { contentDigest } from './digests.ts';
import type { StorePositions } from './level-batch.ts';
import { manifestKey, numberInKey, POSITIONS_KEY, sectionInKey, sectionKey } from './level-keys.ts';
import type { StoreReader } from './level-reader.ts';
import type { SnapshotManifest } from './log-storage.ts';
import { decodeManifest } from './manifest-codec.ts';
import type { StoredGeneration } from './position-codec.ts';
import { RECORD_KIND } from './record-frame.ts';
import { SnapshotGenerations } from './snapshot-generations.ts';

interface FoundManifest {
  readonly manifest: SnapshotManifest;
  readonly digest: string;
}

/** Finds out which generations of snapshots are whole, and which are there for nothing. */
export class SnapshotScan {
  readonly #reader: StoreReader;
  readonly #positions: StorePositions;
  readonly #manifests = new Map<bigint, FoundManifest>();
  readonly #sections = new Map<bigint, Set<number>>();
  readonly #generations = new Set<bigint>();

  constructor(reader: StoreReader, positions: StorePositions) {
    this.#reader = reader;
    this.#positions = positions;
  }

  visitManifest(key: Uint8Array, value: Uint8Array): void {
    const generation = this.#visitGeneration(key);
    const { active, installation } = this.#positions;
    const isNamed = generation === active?.generation || generation === installation?.generation;
    if (!isNamed) return;
    const found = this.#reader.decode(RECORD_KIND.manifest, key, value, (payload) => ({
      manifest: decodeManifest(payload),
      digest: contentDigest(payload),
    }));
    this.#manifests.set(generation, found);
  }

  visitUnreferenced(key: Uint8Array): void {
    this.#visitGeneration(key);
  }

  visitSection(key: Uint8Array): void {
    const found = sectionInKey(key);
    if (found === undefined) throw this.#reader.corrupt(key, 'unknown key');
    this.#generations.add(found.generation);
    const sections = this.#sections.get(found.generation) ?? new Set();
    this.#sections.set(found.generation, sections.add(found.section));
  }

  finish(): {
    readonly generations: SnapshotGenerations;
    readonly installation: SnapshotManifest | undefined;
  } {
    const { active, installation } = this.#positions;
    const activeManifest = this.#named(POSITIONS_KEY, active);
    const installed = this.#named(POSITIONS_KEY, installation);
    const { index } = this.#positions.applied.position;
    if (activeManifest !== undefined && activeManifest.index > index) {
      throw this.#reader.corrupt(POSITIONS_KEY, `snapshot is newer than applied ${index}`);
    }
    const unreferenced = [...this.#generations]
      .filter((it) => it !== active?.generation && it !== installation?.generation)
      .map((generation) => {
        const numbers = this.#sections.get(generation) ?? [];
        const sections = [...numbers].reduce((most, it) => Math.max(most, it + 1), 0);
        return { generation, sections };
      });
    const next = [...this.#generations].reduce((most, it) => (it >= most ? it + 1n : most), 1n);
    return {
      generations: new SnapshotGenerations(next, activeManifest, unreferenced),
      installation: installed,
    };
  }

  #visitGeneration(key: Uint8Array): bigint {
    const generation = numberInKey(key);
    if (generation === undefined) throw this.#reader.corrupt(key, 'unknown key');
    this.#generations.add(generation);
    return generation;
  }

  #named(pointer: Uint8Array, stored: StoredGeneration | undefined): SnapshotManifest | undefined {
    if (stored === undefined) return undefined;
    const { generation, manifestDigest } = stored;
    const found = this.#manifests.get(generation);
    if (found === undefined) {
      throw this.#reader.corrupt(manifestKey(generation), 'record is missing');
    }
    const { manifest } = found;
    if (found.digest !== manifestDigest || manifest.generation !== generation) {
      throw this.#reader.corrupt(pointer, 'manifest is another one');
    }
    for (let section = 0; section < manifest.sections.length; section += 1) {
      if (this.#sections.get(generation)?.has(section) === true) continue;
      throw this.#reader.corrupt(sectionKey(generation, section), 'record is missing');
    }
    return manifest;
  }
}
