import { assert } from '@nervix/model';

/** Learns what becomes of the slots of a ledger. */
export interface AckObserver {
  /**
   * A slot completed, exactly once.
   *
   * @param failure the reason of the failure, or null when every share was acknowledged
   */
  settled(slot: number, failure: string | null): void;
  /** Somebody holds a share of an open slot on purpose and says so; whoever waits starts anew. */
  alive?(slot: number): void;
  /**
   * An open slot became idle, which is that all its remaining shares are parked, or stopped to be.
   * The calls of a slot alternate, and it is idle no more once it settled.
   */
  idled?(slot: number, isIdle: boolean): void;
}

const FAILED = -1;

/**
 * Pending shares of many acknowledgement nodes, one slot each, in one compact object. A slot opens
 * with one share per call of {@link attach} or of the constructor, succeeds when the last share was
 * acknowledged, and fails at the first refusal. A completed slot ignores everything and never
 * reopens. A share may be parked while its row waits for something that may never come.
 */
export class AckLedger {
  readonly #pending: Int32Array;
  readonly #observer: AckObserver;
  /** Parked shares by slot; most ledgers never park any. */
  #parked: Int32Array | null = null;
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
    if (pending <= 0) return;
    this.#change(slot, pending + shares, this.#parkedOf(slot));
  }

  /** Acknowledges shares, each at most once in its life. */
  ack(slot: number, shares: number): void {
    const pending = this.#pending[slot] ?? 0;
    if (pending <= 0) return;
    const parked = this.#parkedOf(slot);
    assert(shares + parked <= pending, 'an acknowledgement share is resolved once, and not parked');
    if (pending > shares) {
      this.#change(slot, pending - shares, parked);
      return;
    }
    this.#pending[slot] = 0;
    this.#openSlots -= 1;
    this.#observer.settled(slot, null);
  }

  /** Parks shares of an open slot, each of which must be {@link unpark}ed before it is resolved. */
  park(slot: number, shares: number): void {
    const pending = this.#pending[slot] ?? 0;
    if (pending <= 0) return;
    const parked = this.#parkedOf(slot) + shares;
    assert(parked <= pending, 'only pending shares are parked');
    this.#change(slot, pending, parked);
  }

  /** Takes parked shares up again. */
  unpark(slot: number, shares: number): void {
    const pending = this.#pending[slot] ?? 0;
    if (pending <= 0) return;
    const parked = this.#parkedOf(slot) - shares;
    assert(parked >= 0, 'only parked shares are taken up again');
    this.#change(slot, pending, parked);
  }

  /** Tells whoever waits for an open slot that it is held on purpose. */
  alive(slot: number): void {
    if (this.isOpen(slot)) this.#observer.alive?.(slot);
  }

  /** Whether all remaining shares of an open slot are parked. */
  isIdle(slot: number): boolean {
    const parked = this.#parkedOf(slot);
    return parked > 0 && parked === this.#pending[slot];
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

  #parkedOf(slot: number): number {
    return this.#parked?.[slot] ?? 0;
  }

  #change(slot: number, pending: number, parked: number): void {
    const wasIdle = this.isIdle(slot);
    this.#pending[slot] = pending;
    if (parked !== this.#parkedOf(slot)) {
      this.#parked ??= new Int32Array(this.#pending.length);
      this.#parked[slot] = parked;
    }
    const isIdle = this.isIdle(slot);
    if (isIdle !== wasIdle) this.#observer.idled?.(slot, isIdle);
  }
}
