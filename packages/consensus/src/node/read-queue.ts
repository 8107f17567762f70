import { RaftError } from '../errors.ts';

/** What a linearizable read may rely on. */
export interface ReadBarrier {
  /** Every entry up to here is applied and published. */
  readonly index: bigint;
  /** State revision at the barrier; the published one may already be newer. */
  readonly revision: bigint;
}

/** A read that waits for its barrier. */
export interface Read {
  readonly resolve: (barrier: ReadBarrier) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Reads under way, by the number the core knows them by, at most `countMax` of them: without a
 * quorum they wait for an election timeout, in which any number may come.
 */
export class ReadQueue {
  readonly #countMax: number;
  readonly #unconfirmed = new Map<bigint, Read>();
  /** Reads whose index is known and not applied yet, in no particular order. */
  #confirmed: { readonly index: bigint; readonly read: Read }[] = [];
  #context = 0n;

  constructor(countMax: number) {
    this.#countMax = countMax;
  }

  /** Whether reads wait for entries to be applied. */
  get isWaitingForEntries(): boolean {
    return this.#confirmed.length > 0;
  }

  /** Why no further read is taken now; `undefined` when one is. */
  get refusal(): RaftError | undefined {
    const queuedReads = this.#unconfirmed.size + this.#confirmed.length;
    if (queuedReads < this.#countMax) return undefined;
    return new RaftError('RAFT_OVERLOADED', { queued: queuedReads, queuedBytes: 0, queuedReads });
  }

  /** Adds a read and returns its number. */
  add(read: Read): bigint {
    this.#context += 1n;
    this.#unconfirmed.set(this.#context, read);
    return this.#context;
  }

  /** The read may be served once `index` is applied. */
  confirmed(context: bigint, index: bigint): void {
    const read = this.#take(context);
    if (read !== undefined) this.#confirmed.push({ index, read });
  }

  /** Serves the confirmed reads whose index is applied. */
  appliedTo(index: bigint, revision: bigint): void {
    if (this.#confirmed.length === 0) return;
    const waiting = this.#confirmed;
    this.#confirmed = waiting.filter((it) => it.index > index);
    for (const it of waiting) {
      if (it.index <= index) it.read.resolve({ index: it.index, revision });
    }
  }

  reject(context: bigint, error: unknown): void {
    this.#take(context)?.reject(error);
  }

  rejectAll(error: unknown): void {
    for (const context of [...this.#unconfirmed.keys()]) this.reject(context, error);
    const waiting = this.#confirmed;
    this.#confirmed = [];
    for (const { read } of waiting) read.reject(error);
  }

  #take(context: bigint): Read | undefined {
    const read = this.#unconfirmed.get(context);
    this.#unconfirmed.delete(context);
    return read;
  }
}
