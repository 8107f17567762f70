import { assert } from '@nervix/model';
import type { AckLedger } from './ack-ledger.js';

/** Row of {@link AckSet} that no source waits for. */
const WITHOUT_LEDGER = -1;

/**
 * The acknowledgement shares of a batch: one share of some ledger slot for each row, or none. Rows
 * of sources that never wait cost nothing; rows of one source item share one slot and cost nothing
 * each; anything else costs two integers a row.
 *
 * A set is an immutable view. Whoever holds it owes each of its shares exactly one `ack` or `nack`.
 */
export class AckSet {
  /** Shares of rows that no source waits for, whatever their number. */
  static readonly NONE: AckSet = new AckSet([], null, null, 0);

  readonly #ledgers: readonly AckLedger[];
  /** Ledger of each row; null when all rows use ledger 0. */
  readonly #ledgerOf: Int32Array | null;
  /** Slot of each row; null when all rows use slot 0. */
  readonly #slotOf: Int32Array | null;
  readonly #rowCount: number;

  private constructor(
    ledgers: readonly AckLedger[],
    ledgerOf: Int32Array | null,
    slotOf: Int32Array | null,
    rowCount: number,
  ) {
    this.#ledgers = ledgers;
    this.#ledgerOf = ledgerOf;
    this.#slotOf = slotOf;
    this.#rowCount = rowCount;
  }

  /** All rows hold shares of the ledger's slot 0. */
  static uniform(ledger: AckLedger, rowCount: number): AckSet {
    return new AckSet([ledger], null, null, rowCount);
  }

  /** Row i holds a share of slot `slotOf[i]`. */
  static ofSlots(ledger: AckLedger, slotOf: Int32Array): AckSet {
    return new AckSet([ledger], null, slotOf, slotOf.length);
  }

  /** The rows of several sets, one after the other. */
  static concat(parts: readonly { readonly acks: AckSet; readonly rowCount: number }[]): AckSet {
    const first = parts[0];
    if (first === undefined || parts.every(({ acks }) => acks.isNone)) return AckSet.NONE;
    if (parts.length === 1) return first.acks;
    const rowCount = parts.reduce((total, part) => total + part.rowCount, 0);
    const ledgers: AckLedger[] = [];
    const indexes = new Map<AckLedger, number>();
    const ledgerOf = new Int32Array(rowCount).fill(WITHOUT_LEDGER);
    const slotOf = new Int32Array(rowCount);
    let start = 0;
    for (const part of parts) {
      part.acks.#copyInto({ ledgers, indexes, ledgerOf, slotOf, start });
      start += part.rowCount;
    }
    return new AckSet(ledgers, ledgerOf, slotOf, rowCount);
  }

  /** True when no source waits for any row. */
  get isNone(): boolean {
    return this.#ledgers.length === 0;
  }

  /** Whether these are the shares of so many rows. */
  isOf(rowCount: number): boolean {
    return this.isNone || this.#rowCount === rowCount;
  }

  /** The shares of some rows, in the order given. The caller still owes the other rows' shares. */
  take(rows: Int32Array): AckSet {
    if (this.isNone) return AckSet.NONE;
    if (this.#ledgerOf === null && this.#slotOf === null) {
      return new AckSet(this.#ledgers, null, null, rows.length);
    }
    const ledgerOf = this.#ledgerOf === null ? null : gather(this.#ledgerOf, rows);
    const slotOf = this.#slotOf === null ? null : gather(this.#slotOf, rows);
    return new AckSet(this.#ledgers, ledgerOf, slotOf, rows.length);
  }

  /** Adds `shares` shares to every row. */
  attach(shares: number): void {
    if (this.isNone || shares === 0) return;
    this.#each((ledger, slot, rows) => {
      ledger.attach(slot, shares * rows);
    });
  }

  /** Adds `shares` shares to one row. */
  attachRow(row: number, shares: number): void {
    this.#ledgerAt(row)?.attach(this.#slotAt(row), shares);
  }

  /** Acknowledges one share of every row. */
  ack(): void {
    if (this.isNone) return;
    this.#each((ledger, slot, rows) => {
      ledger.ack(slot, rows);
    });
  }

  ackRow(row: number): void {
    this.#ledgerAt(row)?.ack(this.#slotAt(row), 1);
  }

  ackRows(rows: Int32Array): void {
    if (this.isNone) return;
    for (const row of rows) this.ackRow(row);
  }

  /** Refuses one share of every row. */
  nack(reason: string): void {
    if (this.isNone) return;
    this.#each((ledger, slot) => {
      ledger.nack(slot, reason);
    });
  }

  /** Tells the sources of all rows that these are held on purpose. */
  alive(): void {
    if (this.isNone) return;
    this.#each((ledger, slot) => {
      ledger.alive(slot);
    });
  }

  aliveRow(row: number): void {
    this.#ledgerAt(row)?.alive(this.#slotAt(row));
  }

  /** Parks one share of every row: the rows wait for something that may never come. */
  park(): void {
    if (this.isNone) return;
    this.#each((ledger, slot, rows) => {
      ledger.park(slot, rows);
    });
  }

  parkRow(row: number): void {
    this.#ledgerAt(row)?.park(this.#slotAt(row), 1);
  }

  /** Takes one parked share of every row up again. */
  unpark(): void {
    if (this.isNone) return;
    this.#each((ledger, slot, rows) => {
      ledger.unpark(slot, rows);
    });
  }

  unparkRow(row: number): void {
    this.#ledgerAt(row)?.unpark(this.#slotAt(row), 1);
  }

  nackRow(row: number, reason: string): void {
    this.#ledgerAt(row)?.nack(this.#slotAt(row), reason);
  }

  #each(visit: (ledger: AckLedger, slot: number, rows: number) => void): void {
    const only = this.#ledgers[0];
    if (this.#ledgerOf === null && this.#slotOf === null) {
      if (only !== undefined && this.#rowCount > 0) visit(only, 0, this.#rowCount);
      return;
    }
    for (let row = 0; row < this.#rowCount; row += 1) {
      const ledger = this.#ledgerAt(row);
      if (ledger !== undefined) visit(ledger, this.#slotAt(row), 1);
    }
  }

  #ledgerAt(row: number): AckLedger | undefined {
    if (this.isNone) return undefined;
    assert(row < this.#rowCount, 'an acknowledgement set has a share for each of its rows');
    return this.#ledgers[this.#ledgerOf === null ? 0 : (this.#ledgerOf[row] ?? WITHOUT_LEDGER)];
  }

  #slotAt(row: number): number {
    return this.#slotOf === null ? 0 : (this.#slotOf[row] ?? 0);
  }

  #copyInto(target: {
    readonly ledgers: AckLedger[];
    readonly indexes: Map<AckLedger, number>;
    readonly ledgerOf: Int32Array;
    readonly slotOf: Int32Array;
    readonly start: number;
  }): void {
    const indexOf = this.#ledgers.map((ledger) => {
      const known = target.indexes.get(ledger);
      if (known !== undefined) return known;
      target.indexes.set(ledger, target.ledgers.length);
      return target.ledgers.push(ledger) - 1;
    });
    if (this.isNone) return;
    for (let row = 0; row < this.#rowCount; row += 1) {
      const own = this.#ledgerOf === null ? 0 : (this.#ledgerOf[row] ?? WITHOUT_LEDGER);
      target.ledgerOf[target.start + row] = indexOf[own] ?? WITHOUT_LEDGER;
      target.slotOf[target.start + row] = this.#slotAt(row);
    }
  }
}

function gather(values: Int32Array, rows: Int32Array): Int32Array {
  const taken = new Int32Array(rows.length);
  for (let index = 0; index < rows.length; index += 1) {
    taken[index] = values[rows[index] ?? 0] ?? 0;
  }
  return taken;
}
