import type { ConfigurationRecord } from '../raft/entry.ts';
import { MalformedBytesError } from './byte-codec.ts';
import { EntrySequence, isSameChain } from './entry-sequence.ts';
import type { StorePositions } from './level-batch.ts';
import {
  type BlockPlace,
  configurationKey,
  numberInKey,
  POSITIONS_KEY,
  placeInKey,
} from './level-keys.ts';
import type { StoreReader } from './level-reader.ts';
import { BlockCursor } from './log-block.ts';
import { LogBlocks } from './log-blocks.ts';
import { LogIndex } from './log-index.ts';
import { LogLeftovers } from './log-leftovers.ts';
import type { LogVerification } from './log-verification.ts';
import { storedConfiguration } from './manifest-codec.ts';
import type { StoredBounds } from './position-codec.ts';
import { RECORD_KIND, unverifiedPayload } from './record-frame.ts';
import { configurationAt, configurationDigest } from './stored-configurations.ts';

/** Checks that the log is there from its first to its last entry, each following its neighbour. */
export class LogScan {
  readonly leftovers: LogLeftovers = new LogLeftovers();
  readonly blocks: LogBlocks;
  readonly #reader: StoreReader;
  readonly #positions: StorePositions;
  readonly #aside: LogVerification | undefined;
  readonly #log: LogIndex;
  readonly #sequence: EntrySequence;
  readonly #configurations = new Map<bigint, Uint8Array>();

  /** With `aside`, checksums and chain are verified there and nothing here is final without it. */
  constructor(reader: StoreReader, positions: StorePositions, aside?: LogVerification) {
    const { purged, epoch } = positions.bounds;
    this.blocks = new LogBlocks(epoch);
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
    const place = placeInKey(key);
    if (place === undefined) throw this.#reader.corrupt(key, 'unknown key');
    const { epoch } = this.#positions.bounds;
    if (place.epoch > epoch) {
      throw this.#reader.corrupt(key, `belongs to epoch ${place.epoch}, behind ${epoch}`);
    }
    if (place.epoch < epoch) this.leftovers.add(place);
    else this.#visitBlock(place, key, value);
  }

  #visitBlock(place: BlockPlace, key: Uint8Array, value: Uint8Array): void {
    const { first } = place;
    const isStart = this.blocks.count === 0;
    try {
      const payload = this.#payloadOf(first, key, value);
      if (isStart && this.#isPurged(payload, first)) {
        this.leftovers.add(place);
        return;
      }
      this.#checkPlace(key, first, isStart);
      this.blocks.append(first);
      this.#takeEntries(new BlockCursor(payload, first));
    } catch (error) {
      if (!(error instanceof MalformedBytesError)) throw error;
      throw this.#reader.corrupt(key, error.message, error);
    }
    this.#aside?.push(first, value);
  }

  #payloadOf(first: bigint, key: Uint8Array, value: Uint8Array): Uint8Array {
    // What may have left the log is looked at nowhere else.
    const isPushed = first > this.#positions.bounds.purged.index;
    if (this.#aside !== undefined && isPushed) {
      return unverifiedPayload(RECORD_KIND.block, value, this.#reader.level);
    }
    return this.#reader.decode(RECORD_KIND.block, key, value, (it) => it);
  }

  /** Whether all entries of a block have left the log. */
  #isPurged(payload: Uint8Array, first: bigint): boolean {
    const { purged } = this.#positions.bounds;
    if (first > purged.index) return false;
    const cursor = new BlockCursor(payload, first);
    while (cursor.next()) if (cursor.index > purged.index) return false;
    return true;
  }

  #checkPlace(key: Uint8Array, first: bigint, isStart: boolean): void {
    const { next } = this.#sequence;
    const { last } = this.#positions.bounds;
    if (first > last.index) throw this.#reader.corrupt(key, `lies behind the end ${last.index}`);
    if (first > next) throw this.#reader.corrupt(key, `entry ${next} is missing before it`);
    if (first < next && !isStart) throw this.#reader.corrupt(key, 'overlaps the block before');
  }

  #takeEntries(cursor: BlockCursor): void {
    const { last } = this.#positions.bounds;
    while (cursor.next()) {
      const { index } = cursor;
      if (index < this.#sequence.next) continue;
      if (index > last.index) throw new MalformedBytesError(`goes on behind the end ${last.index}`);
      if (this.#aside === undefined) this.#sequence.take(cursor);
      else this.#sequence.takeForm(cursor);
      this.#log.append({ ...this.#sequence.newest, bytes: cursor.payload.length });
      if (cursor.kind !== 'configuration') continue;
      this.#configurations.set(index, new Uint8Array(cursor.payload));
    }
  }

  finish(): LogIndex {
    const { bounds, applied } = this.#positions;
    const { last } = this.#log;
    if (last.index !== bounds.last.index) {
      const problem = `log ends at ${last.index}, not ${bounds.last.index}`;
      throw this.#reader.corrupt(POSITIONS_KEY, problem);
    }
    if (!isSameChain(last.chain, bounds.last.chain) || last.term !== bounds.last.term) {
      throw this.#reader.corrupt(POSITIONS_KEY, 'last entry is another one');
    }
    if (this.#log.termAt(applied.position.index) !== applied.position.term) {
      throw this.#reader.corrupt(POSITIONS_KEY, 'applied entry has another term');
    }
    return this.#log;
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
      throw this.#reader.corrupt(POSITIONS_KEY, problem);
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
