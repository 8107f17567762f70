import { AckLedger } from './ack-ledger.js';
import { AckSet } from './ack-set.js';

/** A share of some row that an intermediate node resolves when it settles itself. */
export interface ParentShare {
  readonly acks: AckSet;
  readonly row: number;
}

/**
 * Shares for rows that were each made from several rows: a row carries the union of the shares of
 * its origins, and its own outcome becomes theirs.
 *
 * @param origins for each new row, the shares it takes over
 * @returns the set of the new rows; none when no origin is waited for
 */
export function unionAcks(origins: readonly (readonly ParentShare[])[]): AckSet {
  if (origins.every((shares) => shares.every(({ acks }) => acks.isNone))) return AckSet.NONE;
  const ledger = new AckLedger(origins.length, {
    settled: (slot, failure) => {
      for (const { acks, row } of origins[slot] ?? []) {
        if (failure === null) acks.ackRow(row);
        else acks.nackRow(row, failure);
      }
    },
    alive: (slot) => {
      for (const { acks, row } of origins[slot] ?? []) acks.aliveRow(row);
    },
    idled: (slot, isIdle) => {
      for (const { acks, row } of origins[slot] ?? []) {
        if (isIdle) acks.parkRow(row);
        else acks.unparkRow(row);
      }
    },
  });
  return AckSet.ofSlots(
    ledger,
    Int32Array.from(origins, (_, slot) => slot),
  );
}
