import type { Timer } from '../clock/clock.js';
import { afterDelay, isOver, type Mark, markOf } from '../clock/delay.js';
import type { DomainClock } from '../clock/domain-clock.js';
import { concatBatches, type RelayBatch } from '../relay/relay-batch.js';
import type { FlushPolicy } from './flush-policy.js';

/**
 * Rows of one concrete branch that wait until they are due: by a delay that starts when the buffer
 * stops being empty, or by their size.
 */
export class TimedBuffer {
  readonly #clock: DomainClock;
  readonly #due: () => void;
  #policy: FlushPolicy;
  #parts: RelayBatch[] = [];
  #bytes = 0;
  #rows = 0;
  #filledAt: Mark | null = null;
  #timer: Timer | undefined;

  /** @param due called when the rows have to leave; it is to take them with {@link release} */
  constructor(policy: FlushPolicy, clock: DomainClock, due: () => void) {
    this.#policy = policy;
    this.#clock = clock;
    this.#due = due;
  }

  get rowCount(): number {
    return this.#rows;
  }

  /** Adds rows; a batch larger than the boundary is kept whole. */
  append(batch: RelayBatch): void {
    this.#filledAt ??= markOf(this.#clock);
    this.#parts.push(batch);
    this.#bytes += batch.batch.byteSize;
    this.#rows += batch.batch.rowCount;
    this.#look();
  }

  /** Puts another policy in force; what is buffered is judged by it at once. */
  setPolicy(policy: FlushPolicy): void {
    this.#policy = policy;
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#look();
  }

  /** Tells the sources of the rows that they are held on purpose. */
  keepAlive(): void {
    for (const part of this.#parts) part.acks.alive();
  }

  /** Takes everything as one batch; undefined when empty. */
  release(): RelayBatch | undefined {
    this.#timer?.cancel();
    this.#timer = undefined;
    if (this.#parts.length === 0) return undefined;
    const batch = concatBatches(this.#parts);
    this.#empty();
    return batch;
  }

  /** Gives the rows up, refuses their shares and says how many there were. */
  drop(reason: string): number {
    this.#timer?.cancel();
    this.#timer = undefined;
    const rows = this.#rows;
    for (const part of this.#parts) part.acks.nack(reason);
    this.#empty();
    return rows;
  }

  #empty(): void {
    this.#parts = [];
    this.#bytes = 0;
    this.#rows = 0;
    this.#filledAt = null;
  }

  /** Says that the rows are due, and else makes sure that it is looked at again when they are. */
  #look(): void {
    const filledAt = this.#filledAt;
    if (filledAt === null) return;
    const { delay, maxBytes } = this.#policy;
    if (this.#bytes >= maxBytes || isOver(delay, filledAt, this.#clock)) {
      this.#due();
    } else {
      this.#timer ??= afterDelay(delay, filledAt, this.#clock, () => {
        this.#timer = undefined;
        this.#look();
      });
    }
  }
}
