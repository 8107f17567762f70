import type { BranchKey } from './branch-key.js';

/** Why a branch instance went. */
export type EvictionReason = 'ttl' | 'lru';

/** Instances idle for `ttlNanos` of domain time expire; null means any number may live. */
export interface BranchLimits {
  readonly ttlNanos: bigint;
  readonly maxInstances: number | null;
}

interface Instance<T> {
  readonly key: BranchKey;
  readonly value: T;
  lastInputNanos: bigint;
}

/**
 * The live instances of one declaration at one place, each with the state that belongs to it.
 * Instances appear with their first input, and go by idleness or, beyond the limit, least recently
 * used first. Time is an argument.
 */
export class BranchRegistry<T> {
  readonly #limits: BranchLimits;
  readonly #create: (key: BranchKey) => T;
  readonly #evicted: (key: BranchKey, value: T, reason: EvictionReason) => void;
  /** In order of last input, oldest first. */
  readonly #instances = new Map<string, Instance<T>>();

  constructor(options: {
    readonly limits: BranchLimits;
    readonly create: (key: BranchKey) => T;
    /** Called after the instance left the registry. */
    readonly evicted: (key: BranchKey, value: T, reason: EvictionReason) => void;
  }) {
    this.#limits = options.limits;
    this.#create = options.create;
    this.#evicted = options.evicted;
  }

  get size(): number {
    return this.#instances.size;
  }

  has(keyText: string): boolean {
    return this.#instances.has(keyText);
  }

  /** The state of an instance that lives, without counting as input. */
  peek(keyText: string): T | undefined {
    return this.#instances.get(keyText)?.value;
  }

  /** Records input of a key: makes its instance if it is new, then keeps to the limit. */
  touch(key: BranchKey, nowNanos: bigint): T {
    let instance = this.#instances.get(key.text);
    if (instance === undefined) {
      instance = { key, value: this.#create(key), lastInputNanos: nowNanos };
    } else {
      this.#instances.delete(key.text);
      instance.lastInputNanos = nowNanos;
    }
    this.#instances.set(key.text, instance);
    this.#keepToLimit();
    return instance.value;
  }

  /** Evicts every instance that has been idle for the whole time to live. */
  scan(nowNanos: bigint): void {
    const boundary = nowNanos - this.#limits.ttlNanos;
    for (const instance of this.#instances.values()) {
      if (instance.lastInputNanos <= boundary) this.#evict(instance, 'ttl');
    }
  }

  /** The live instances and when each had its last input, oldest first. */
  *entries(): IterableIterator<readonly [BranchKey, T, bigint]> {
    for (const { key, value, lastInputNanos } of this.#instances.values()) {
      yield [key, value, lastInputNanos];
    }
  }

  /** Forgets every instance without counting an eviction. */
  clear(): void {
    this.#instances.clear();
  }

  #keepToLimit(): void {
    const { maxInstances } = this.#limits;
    if (maxInstances === null) return;
    for (const instance of this.#instances.values()) {
      if (this.#instances.size <= maxInstances) return;
      this.#evict(instance, 'lru');
    }
  }

  #evict(instance: Instance<T>, reason: EvictionReason): void {
    this.#instances.delete(instance.key.text);
    this.#evicted(instance.key, instance.value, reason);
  }
}
