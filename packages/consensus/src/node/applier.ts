import { assert } from '../assert.ts';
import { RaftError } from '../errors.ts';
import { decodeConfiguration } from '../raft/configuration-codec.ts';
import type { Entry } from '../raft/entry.ts';
import { type FeatureLevels, supportsLevel } from '../raft/feature-levels.ts';
import type { AppliedPosition, StateWrite } from '../storage/log-storage.ts';
import { ByteSlab, KEPT_SLAB_BYTES } from './byte-slab.ts';
import { APPLY_BYTES_MAX, type StateMachine } from './state-machine.ts';

/** The answer of one applied entry and the revision after it. */
export interface AppliedEntry {
  readonly result: Uint8Array;
  readonly revision: bigint;
}

/** At which feature level entries are applied, and who applies them. */
export interface AppliedLevel {
  readonly nodeId: string;
  /** What this release supports. */
  readonly levels: FeatureLevels;
  /** The one activated at the position that is begun from. */
  readonly level: number;
}

const NO_RESULT: Uint8Array = new Uint8Array(0);

/** Runs entries through the state machine ahead of their write and collects what to write. */
export class Applier {
  readonly #stateMachine: StateMachine;
  #position: AppliedPosition;
  #at: AppliedLevel;
  readonly #slab = new ByteSlab();
  readonly #payloads = new ByteSlab(KEPT_SLAB_BYTES);
  #writes: StateWrite[] = [];
  #bytes = 0;

  constructor(stateMachine: StateMachine, position: AppliedPosition, at: AppliedLevel) {
    this.#stateMachine = stateMachine;
    this.#position = position;
    this.#at = at;
  }

  /** Position after the newest applied entry, durable or not. */
  get position(): AppliedPosition {
    return this.#position;
  }

  /** Number of record changes collected and not taken. */
  get operations(): number {
    return this.#writes.length;
  }

  /** Their size in bytes of keys and values. */
  get bytes(): number {
    return this.#bytes;
  }

  /** What the newest applied entry left activated. */
  get at(): AppliedLevel {
    return this.#at;
  }

  /**
   * Applies the next entry. Throws `RAFT_APPLY_FAILED`, or `RAFT_LEVEL_UNSUPPORTED` for one that
   * activates what this release does not know, and is then of no further use.
   */
  apply(entry: Entry): AppliedEntry {
    assert(entry.index === this.#position.index + 1n, 'entries are applied without a gap');
    let { revision } = this.#position;
    let result: Uint8Array = NO_RESULT;
    if (entry.kind === 'normal') {
      const outcome = this.#run(entry, revision + 1n);
      result = outcome.result;
      if (outcome.changes > 0) revision += 1n;
    } else if (entry.kind === 'configuration') this.#activate(entry);
    this.#position = { index: entry.index, term: entry.term, revision };
    return { result, revision };
  }

  /** Takes the collected record changes. */
  take(): readonly StateWrite[] {
    const writes = this.#writes;
    this.#writes = [];
    this.#bytes = 0;
    return writes;
  }

  #activate({ payload }: Entry): void {
    const { level } = decodeConfiguration(payload);
    const { nodeId, levels } = this.#at;
    if (!supportsLevel(levels, level)) {
      throw new RaftError('RAFT_LEVEL_UNSUPPORTED', { nodeId, level, levels });
    }
    this.#at = { nodeId, levels, level };
  }

  /** Collects what the entry changes and gives a copy of its result. */
  #run(entry: Entry, revision: bigint): { readonly result: Uint8Array; readonly changes: number } {
    try {
      // The log may not be written yet, and must not hold what becomes of the payload here.
      const { index, term, kind, chain } = entry;
      const own = { index, term, kind, chain, payload: this.#payloads.copy(entry.payload) };
      const { writes, result } = this.#stateMachine.apply(own, { revision, level: this.#at.level });
      assert(Array.isArray(writes), 'the changes of an entry are an array');
      let bytes = 0;
      for (const write of writes) bytes += this.#collect(write);
      assert(bytes <= APPLY_BYTES_MAX, 'one entry changes a bounded number of bytes');
      assert(result instanceof Uint8Array, 'an entry has bytes as its result');
      this.#bytes += bytes;
      const copy = result.length === 0 ? NO_RESULT : new Uint8Array(result);
      return { result: copy, changes: writes.length };
    } catch (error) {
      throw applyError(entry, error);
    }
  }

  /** What is written is what the state machine said, whatever it does with its buffers next. */
  #collect({ key, value }: StateWrite): number {
    assert(key instanceof Uint8Array, 'the key of a record is bytes');
    assert(value === undefined || value instanceof Uint8Array, 'the value of a record is bytes');
    const slab = this.#slab;
    const own = value === undefined ? undefined : slab.copy(value);
    this.#writes.push({ key: slab.copy(key), value: own });
    return key.length + (value?.length ?? 0);
  }
}

function applyError(entry: Entry, cause: unknown): RaftError {
  return new RaftError('RAFT_APPLY_FAILED', { index: entry.index }, { cause });
}
