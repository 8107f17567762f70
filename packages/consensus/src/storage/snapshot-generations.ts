import type { SnapshotManifest } from './log-storage.ts';

/** Sections of a generation that nobody refers to, still to be deleted. */
export interface UnreferencedGeneration {
  readonly generation: bigint;
  /** How many sections may be there. */
  readonly sections: number;
}

/**
 * Which generations of snapshots are kept: the active one, and at most one older that somebody has
 * pinned. All others are waiting to be deleted.
 */
export class SnapshotGenerations {
  #next: bigint;
  #active: SnapshotManifest | undefined;
  #older: SnapshotManifest | undefined;
  readonly #pins = new Map<bigint, number>();
  #unreferenced: UnreferencedGeneration[];

  /** `next` is greater than every generation of which anything is stored. */
  constructor(
    next: bigint,
    active: SnapshotManifest | undefined,
    unreferenced: readonly UnreferencedGeneration[] = [],
  ) {
    this.#next = next;
    this.#active = active;
    this.#unreferenced = [...unreferenced];
  }

  get active(): SnapshotManifest | undefined {
    return this.#active;
  }

  /** A number that no generation has had in this store. */
  draw(): bigint {
    const generation = this.#next;
    this.#next += 1n;
    return generation;
  }

  /** Manifest of a generation that is kept. */
  kept(generation: bigint): SnapshotManifest | undefined {
    return [this.#active, this.#older].find((it) => it?.generation === generation);
  }

  /** Keeps a generation, if it is still there, until the returned function is called. */
  pin(generation: bigint): () => void {
    if (this.kept(generation) === undefined) return () => {};
    this.#pins.set(generation, (this.#pins.get(generation) ?? 0) + 1);
    let isPinned = true;
    return () => {
      if (isPinned) this.#unpin(generation);
      isPinned = false;
    };
  }

  /** Generations that lose their place when another one becomes active. */
  displaced(): readonly bigint[] {
    const displaced: bigint[] = [];
    const active = this.#active?.generation;
    if (active === undefined) return displaced;
    if (!this.#pins.has(active)) return [active];
    if (this.#older !== undefined) displaced.push(this.#older.generation);
    return displaced;
  }

  /** Makes a complete generation the active one. */
  publish(manifest: SnapshotManifest): void {
    const before = this.#active;
    if (before !== undefined && this.#pins.has(before.generation)) {
      if (this.#older !== undefined) this.#drop(this.#older);
      this.#older = before;
    } else if (before !== undefined) {
      this.#drop(before);
    }
    this.#active = manifest;
  }

  /** Gives up a generation of which this many sections were written. */
  discard(generation: bigint, sections: number): void {
    this.#unreferenced.push({ generation, sections });
  }

  /**
   * Takes sections to be deleted, at most `countMax`; `isLast` with the last ones of a generation.
   */
  takeUnreferenced(countMax: number):
    | {
        readonly generation: bigint;
        readonly from: number;
        readonly to: number;
        readonly isLast: boolean;
      }
    | undefined {
    const first = this.#unreferenced[0];
    if (first === undefined) return undefined;
    const { generation, sections } = first;
    const from = Math.max(0, sections - countMax);
    if (from === 0) this.#unreferenced.shift();
    else this.#unreferenced[0] = { generation, sections: from };
    return { generation, from, to: sections, isLast: from === 0 };
  }

  #unpin(generation: bigint): void {
    const pins = (this.#pins.get(generation) ?? 1) - 1;
    if (pins > 0) {
      this.#pins.set(generation, pins);
      return;
    }
    this.#pins.delete(generation);
    if (this.#older?.generation !== generation) return;
    this.#drop(this.#older);
    this.#older = undefined;
  }

  #drop({ generation, sections }: SnapshotManifest): void {
    this.#pins.delete(generation);
    this.#unreferenced.push({ generation, sections: sections.length });
  }
}
