/** What changed, as of the moment a listener is called. Carries no state: readers fetch it. */
export interface NodeChange {
  /** Newest durable state revision. */
  readonly revision: bigint;
  /** Newest durable applied index. */
  readonly appliedIndex: bigint;
  /** Whether this node leads. */
  readonly isLeader: boolean;
  /** Whether the node has stopped after a failure. */
  readonly isFailed: boolean;
}

/** Called with the newest change. Must not throw; an exception is an uncaught one. */
export type ChangeListener = (change: NodeChange) => void;

/**
 * Notifies listeners once for all changes of one turn. A change during a notification makes
 * another one, so the newest change always arrives.
 */
export class ChangeFeed {
  readonly #listeners = new Set<{ readonly listener: ChangeListener }>();
  readonly #current: () => NodeChange;
  #isScheduled = false;

  constructor(current: () => NodeChange) {
    this.#current = current;
  }

  /** Adds a listener; the returned function removes it. The same function may be added twice. */
  subscribe(listener: ChangeListener): () => void {
    const subscription = { listener };
    this.#listeners.add(subscription);
    return () => {
      this.#listeners.delete(subscription);
    };
  }

  /** Says that something changed. */
  notify(): void {
    if (this.#isScheduled || this.#listeners.size === 0) return;
    this.#isScheduled = true;
    queueMicrotask(() => {
      this.#isScheduled = false;
      const change = this.#current();
      for (const subscription of [...this.#listeners]) {
        if (this.#listeners.has(subscription)) callSafely(() => subscription.listener(change));
      }
    });
  }
}

/** Runs `call`; its exception becomes an uncaught one instead of reaching the caller. */
export function callSafely(call: () => void): void {
  try {
    call();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
