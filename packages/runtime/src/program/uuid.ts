import { overflow } from './row-fault.js';
import type { ExecutionSnapshot } from './row-set.js';

const NANOS_PER_MILLISECOND = 1_000_000n;
const HEX: readonly string[] = Array.from({ length: 256 }, (_, byte) =>
  byte.toString(16).padStart(2, '0'),
);

/** Text of a refusal to print a time before 1970. */
export const UUID_EPOCH_DETAIL = 'uuid_v7 execution time is before the Unix epoch';

function printUuid(bytes: Uint8Array, version: number): string {
  bytes[6] = ((bytes[6] as number) & 0x0f) | (version << 4);
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  let text = '';
  for (let index = 0; index < 16; index += 1) {
    if (index === 4 || index === 6 || index === 8 || index === 10) text += '-';
    text += HEX[bytes[index] as number];
  }
  return text;
}

/** A random UUID. */
export function uuidV4(snapshot: ExecutionSnapshot): string {
  return printUuid(Uint8Array.from(snapshot.randomBytes(16)), 4);
}

/**
 * A UUID ordered by the snapshot's millisecond.
 *
 * @throws RowFault before 1970
 */
export function uuidV7(snapshot: ExecutionSnapshot): string {
  if (snapshot.nowNanos < 0n) throw overflow(UUID_EPOCH_DETAIL);
  const bytes = Uint8Array.from(snapshot.randomBytes(16));
  const millis = Number(snapshot.nowNanos / NANOS_PER_MILLISECOND);
  const high = Math.floor(millis / 4_294_967_296);
  bytes[0] = high >>> 8;
  bytes[1] = high;
  bytes[2] = Math.floor(millis / 16_777_216);
  bytes[3] = Math.floor(millis / 65_536);
  bytes[4] = Math.floor(millis / 256);
  bytes[5] = millis;
  return printUuid(bytes, 7);
}
