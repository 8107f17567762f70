import { AckLedger } from '../ack/ack-ledger.js';
import { AckSet } from '../ack/ack-set.js';
import type { Clock, Timer } from '../clock/clock.js';
import type { OfferOutcome, Settle } from './endpoint-intake.js';
import type { GroupMember } from './ingest-group.js';

/** A request that waits for the outcome of all its messages. */
export interface PendingRequest {
  readonly settle: Settle;
  /** When it is told that its outcome is unknown, on the monotonic clock. */
  readonly dueMs: number;
  timer: Timer | undefined;
  isSettled: boolean;
  /** All that is left of it waits for something that may never come. */
  isIdle: boolean;
}

/** The slots of MODE ACK PARALLEL: how many requests wait for their outcome, and for how long. */
export class AckWindow {
  readonly #max: number;
  readonly #timeoutMs: number;
  readonly #clock: Clock;
  #used = 0;
  #idle = 0;

  constructor(max: number, timeoutMs: number, clock: Clock) {
    this.#max = max;
    this.#timeoutMs = timeoutMs;
    this.#clock = clock;
  }

  get used(): number {
    return this.#used;
  }

  /** Requests among them that are idle. */
  get idle(): number {
    return this.#idle;
  }

  get isFull(): boolean {
    return this.#used >= this.#max;
  }

  /**
   * Takes a slot until the request is settled.
   *
   * @param dueMs when its time is over; by default the window's time from now on
   */
  open(
    settle: Settle,
    dueMs: number = this.#clock.monotonicMs() + this.#timeoutMs,
  ): PendingRequest {
    this.#used += 1;
    const pending: PendingRequest = {
      settle,
      dueMs,
      timer: undefined,
      isSettled: false,
      isIdle: false,
    };
    pending.timer = this.#clock.after(Math.max(0, dueMs - this.#clock.monotonicMs()), () => {
      this.close(pending, { kind: 'unknown' });
    });
    return pending;
  }

  /** Gives a request away: its slot is free, whoever takes it settles it. */
  leave(pending: PendingRequest): void {
    if (pending.isSettled) return;
    pending.isSettled = true;
    pending.timer?.cancel();
    this.#setIdle(pending, false);
    this.#used -= 1;
  }

  /** Settles a request, unless that happened before, and frees its slot. */
  close(pending: PendingRequest, outcome: OfferOutcome): void {
    if (pending.isSettled) return;
    this.leave(pending);
    pending.settle(outcome);
  }

  /**
   * Opens the acknowledgement roots of a group's requests, one each; nobody is told of those without
   * a slot. Every row holds a share, and every root one more until {@link AckRoots.dispatched}.
   */
  roots(members: readonly GroupMember<PendingRequest | null>[], rowCount: number): AckRoots {
    const ledger = new AckLedger(members.length, {
      settled: (slot, failure) => {
        const pending = members[slot]?.token;
        if (pending === undefined || pending === null) return;
        this.close(pending, failure === null ? { kind: 'acknowledged' } : { kind: 'failed' });
      },
      idled: (slot, isIdle) => {
        const pending = members[slot]?.token;
        if (pending && !pending.isSettled) this.#setIdle(pending, isIdle);
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

  #setIdle(pending: PendingRequest, isIdle: boolean): void {
    if (pending.isIdle === isIdle) return;
    pending.isIdle = isIdle;
    this.#idle += isIdle ? 1 : -1;
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

  /** Not every route has its rows: all requests of the group fail. */
  drop(reason: string): void {
    this.#ledger.drop(reason);
  }
}
