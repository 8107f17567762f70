/** The lesser of two numbers that `Math.min` cannot compare. */
export function lesser(left: bigint, right: bigint): bigint {
  if (left < right) return left;
  return right;
}

/** The greater of two numbers that `Math.max` cannot compare. */
export function greater(left: bigint, right: bigint): bigint {
  if (left > right) return left;
  return right;
}
