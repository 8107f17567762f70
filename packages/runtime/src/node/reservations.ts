import { assert } from '@nervix/model';

/** A key that was seen: confirmed for good, or reserved by a row whose outcome is still open. */
export interface Reservation<Parked> {
  readonly key: string;
  seenAtNanos: bigint;
  isConfirmed: boolean;
  /** Rows of the same key that wait for the outcome, oldest first. */
  parked: Parked[];
}

/** What becomes of an arriving row. */
export type Arrival<Parked> =
  | { readonly kind: 'forward'; readonly reservation: Reservation<Parked> }
  | { readonly kind: 'suppress' }
  | { readonly kind: 'parked' };

/**
 * The deduplication history of one concrete branch. A key is reserved by the row that brought it
 * first and confirmed by that row's success; its failure hands the reservation on. Pure: time is an
 * argument and outcomes are told.
 */
export class Reservations<Parked> {
  #entries = new Map<string, Reservation<Parked>>();
  #unconfirmed = 0;
  #parked = 0;

  get unconfirmed(): number {
    return this.#unconfirmed;
  }

  get parked(): number {
    return this.#parked;
  }

  /** Rows that wait for the outcome of another, oldest first within a key. */
  *parkedRows(): IterableIterator<Parked> {
    if (this.#parked === 0) return;
    for (const { parked } of this.#entries.values()) yield* parked;
  }

  /** Forgets confirmed keys that are older than the history reaches back. */
  prune(nowNanos: bigint, maxTimeNanos: bigint): void {
    for (const entry of this.#entries.values()) {
      if (entry.seenAtNanos + maxTimeNanos > nowNanos) return;
      if (entry.isConfirmed) this.#entries.delete(entry.key);
    }
  }

  /**
   * Decides over a row.
   *
   * @param park makes what is kept of the row should it have to wait
   */
  arrive(key: string, nowNanos: bigint, park: () => Parked): Arrival<Parked> {
    const entry = this.#entries.get(key);
    if (entry === undefined) {
      const reservation = { key, seenAtNanos: nowNanos, isConfirmed: false, parked: [] };
      this.#entries.set(key, reservation);
      this.#unconfirmed += 1;
      return { kind: 'forward', reservation };
    }
    if (entry.isConfirmed) return { kind: 'suppress' };
    entry.parked.push(park());
    this.#parked += 1;
    return { kind: 'parked' };
  }

  /** The reserving row succeeded. @returns the rows that waited, which are duplicates */
  confirm(reservation: Reservation<Parked>): readonly Parked[] {
    assert(!reservation.isConfirmed, 'a reservation is confirmed once');
    const { parked } = reservation;
    reservation.isConfirmed = true;
    reservation.parked = [];
    if (!this.#isHeld(reservation)) return parked;
    this.#unconfirmed -= 1;
    this.#parked -= parked.length;
    return parked;
  }

  /**
   * The reserving row failed.
   *
   * @returns the oldest waiting row, to which the reservation now belongs; undefined when none waits
   * and the key is free again
   */
  release(reservation: Reservation<Parked>, nowNanos: bigint): Parked | undefined {
    assert(!reservation.isConfirmed, 'only an open reservation is released');
    if (!this.#isHeld(reservation)) return undefined;
    this.#entries.delete(reservation.key);
    const next = reservation.parked.shift();
    if (next === undefined) {
      this.#unconfirmed -= 1;
      return undefined;
    }
    this.#parked -= 1;
    reservation.seenAtNanos = nowNanos;
    this.#entries.set(reservation.key, reservation);
    return next;
  }

  /** Ends the history of the branch. @returns every row that still waits */
  clear(): readonly Parked[] {
    const parked = [...this.#entries.values()].flatMap((entry) => entry.parked);
    this.#entries = new Map();
    this.#unconfirmed = 0;
    this.#parked = 0;
    return parked;
  }

  /** Confirmed keys and when they were seen, oldest first. */
  confirmedKeys(): ReadonlyMap<string, bigint> {
    const keys = new Map<string, bigint>();
    for (const entry of this.#entries.values()) {
      if (entry.isConfirmed) keys.set(entry.key, entry.seenAtNanos);
    }
    return keys;
  }

  /** Takes over a history; only of use before the first row. */
  restore(keys: ReadonlyMap<string, bigint>): void {
    for (const [key, seenAtNanos] of keys) {
      this.#entries.set(key, { key, seenAtNanos, isConfirmed: true, parked: [] });
    }
  }

  #isHeld(reservation: Reservation<Parked>): boolean {
    return this.#entries.get(reservation.key) === reservation;
  }
}
