import type { EvictionReason } from './branch-registry.js';

/** Concrete keys of one branch declaration that live on some relay, each counted once. */
export class BranchPresence {
  readonly #relaysOf = new Map<string, number>();
  readonly evictions: Record<EvictionReason, number> = { ttl: 0, lru: 0 };

  get size(): number {
    return this.#relaysOf.size;
  }

  /** Forgets the keys, without an eviction, when their relays end. */
  reset(): void {
    this.#relaysOf.clear();
  }

  /** A relay took the key up. */
  appeared(keyText: string): void {
    this.#relaysOf.set(keyText, (this.#relaysOf.get(keyText) ?? 0) + 1);
  }

  /** A relay evicted the key; the last relay's eviction is the key's. */
  evicted(keyText: string, reason: EvictionReason): void {
    const relays = this.#relaysOf.get(keyText) ?? 0;
    if (relays > 1) {
      this.#relaysOf.set(keyText, relays - 1);
    } else {
      this.#relaysOf.delete(keyText);
      this.evictions[reason] += 1;
    }
  }
}
