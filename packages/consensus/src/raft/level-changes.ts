import type { ConfigurationRecord } from './entry.ts';
import { FIRST_LEVEL } from './feature-levels.ts';

interface LevelChange {
  /** Index of the entry from which on the level is activated. */
  readonly index: bigint;
  readonly level: number;
}

/**
 * The feature level of every entry of the log. Configurations are forgotten once later ones are
 * committed; where levels began stays known for as long as the log may reach back to there.
 */
export class LevelChanges {
  #changes: LevelChange[] = [];

  constructor(records: readonly ConfigurationRecord[]) {
    this.replaced(records);
  }

  /** Index of the entry that activated the newest level in the log; 0 when none did. */
  get newestIndex(): bigint {
    return this.#changes.length > 1 ? (this.#changes.at(-1)?.index ?? 0n) : 0n;
  }

  /** The same among the entries up to `index`. */
  indexAt(index: bigint): bigint {
    return this.#changes.slice(1).findLast((change) => change.index <= index)?.index ?? 0n;
  }

  /** The level that is activated once the entry at `index` is applied. */
  levelAt(index: bigint): number {
    const found = this.#changes.findLast((change) => change.index <= index);
    return (found ?? this.#changes[0])?.level ?? FIRST_LEVEL;
  }

  append({ index, configuration: { level } }: ConfigurationRecord): void {
    if (this.#changes.at(-1)?.level !== level) this.#changes.push({ index, level });
  }

  truncate(from: bigint): void {
    if (this.newestIndex >= from) this.#changes = this.#changes.filter(({ index }) => index < from);
  }

  /** The log begins behind the first of these, which are all that it holds. */
  replaced(records: readonly ConfigurationRecord[]): void {
    this.#changes = [];
    for (const record of records) this.append(record);
  }
}
