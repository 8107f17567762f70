import type { CollectPlan } from '@nervix/model';
import type { BranchKey } from '../branch/branch-key.js';
import { type Clock, nanosToMs, type Timer } from '../clock/clock.js';
import { BatchBuffer } from '../flush/batch-buffer.js';
import type { FlushPolicy } from '../flush/flush-policy.js';
import type { RelayBatch } from '../relay/relay-batch.js';

interface Collection {
  readonly buffer: BatchBuffer;
  timer: Timer | undefined;
}

/**
 * COLLECT FOR of one source relay: gathers the batches of each concrete branch until they are due
 * or large enough, then releases them as one.
 */
export class Collector {
  #policy: FlushPolicy;
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
    this.#policy = collectPolicy(plan);
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
      collection = { buffer: new BatchBuffer(this.#policy), timer: undefined };
      this.#collections.set(text, collection);
    }
    collection.buffer.append(batch, this.#clock.monotonicMs());
    this.#releaseOrArm(text, collection);
  }

  /** Puts another policy in force; what is collected is judged by it at once. */
  setPolicy(plan: CollectPlan): void {
    this.#policy = collectPolicy(plan);
    for (const [text, collection] of this.#collections) {
      collection.timer?.cancel();
      collection.timer = undefined;
      collection.buffer.setPolicy(this.#policy);
      this.#releaseOrArm(text, collection);
    }
  }

  /** Tells the sources of the rows that they are held on purpose. */
  keepAlive(): void {
    for (const { buffer } of this.#collections.values()) buffer.keepAlive();
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

  /** Releases a collection that is due, and else makes sure that it is looked at when it is. */
  #releaseOrArm(text: string, collection: Collection): void {
    const nowMs = this.#clock.monotonicMs();
    const { deadlineMs } = collection.buffer;
    if (collection.buffer.isDue(nowMs)) {
      this.#releaseBranch(text);
    } else if (collection.timer === undefined && deadlineMs !== null) {
      collection.timer = this.#clock.after(deadlineMs - nowMs, () => {
        collection.timer = undefined;
        this.#releaseOrArm(text, collection);
      });
    }
  }

  #releaseBranch(text: string): void {
    const collection = this.#collections.get(text);
    if (collection === undefined) return;
    this.#collections.delete(text);
    collection.timer?.cancel();
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
    collection.timer?.cancel();
    return collection.buffer.drop(reason);
  }
}

function collectPolicy(plan: CollectPlan): FlushPolicy {
  return {
    delayMs: nanosToMs(plan.intervalNanos),
    maxBytes: plan.maxBatchBytes === null ? Infinity : Number(plan.maxBatchBytes),
  };
}
