import { concatBatches, type RelayBatch } from '../relay/relay-batch.js';
import type { FlushPolicy } from './flush-policy.js';

/**
 * Rows of one concrete branch that wait for their flush, under a deadline that starts when the
 * buffer stops being empty and under a size boundary. Pure: time is an argument.
 */
export class BatchBuffer {
  #policy: FlushPolicy;
  #parts: RelayBatch[] = [];
  #bytes = 0;
  #rows = 0;
  #filledSinceMs = 0;

  constructor(policy: FlushPolicy) {
    this.#policy = policy;
  }

  get isEmpty(): boolean {
    return this.#parts.length === 0;
  }

  get rowCount(): number {
    return this.#rows;
  }

  /** When the rows are due, or null while there are none. */
  get deadlineMs(): number | null {
    return this.isEmpty ? null : this.#filledSinceMs + this.#policy.delayMs;
  }

  /** Puts another policy in force, for the rows that are buffered too. */
  setPolicy(policy: FlushPolicy): void {
    this.#policy = policy;
  }

  /** Adds rows; a batch larger than the boundary is kept whole. */
  append(batch: RelayBatch, nowMs: number): void {
    if (this.isEmpty) this.#filledSinceMs = nowMs;
    this.#parts.push(batch);
    this.#bytes += batch.batch.byteSize;
    this.#rows += batch.batch.rowCount;
  }

  isDue(nowMs: number): boolean {
    const deadlineMs = this.deadlineMs;
    return deadlineMs !== null && (nowMs >= deadlineMs || this.#bytes >= this.#policy.maxBytes);
  }

  /** Takes everything as one batch; undefined when empty. */
  release(): RelayBatch | undefined {
    if (this.isEmpty) return undefined;
    const batch = concatBatches(this.#parts);
    this.#parts = [];
    this.#bytes = 0;
    this.#rows = 0;
    return batch;
  }

  /** Tells the sources of the rows that they are held on purpose. */
  keepAlive(): void {
    for (const part of this.#parts) part.acks.alive();
  }

  /** Gives the rows up, refuses their shares and says how many there were. */
  drop(reason: string): number {
    const rows = this.#rows;
    for (const part of this.#parts) part.acks.nack(reason);
    this.#parts = [];
    this.#bytes = 0;
    this.#rows = 0;
    return rows;
  }
}
