import { AckLedger } from '../ack/ack-ledger.js';
import { AckSet } from '../ack/ack-set.js';
import type { Clock, Timer } from '../clock/clock.js';
import type { OfferOutcome } from './endpoint-intake.js';
import type { GroupMember } from './ingest-group.js';

/** A request that waits for the outcome of all its messages. */
export interface PendingRequest {
  readonly settle: (outcome: OfferOutcome) => void;
  timer: Timer | undefined;
  isSettled: boolean;
}

/** The slots of MODE ACK PARALLEL: how many requests wait for their outcome, and for how long. */
export class AckWindow {
  readonly #max: number;
  readonly #timeoutMs: number;
  readonly #clock: Clock;
  #used = 0;

  constructor(max: number, timeoutMs: number, clock: Clock) {
    this.#max = max;
    this.#timeoutMs = timeoutMs;
    this.#clock = clock;
  }

  get used(): number {
    return this.#used;
  }

  get isFull(): boolean {
    return this.#used >= this.#max;
  }

  /** Takes a slot until the request is settled; its time runs from now. */
  open(settle: (outcome: OfferOutcome) => void): PendingRequest {
    this.#used += 1;
    const pending: PendingRequest = { settle, timer: undefined, isSettled: false };
    pending.timer = this.#clock.after(this.#timeoutMs, () => {
      this.close(pending, { kind: 'unknown' });
    });
    return pending;
  }

  /** Settles a request, unless that happened before, and frees its slot. */
  close(pending: PendingRequest, outcome: OfferOutcome): void {
    if (pending.isSettled) return;
    pending.isSettled = true;
    pending.timer?.cancel();
    this.#used -= 1;
    pending.settle(outcome);
  }

  /**
   * Opens the acknowledgement roots of a group's requests, one each. Every row holds a share, and
   * every root one more until {@link AckRoots.dispatched}.
   */
  roots(members: readonly GroupMember<PendingRequest>[], rowCount: number): AckRoots {
    const ledger = new AckLedger(members.length, {
      settled: (slot, failure) => {
        const pending = members[slot]?.token;
        if (pending === undefined) return;
        this.close(pending, failure === null ? { kind: 'acknowledged' } : { kind: 'failed' });
      },
    });
    const slotOf = new Int32Array(rowCount);
    let start = 0;
    members.forEach(({ endRow }, slot) => {
      slotOf.fill(slot, start, endRow);
      ledger.attach(slot, endRow - start);
      start = endRow;
    });
    return new AckRoots(ledger, AckSet.ofSlots(ledger, slotOf), members.length);
  }
}

/** The roots of one group's requests. */
export class AckRoots {
  readonly acks: AckSet;
  readonly #ledger: AckLedger;
  readonly #count: number;

  constructor(ledger: AckLedger, acks: AckSet, count: number) {
    this.#ledger = ledger;
    this.acks = acks;
    this.#count = count;
  }

  /** The group was handed to every route: the source's own shares are released. */
  dispatched(): void {
    for (let slot = 0; slot < this.#count; slot += 1) this.#ledger.ack(slot, 1);
  }
}
