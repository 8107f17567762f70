import type { AckSet } from '../ack/ack-set.js';

/**
 * Acknowledges the rows of a batch that an operation dropped: those it neither kept nor failed.
 *
 * @param kept rows that go on, each once
 * @param failed rows whose shares are resolved elsewhere
 */
export function ackDropped(
  acks: AckSet,
  rowCount: number,
  kept: Int32Array,
  failed: readonly { readonly row: number }[],
): void {
  if (acks.isNone || kept.length + failed.length === rowCount) return;
  const isHeld = new Uint8Array(rowCount);
  for (const row of kept) isHeld[row] = 1;
  for (const { row } of failed) isHeld[row] = 1;
  for (let row = 0; row < rowCount; row += 1) if (isHeld[row] === 0) acks.ackRow(row);
}
