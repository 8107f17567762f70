import { assert, InvariantError } from '../assert.ts';
import { isRaftError, RaftError } from '../errors.ts';

/**
 * Life of an opened store: one write at a time, none after a failed one and none once it closes,
 * which waits for the one under way.
 */
export class WriteLatch {
  #working: Promise<unknown> | undefined;
  #failure: Error | undefined;
  #isCommitting = false;
  #closing: Promise<void> | undefined;

  /** Whether a write has failed, after which the store takes no further ones. */
  get isLatched(): boolean {
    return this.#failure !== undefined;
  }

  /** Throws `RAFT_CLOSED` or `RAFT_STORAGE_FAILED` when nothing more is written. */
  checkUsable(): void {
    if (this.#closing !== undefined) throw new RaftError('RAFT_CLOSED', {});
    if (this.#failure !== undefined) {
      throw new RaftError('RAFT_STORAGE_FAILED', { isUncertain: false }, { cause: this.#failure });
    }
  }

  /** Like {@link checkUsable} for what begins to write now, when nothing else is written. */
  checkOpen(): void {
    this.checkUsable();
    assert(this.#working === undefined, 'one job is written at a time');
  }

  /** Like {@link exclusively} for a write that may be over at once; then there is no promise. */
  run(work: () => Promise<void> | undefined): Promise<void> | undefined {
    this.checkOpen();
    try {
      const working = work();
      return working === undefined ? undefined : this.#follow(working);
    } catch (error) {
      throw this.#latched(error);
    }
  }

  /**
   * Carries out one write, of any number of steps. Rejects with `RAFT_STORAGE_FAILED`, or, as long
   * as no commit was under way, with the `RAFT_STORAGE_CORRUPT` or `InvariantError` that ended it.
   */
  async exclusively<T>(work: () => Promise<T>): Promise<T> {
    this.checkOpen();
    return this.#follow(work());
  }

  async #follow<T>(working: Promise<T>): Promise<T> {
    this.#working = working;
    try {
      return await working;
    } catch (error) {
      throw this.#latched(error);
    } finally {
      this.#working = undefined;
    }
  }

  /** From here on a database may accept batches and lose them, so no other one may reach it. */
  #latched(error: unknown): Error {
    this.#failure = this.#failureFor(error);
    return this.#failure;
  }

  /** From here to {@link commitEnds} a failure leaves open what of the write is durable. */
  commitBegins(): void {
    this.#isCommitting = true;
  }

  commitEnds(): void {
    this.#isCommitting = false;
  }

  /** Resolves once no write is under way; whether that one failed is for its caller. */
  async settled(): Promise<void> {
    try {
      await this.#working;
    } catch {
      // The caller of the write has this error.
    }
  }

  /** Lets a write under way end, then releases what the store holds; only the first call does. */
  close(release: () => Promise<void>): Promise<void> {
    this.#closing ??= this.#close(release);
    return this.#closing;
  }

  async #close(release: () => Promise<void>): Promise<void> {
    await this.settled();
    await release();
  }

  #failureFor(error: unknown): Error {
    const isUncertain = this.#isCommitting;
    // Before anything was given to the disk, damage and defects are told as what they are.
    if (!isUncertain && isRaftError(error, 'RAFT_STORAGE_CORRUPT')) return error;
    if (!isUncertain && error instanceof InvariantError) return error;
    return new RaftError('RAFT_STORAGE_FAILED', { isUncertain }, { cause: error });
  }
}
