/** A record key as a map key: one character per byte, so that order is byte order. */
export function recordName(key: Uint8Array): string {
  return Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString('latin1');
}
