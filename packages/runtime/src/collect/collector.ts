import type { CollectPlan } from '@nervix/model';
import type { BranchKey } from '../branch/branch-key.js';
import type { DomainClock } from '../clock/domain-clock.js';
import { collectPolicy, type FlushPolicy } from '../flush/flush-policy.js';
import { TimedBuffer } from '../flush/timed-buffer.js';
import type { RelayBatch } from '../relay/relay-batch.js';

/**
 * COLLECT FOR of one source relay: gathers the batches of each concrete branch until they are due
 * or large enough, then releases them as one.
 */
export class Collector {
  #policy: FlushPolicy;
  readonly #clock: DomainClock;
  readonly #release: (batch: RelayBatch) => void;
  readonly #failed: (error: unknown) => void;
  readonly #collections = new Map<string, TimedBuffer>();

  /** @param failed takes what goes wrong when batches are released; their rows are refused */
  constructor(
    plan: CollectPlan,
    clock: DomainClock,
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
      collection = new TimedBuffer(this.#policy, this.#clock, () => {
        this.#releaseBranch(text);
      });
      this.#collections.set(text, collection);
    }
    collection.append(batch);
  }

  /** Puts another policy in force; what is collected is judged by it at once. */
  setPolicy(plan: CollectPlan): void {
    this.#policy = collectPolicy(plan);
    for (const collection of this.#collections.values()) collection.setPolicy(this.#policy);
  }

  /** Tells the sources of the rows that they are held on purpose. */
  keepAlive(): void {
    for (const collection of this.#collections.values()) collection.keepAlive();
  }

  /** Releases everything collected, due or not. */
  releaseAll(): void {
    for (const text of this.#collections.keys()) this.#releaseBranch(text);
  }

  /** Rows that are collected. */
  get heldRows(): number {
    let rows = 0;
    for (const { rowCount } of this.#collections.values()) rows += rowCount;
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
    try {
      const batch = collection.release();
      if (batch !== undefined) this.#release(batch);
    } catch (error) {
      collection.drop('internal error');
      this.#failed(error);
    }
  }

  #drop(text: string, reason: string): number {
    const collection = this.#collections.get(text);
    if (collection === undefined) return 0;
    this.#collections.delete(text);
    return collection.drop(reason);
  }
}
