/** Buckets of one block. Every block but the first covers one power of two. */
export const BLOCK_SIZE = 64;
const BLOCK_BITS = 6;
const TWO_POW_32 = 4_294_967_296;

/** Blocks of the whole range. */
export const BLOCK_COUNT: number = 53 - BLOCK_BITS + 1;

/** Width of the buckets of a block, by how far the block lies above the first. */
const WIDTHS = Float64Array.from({ length: BLOCK_COUNT }, (_, shift) => 2 ** shift);

/**
 * The bucket of a whole number from 0 to 2^53 - 1. Values below twice the block size have buckets
 * of their own; above, a bucket is at most 1/64 as wide as its values are large.
 */
export function bucketOf(value: number): number {
  if (value < BLOCK_SIZE) return value;
  const exponent =
    value < TWO_POW_32 ? 31 - Math.clz32(value) : 63 - Math.clz32(value / TWO_POW_32);
  const shift = exponent - BLOCK_BITS;
  return shift * BLOCK_SIZE + Math.floor(value / (WIDTHS[shift] ?? 1));
}

/** The value that stands for a bucket: the middle, so that it is off by less than 1/128. */
export function bucketMiddle(bucket: number): number {
  if (bucket < BLOCK_SIZE) return bucket;
  const shift = Math.floor(bucket / BLOCK_SIZE) - 1;
  const width = WIDTHS[shift] ?? 1;
  return (bucket - shift * BLOCK_SIZE) * width + (width - 1) / 2;
}
