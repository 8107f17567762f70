import type { Configuration } from './configuration.ts';
import type { ConfigurationRecord } from './entry.ts';
import { LevelChanges } from './level-changes.ts';
import type { MemberId } from './member-id.ts';
import { halvesOf, isSoleVoter, isVoter } from './membership.ts';
import type { VoterHalves } from './quorum.ts';

/**
 * The configurations of the log. The newest is in force from the moment it is appended, and the
 * one before is in force again when it is cut off.
 */
export class ConfigurationLog {
  readonly #self: MemberId;
  #records: ConfigurationRecord[];
  readonly #levels: LevelChanges;
  #halves: VoterHalves = [];
  #isSelfVoter = false;
  #isSelfSoleVoter = false;

  constructor(self: MemberId, records: readonly ConfigurationRecord[]) {
    this.#self = self;
    this.#records = [...records];
    this.#levels = new LevelChanges(records);
    this.#changed();
  }

  get newest(): Configuration | undefined {
    return this.#records.at(-1)?.configuration;
  }

  /** Index of the entry that introduced the newest; 0 when there is none. */
  get newestIndex(): bigint {
    return this.#records.at(-1)?.index ?? 0n;
  }

  /** Where in the log feature levels were activated. */
  get levels(): Pick<LevelChanges, 'levelAt' | 'newestIndex' | 'indexAt'> {
    return this.#levels;
  }

  /** The groups of voters that decide. */
  get halves(): VoterHalves {
    return this.#halves;
  }

  get isJoint(): boolean {
    return this.#halves.length > 1;
  }

  /** Whether this member's vote counts. */
  get isSelfVoter(): boolean {
    return this.#isSelfVoter;
  }

  /** Whether this member decides alone. */
  get isSelfSoleVoter(): boolean {
    return this.#isSelfSoleVoter;
  }

  append(record: ConfigurationRecord): void {
    this.#records.push(record);
    this.#levels.append(record);
    this.#changed();
  }

  /** Returns whether another one is in force now. */
  truncate(from: bigint): boolean {
    const before = this.#records.length;
    this.#levels.truncate(from);
    this.#records = this.#records.filter(({ index }) => index < from);
    if (this.#records.length === before) return false;
    this.#changed();
    return true;
  }

  /** Forgets those that nothing can bring back: all before the newest at or below `commit`. */
  committed(commit: bigint): void {
    if (this.#records.length < 2) return;
    const first = this.#records.findLastIndex(({ index }) => index <= commit);
    if (first > 0) this.#records = this.#records.slice(first);
  }

  /** A snapshot with this configuration took the place of the log up to `through`. */
  replaced(record: ConfigurationRecord, through: bigint, isSuffixKept: boolean): void {
    const kept = isSuffixKept ? this.#records.filter(({ index }) => index > through) : [];
    this.#records = [record, ...kept];
    this.#levels.replaced(this.#records);
    this.#changed();
  }

  #changed(): void {
    const { newest } = this;
    this.#halves = newest === undefined ? [] : halvesOf(newest);
    this.#isSelfVoter = newest !== undefined && isVoter(newest, this.#self);
    this.#isSelfSoleVoter = newest !== undefined && isSoleVoter(newest, this.#self);
  }
}
