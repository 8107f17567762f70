import { assert } from '@nervix/model';

/** Learns what becomes of the slots of a ledger. */
export interface AckObserver {
  /**
   * A slot completed, exactly once.
   *
   * @param failure the reason of the failure, or null when every share was acknowledged
   */
  settled(slot: number, failure: string | null): void;
}

const FAILED = -1;

/**
 * Pending shares of many acknowledgement nodes, one slot each, in one compact object. A slot opens
 * with one share per call of {@link attach} or of the constructor, succeeds when the last share was
 * acknowledged, and fails at the first refusal. A completed slot ignores everything and never
 * reopens.
 */
export class AckLedger {
  readonly #pending: Int32Array;
  readonly #observer: AckObserver;
  #openSlots: number;

  /**
   * @param slots number of nodes
   * @param observer told once per slot what became of it
   * @param shares shares that each slot opens with; at least one
   */
  constructor(slots: number, observer: AckObserver, shares = 1) {
    assert(shares >= 1, 'an acknowledgement node opens with a share');
    this.#pending = new Int32Array(slots).fill(shares);
    this.#observer = observer;
    this.#openSlots = slots;
  }

  /** Slots that have not completed. */
  get openSlots(): number {
    return this.#openSlots;
  }

  isOpen(slot: number): boolean {
    return (this.#pending[slot] ?? 0) > 0;
  }

  /** Adds shares; a completed slot takes none. */
  attach(slot: number, shares: number): void {
    const pending = this.#pending[slot] ?? 0;
    if (pending > 0) this.#pending[slot] = pending + shares;
  }

  /** Acknowledges shares, each at most once in its life. */
  ack(slot: number, shares: number): void {
    const pending = this.#pending[slot] ?? 0;
    if (pending <= 0) return;
    assert(shares <= pending, 'an acknowledgement share is resolved once');
    this.#pending[slot] = pending - shares;
    if (pending > shares) return;
    this.#openSlots -= 1;
    this.#observer.settled(slot, null);
  }

  /** Fails the slot at once, whatever shares remain. */
  nack(slot: number, reason: string): void {
    if ((this.#pending[slot] ?? 0) <= 0) return;
    this.#pending[slot] = FAILED;
    this.#openSlots -= 1;
    this.#observer.settled(slot, reason);
  }

  /** Gives the ledger up: every slot that is still open fails. */
  drop(reason: string): void {
    for (let slot = 0; slot < this.#pending.length && this.#openSlots > 0; slot += 1) {
      this.nack(slot, reason);
    }
  }
}
