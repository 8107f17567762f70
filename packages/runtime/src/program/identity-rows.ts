let identity = new Int32Array(0);

/** The rows `0..count`, in order. Results share one array, which nobody may change. */
export function identityRows(count: number): Int32Array {
  if (identity.length < count) {
    identity = Int32Array.from({ length: Math.max(count, identity.length * 2) }, (_, row) => row);
  }
  return identity.subarray(0, count);
}
