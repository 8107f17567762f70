import type { CollectPlan } from '@nervix/model';
import type { BranchKey } from '../branch/branch-key.js';
import { type Clock, nanosToMs, type Timer } from '../clock/clock.js';
import { BatchBuffer } from '../flush/batch-buffer.js';
import type { FlushPolicy } from '../flush/flush-policy.js';
import type { RelayBatch } from '../relay/relay-batch.js';

interface Collection {
  readonly buffer: BatchBuffer;
  timer: Timer;
}

/**
 * COLLECT FOR of one source relay: gathers the batches of each concrete branch until they are due
 * or large enough, then releases them as one.
 */
export class Collector {
  readonly #policy: FlushPolicy;
  readonly #clock: Clock;
  readonly #release: (batch: RelayBatch) => void;
  readonly #failed: (error: unknown) => void;
  readonly #collections = new Map<string, Collection>();

  /** @param failed takes what goes wrong when batches are released; their rows are refused */
  constructor(
    plan: CollectPlan,
    clock: Clock,
    release: (batch: RelayBatch) => void,
    failed: (error: unknown) => void,
  ) {
    this.#policy = {
      delayMs: nanosToMs(plan.intervalNanos),
      maxBytes: plan.maxBatchBytes === null ? Infinity : Number(plan.maxBatchBytes),
    };
    this.#clock = clock;
    this.#release = release;
    this.#failed = failed;
  }

  get isEmpty(): boolean {
    return this.#collections.size === 0;
  }

  add(batch: RelayBatch): void {
    const text = batch.branchKey?.text ?? '';
    let collection = this.#collections.get(text);
    if (collection === undefined) {
      const timer = this.#clock.after(this.#policy.delayMs, () => {
        this.#releaseBranch(text);
      });
      collection = { buffer: new BatchBuffer(this.#policy), timer };
      this.#collections.set(text, collection);
    }
    const nowMs = this.#clock.monotonicMs();
    collection.buffer.append(batch, nowMs);
    if (collection.buffer.isDue(nowMs)) this.#releaseBranch(text);
  }

  /** Releases everything collected, due or not. */
  releaseAll(): void {
    for (const text of this.#collections.keys()) this.#releaseBranch(text);
  }

  /** Rows that are collected. */
  get heldRows(): number {
    let rows = 0;
    for (const { buffer } of this.#collections.values()) rows += buffer.rowCount;
    return rows;
  }

  /** Drops what was collected for an evicted branch and says how many rows that were. */
  evict(key: BranchKey, reason: string): number {
    return this.#drop(key.text, reason);
  }

  close(reason: string): void {
    for (const text of this.#collections.keys()) this.#drop(text, reason);
  }

  #releaseBranch(text: string): void {
    const collection = this.#collections.get(text);
    if (collection === undefined) return;
    this.#collections.delete(text);
    collection.timer.cancel();
    try {
      const batch = collection.buffer.release();
      if (batch !== undefined) this.#release(batch);
    } catch (error) {
      collection.buffer.drop('internal error');
      this.#failed(error);
    }
  }

  #drop(text: string, reason: string): number {
    const collection = this.#collections.get(text);
    if (collection === undefined) return 0;
    this.#collections.delete(text);
    collection.timer.cancel();
    return collection.buffer.drop(reason);
  }
}
