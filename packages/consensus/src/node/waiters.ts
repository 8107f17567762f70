import { RaftError } from '../errors.ts';

/** What the application of an entry made, for the one who proposed it. */
export interface EntryResult {
  readonly index: bigint;
  readonly term: bigint;
  readonly revision: bigint;
  readonly result: Uint8Array;
}

/** Someone who waits for the outcome of an entry. */
export interface Waiting {
  readonly resolve: (result: EntryResult) => void;
  readonly reject: (error: unknown) => void;
}

interface Waiter {
  readonly waiting: Waiting;
  readonly term: bigint;
  applied: EntryResult | undefined;
}

/**
 * Who waits for which entry of the log. A higher term alone decides nothing: only what is applied
 * at the index, or the loss of the entry, does.
 */
export class Waiters {
  readonly #byIndex = new Map<bigint, Waiter>();
  readonly #settled: (waiting: Waiting) => void;

  /** `settled` is told of everyone who no longer waits, before they get their outcome. */
  constructor(settled: (waiting: Waiting) => void) {
    this.#settled = settled;
  }

  add(index: bigint, term: bigint, waiting: Waiting): void {
    this.#byIndex.set(index, { waiting, term, applied: undefined });
  }

  /** Keeps the result of an entry until it is durable. */
  applied(result: EntryResult): void {
    const waiter = this.#byIndex.get(result.index);
    if (waiter !== undefined) waiter.applied = result;
  }

  /** Answers, in order, everyone who waits for an entry in the range, which is now durable. */
  settle(from: bigint, through: bigint): void {
    if (this.#byIndex.size === 0) return;
    for (let index = from; index <= through; index += 1n) {
      const waiter = this.#byIndex.get(index);
      if (waiter === undefined) continue;
      this.#remove(index, waiter);
      const { applied, term, waiting } = waiter;
      if (applied?.term === term) waiting.resolve(applied);
      else waiting.reject(new RaftError('RAFT_LEADERSHIP_LOST', {}));
    }
  }

  /** The entries from `from` on are gone from this log, and may yet be committed elsewhere. */
  truncated(from: bigint): void {
    for (const [index, waiter] of this.#byIndex) {
      if (index < from) continue;
      this.#remove(index, waiter);
      waiter.waiting.reject(new RaftError('RAFT_LEADERSHIP_LOST', {}));
    }
  }

  /** A snapshot replaced the log up to `through`. */
  replaced(through: bigint): void {
    for (const [index, waiter] of this.#byIndex) {
      if (index > through) continue;
      this.#remove(index, waiter);
      waiter.waiting.reject(new RaftError('RAFT_LEADERSHIP_LOST', {}));
    }
  }

  rejectAll(error: unknown): void {
    for (const [index, waiter] of this.#byIndex) {
      this.#remove(index, waiter);
      waiter.waiting.reject(error);
    }
  }

  #remove(index: bigint, waiter: Waiter): void {
    this.#byIndex.delete(index);
    this.#settled(waiter.waiting);
  }
}
