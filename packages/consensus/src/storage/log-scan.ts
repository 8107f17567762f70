import type { ConfigurationRecord } from '../raft/entry.ts';
import { ENTRY_KIND_CODE } from '../raft/entry-kind.ts';
import { chainOf } from './digests.ts';
import { decodeEntry } from './entry-codec.ts';
import { EntrySequence, isSameChain } from './entry-sequence.ts';
import type { StorePositions } from './level-batch.ts';
import { APPLIED_KEY, BOUNDS_KEY, configurationKey, numberInKey } from './level-keys.ts';
import type { StoreReader } from './level-reader.ts';
import { LogIndex } from './log-index.ts';
import { LogLeftovers } from './log-leftovers.ts';
import type { LogVerification } from './log-verification.ts';
import { storedConfiguration } from './manifest-codec.ts';
import type { StoredBounds } from './position-codec.ts';
import { RECORD_KIND } from './record-frame.ts';
import { configurationAt, configurationDigest } from './stored-configurations.ts';

/** Checks that the log is there from its first to its last entry, each following its neighbour. */
export class LogScan {
  readonly leftovers: LogLeftovers = new LogLeftovers();
  readonly #reader: StoreReader;
  readonly #positions: StorePositions;
  readonly #aside: LogVerification | undefined;
  readonly #log: LogIndex;
  readonly #sequence: EntrySequence;
  readonly #configurations = new Map<bigint, Uint8Array>();
  /** Run of entries outside of the bounds. */
  #leftover: { readonly from: bigint; to: bigint } | undefined;

  /** With `aside`, checksums and chain are verified there and nothing here is final without it. */
  constructor(reader: StoreReader, positions: StorePositions, aside?: LogVerification) {
    const { purged } = positions.bounds;
    this.#reader = reader;
    this.#positions = positions;
    this.#aside = aside;
    this.#log = new LogIndex(purged);
    this.#sequence = new EntrySequence(purged);
  }

  /** Payloads of the stored entries that introduce configurations, by index. */
  get configurations(): ReadonlyMap<bigint, Uint8Array> {
    return this.#configurations;
  }

  visit(key: Uint8Array, value: Uint8Array): void {
    if (!this.#visitNext(key, value)) this.#visitClosely(key, value);
  }

  /** The next entry, if that is what it is and nothing is wrong with it. */
  #visitNext(key: Uint8Array, value: Uint8Array): boolean {
    const sequence = this.#sequence;
    if (sequence.next > this.#positions.bounds.last.index) return false;
    const isTaken =
      this.#aside === undefined ? sequence.take(key, value) : sequence.takeForm(key, value);
    if (!isTaken) return false;
    const { index, term, chain, kindCode, payload, payloadLength } = sequence.entry;
    this.#log.append({ index, term, chain, bytes: payloadLength });
    if (kindCode === ENTRY_KIND_CODE.configuration) {
      this.#configurations.set(index, new Uint8Array(payload));
    }
    this.#aside?.push(value);
    return true;
  }

  #visitClosely(key: Uint8Array, value: Uint8Array): void {
    const index = numberInKey(key);
    if (index === undefined) throw this.#reader.corrupt(key, 'unknown key');
    const { purged, last } = this.#positions.bounds;
    if (index <= purged.index || index > last.index) {
      this.#visitLeftover(index);
      return;
    }
    const entry = this.#reader.decode(RECORD_KIND.entry, key, value, decodeEntry);
    if (index !== entry.index) throw this.#reader.corrupt(key, `holds entry ${entry.index}`);
    const sequence = this.#sequence;
    if (index !== sequence.next) {
      throw this.#reader.corrupt(key, `entry ${sequence.next} is missing before it`);
    }
    if (entry.term < sequence.term) {
      throw this.#reader.corrupt(key, 'term is older than the one before');
    }
    if (!isSameChain(chainOf(sequence.chain, entry), entry.chain)) {
      throw this.#reader.corrupt(key, 'does not follow from the entry before');
    }
    const { term, chain, payload } = entry;
    this.#log.append({ index, term, chain, bytes: payload.length });
    if (entry.kind === 'configuration') this.#configurations.set(index, entry.payload);
    sequence.passed(entry);
    this.#aside?.push(value);
  }

  finish(): LogIndex {
    const { bounds, applied } = this.#positions;
    const { last } = this.#log;
    if (last.index !== bounds.last.index) {
      const problem = `log ends at ${last.index}, not ${bounds.last.index}`;
      throw this.#reader.corrupt(BOUNDS_KEY, problem);
    }
    if (!isSameChain(last.chain, bounds.last.chain) || last.term !== bounds.last.term) {
      throw this.#reader.corrupt(BOUNDS_KEY, 'last entry is another one');
    }
    if (this.#log.termAt(applied.position.index) !== applied.position.term) {
      throw this.#reader.corrupt(APPLIED_KEY, 'applied entry has another term');
    }
    if (this.#leftover !== undefined) this.leftovers.add(this.#leftover.from, this.#leftover.to);
    return this.#log;
  }

  #visitLeftover(index: bigint): void {
    const run = this.#leftover;
    if (run?.to === index - 1n) {
      run.to = index;
      return;
    }
    if (run !== undefined) this.leftovers.add(run.from, run.to);
    this.#leftover = { from: index, to: index };
  }
}

/** Checks the configurations against the entries that introduced them. */
export class ConfigurationScan {
  readonly #reader: StoreReader;
  readonly #positions: StorePositions;
  readonly #log: LogScan;
  readonly #records: ConfigurationRecord[] = [];
  readonly #leftovers: bigint[] = [];

  constructor(reader: StoreReader, positions: StorePositions, log: LogScan) {
    this.#reader = reader;
    this.#positions = positions;
    this.#log = log;
  }

  /** Comes after all entries were visited. */
  visit(key: Uint8Array, value: Uint8Array): void {
    const index = numberInKey(key);
    if (index === undefined) throw this.#reader.corrupt(key, 'unknown key');
    const { bounds } = this.#positions;
    const isInLog = index > bounds.purged.index && index <= bounds.last.index;
    if (!isInLog && index !== bounds.configurationIndex) {
      this.#leftovers.push(index);
      return;
    }
    const payload = this.#reader.decode(RECORD_KIND.configuration, key, value, (it) => it);
    const introduced = this.#log.configurations.get(index);
    const isIntroduced = introduced !== undefined && Buffer.compare(introduced, payload) === 0;
    if (isInLog && !isIntroduced) throw this.#reader.corrupt(key, 'differs from its entry');
    const configuration = this.#reader.decode(
      RECORD_KIND.configuration,
      key,
      value,
      storedConfiguration,
    );
    this.#records.push({ index, configuration });
  }

  finish(): {
    readonly configurations: readonly ConfigurationRecord[];
    readonly leftoverConfigurations: readonly bigint[];
  } {
    const { bounds, applied } = this.#positions;
    this.#checkPresent(bounds);
    const inForce = configurationAt(this.#records, applied.position.index);
    if ((inForce?.index ?? 0n) !== applied.configurationIndex) {
      const problem = `the configuration of entry ${applied.configurationIndex} is not in force`;
      throw this.#reader.corrupt(APPLIED_KEY, problem);
    }
    return { configurations: this.#records, leftoverConfigurations: this.#leftovers };
  }

  #checkPresent({ purged, configurationIndex, configurationDigest: digest }: StoredBounds): void {
    const found = new Set(this.#records.map(({ index }) => index));
    for (const index of this.#log.configurations.keys()) {
      if (!found.has(index)) {
        throw this.#reader.corrupt(configurationKey(index), 'record is missing');
      }
    }
    const first = configurationAt(this.#records, purged.index);
    if ((first?.index ?? 0n) !== configurationIndex) {
      throw this.#reader.corrupt(configurationKey(configurationIndex), 'record is missing');
    }
    if (Buffer.compare(configurationDigest(first?.configuration), digest) !== 0) {
      throw this.#reader.corrupt(configurationKey(configurationIndex), 'is another one');
    }
  }
}
