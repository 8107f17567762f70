/**
 * A time-ordered UUID.
 *
 * @param nowNanos Unix nanoseconds, not negative
 * @param random at least ten random bytes
 */
export function uuidV7(nowNanos: bigint, random: Uint8Array): string {
  const millis = (nowNanos < 0n ? 0n : nowNanos) / 1_000_000n;
  const time = millis.toString(16).padStart(12, '0').slice(-12);
  const rest = Buffer.from(random.subarray(0, 10));
  rest[0] = 0x70 | ((rest[0] ?? 0) & 0x0f);
  rest[2] = 0x80 | ((rest[2] ?? 0) & 0x3f);
  const text = rest.toString('hex');
  const head = `${time.slice(0, 8)}-${time.slice(8)}-${text.slice(0, 4)}`;
  return `${head}-${text.slice(4, 8)}-${text.slice(8)}`;
}
