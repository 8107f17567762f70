/**
 * Makes the reference of one logical command: a UUIDv7 of the given time.
 *
 * @param nowMs milliseconds since the Unix epoch
 */
export function newExecutionReference(nowMs: number = Date.now()): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const view = new DataView(bytes.buffer);
  view.setUint32(0, Math.floor(nowMs / 0x1_0000));
  view.setUint16(4, nowMs % 0x1_0000);
  view.setUint8(6, 0x70 | (view.getUint8(6) & 0x0f));
  view.setUint8(8, 0x80 | (view.getUint8(8) & 0x3f));
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const groups = [[0, 8] as const, [8, 12], [12, 16], [16, 20], [20, 32]] as const;
  return groups.map(([from, to]) => hex.slice(from, to)).join('-');
}
