import { assert } from '../assert.ts';
import { RaftError } from '../errors.ts';

/**
 * Life of an opened store: one write at a time, none after a failed one and none once it closes,
 * which waits for the one under way.
 */
export class WriteLatch {
  #working: Promise<unknown> | undefined;
  #failure: RaftError | undefined;
  #closing: Promise<void> | undefined;

  /** Whether a write has failed, so that nobody knows what of it is durable. */
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

  /** Carries out one write, of any number of steps. Rejects with `RAFT_STORAGE_FAILED`. */
  async exclusively<T>(work: () => Promise<T>): Promise<T> {
    this.checkOpen();
    const working = work();
    this.#working = working;
    try {
      return await working;
    } catch (error) {
      // From here on a database may accept batches and lose them, so no other one may reach it.
      this.#failure = new RaftError('RAFT_STORAGE_FAILED', { isUncertain: true }, { cause: error });
      throw this.#failure;
    } finally {
      this.#working = undefined;
    }
  }

  /** Lets a write under way end, then releases what the store holds; only the first call does. */
  close(release: () => Promise<void>): Promise<void> {
    this.#closing ??= this.#close(release);
    return this.#closing;
  }

  async #close(release: () => Promise<void>): Promise<void> {
    try {
      await this.#working;
    } catch {
      // The caller of the write has this error.
    }
    await release();
  }
}
