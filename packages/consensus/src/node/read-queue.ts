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

/** Reads under way, by the number the core knows them by. */
export class ReadQueue {
  readonly #reads = new Map<bigint, Read>();
  #context = 0n;

  /** Adds a read and returns its number. */
  add(read: Read): bigint {
    this.#context += 1n;
    this.#reads.set(this.#context, read);
    return this.#context;
  }

  resolve(context: bigint, barrier: ReadBarrier): void {
    this.#take(context)?.resolve(barrier);
  }

  reject(context: bigint, error: unknown): void {
    this.#take(context)?.reject(error);
  }

  rejectAll(error: unknown): void {
    for (const context of [...this.#reads.keys()]) this.reject(context, error);
  }

  #take(context: bigint): Read | undefined {
    const read = this.#reads.get(context);
    this.#reads.delete(context);
    return read;
  }
}
