import { CHAIN_BYTES, type ConfigurationRecord } from '../raft/entry.ts';
import { chainOf } from './digests.ts';
import { EntryCheck } from './entry-check.ts';
import { decodeEntry, ENTRY_KIND_CODE } from './entry-codec.ts';
import type { StorePositions } from './level-batch.ts';
import { APPLIED_KEY, BOUNDS_KEY, configurationKey, numberInKey } from './level-keys.ts';
import type { StoreReader } from './level-reader.ts';
import { LogIndex } from './log-index.ts';
import { LogLeftovers } from './log-leftovers.ts';
import { storedConfiguration } from './manifest-codec.ts';
import type { StoredBounds } from './position-codec.ts';
import { RECORD_KIND } from './record-frame.ts';
import { configurationAt, configurationDigest } from './stored-configurations.ts';

/** Checks that the log is there from its first to its last entry, each following its neighbour. */
export class LogScan {
  readonly leftovers: LogLeftovers = new LogLeftovers();
  readonly #reader: StoreReader;
  readonly #positions: StorePositions;
  readonly #log: LogIndex;
  readonly #check = new EntryCheck();
  readonly #configurations = new Map<bigint, Uint8Array>();
  #chain: Uint8Array;
  #next: bigint;
  #term: bigint;
  /** Run of entries outside of the bounds. */
  #leftover: { readonly from: bigint; to: bigint } | undefined;

  constructor(reader: StoreReader, positions: StorePositions) {
    const { purged } = positions.bounds;
    this.#reader = reader;
    this.#positions = positions;
    this.#log = new LogIndex(purged);
    this.#chain = purged.chain;
    this.#next = purged.index + 1n;
    this.#term = purged.term;
  }

  /** Payloads of the stored entries that introduce configurations, by index. */
  get configurations(): ReadonlyMap<bigint, Uint8Array> {
    return this.#configurations;
  }

  visit(key: Uint8Array, value: Uint8Array): void {
    if (!this.#visitNext(key, value)) this.#visitClosely(key, value);
  }

  /** The next ordinary entry, if that is what it is and nothing is wrong with it. */
  #visitNext(key: Uint8Array, value: Uint8Array): boolean {
    const check = this.#check;
    const index = this.#next;
    if (!check.load(key, value) || check.index !== index) return false;
    if (index > this.#positions.bounds.last.index) return false;
    const { term, chain, payload, payloadLength } = check;
    if (check.kindCode !== ENTRY_KIND_CODE.normal || term < this.#term) return false;
    const expected = chainOf(this.#chain, { index, term, kind: 'normal', payload });
    if (!isSameChain(expected, chain)) return false;
    this.#log.append({ index, term, chain, bytes: payloadLength });
    this.#chain = expected;
    this.#next = index + 1n;
    this.#term = term;
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
    if (index !== this.#next) {
      throw this.#reader.corrupt(key, `entry ${this.#next} is missing before it`);
    }
    if (entry.term < this.#term) {
      throw this.#reader.corrupt(key, 'term is older than the one before');
    }
    if (!isSameChain(chainOf(this.#chain, entry), entry.chain)) {
      throw this.#reader.corrupt(key, 'does not follow from the entry before');
    }
    const { term, chain, payload } = entry;
    this.#log.append({ index, term, chain, bytes: payload.length });
    if (entry.kind === 'configuration') this.#configurations.set(index, entry.payload);
    this.#chain = entry.chain;
    this.#next += 1n;
    this.#term = entry.term;
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

function isSameChain(left: Uint8Array, right: Uint8Array): boolean {
  for (let i = 0; i < CHAIN_BYTES; i += 1) if (left[i] !== right[i]) return false;
  return true;
}
