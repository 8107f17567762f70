import type { ConfigurationRecord } from '../raft/entry.ts';
import type { MemberId } from '../raft/member-id.ts';
import { isSoleVoter } from '../raft/membership.ts';
import type { SnapshotMeta } from '../raft/message.ts';

/** Configurations that some index of the log may still ask for, in order. */
export class ConfigurationHistory {
  #records: ConfigurationRecord[];

  constructor(records: readonly ConfigurationRecord[]) {
    this.#records = [...records];
  }

  /** The one in force in this member, committed or not. */
  get newest(): ConfigurationRecord | undefined {
    return this.#records.at(-1);
  }

  /** Whether `self` decides alone. */
  isSoleVoter(self: MemberId): boolean {
    const newest = this.newest?.configuration;
    return newest !== undefined && isSoleVoter(newest, self);
  }

  /** Whether `self` decides alone and no one else receives the log. */
  isSoleMember(self: MemberId): boolean {
    return this.isSoleVoter(self) && this.newest?.configuration.learners.length === 0;
  }

  /** The one in force at `index`. What lies before it is forgotten. */
  at(index: bigint): ConfigurationRecord | undefined {
    const found = this.#records.findLastIndex((record) => record.index <= index);
    if (found < 0) return undefined;
    this.#records = this.#records.slice(found);
    return this.#records[0];
  }

  append(record: ConfigurationRecord): void {
    this.#records.push(record);
  }

  truncate(from: bigint): void {
    this.#records = this.#records.filter(({ index }) => index < from);
  }

  /** A snapshot took the place of everything up to it, in a log that now ends at `lastIndex`. */
  replaced(snapshot: SnapshotMeta, lastIndex: bigint): void {
    const { configuration, configurationIndex } = snapshot;
    const isKept = ({ index }: ConfigurationRecord) => index > snapshot.index && index <= lastIndex;
    this.#records = [{ index: configurationIndex, configuration }, ...this.#records.filter(isKept)];
  }
}
