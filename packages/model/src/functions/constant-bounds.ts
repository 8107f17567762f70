import type { ConstantRule } from './function-signature.js';

/** Settings of aggregates that have a least and a largest value. */
export type BoundedRule = Extract<
  ConstantRule,
  'percentile' | 'bucket_count' | 'precision' | 'top_count' | 'capacity'
>;

/** The least and the largest value of each of them. */
export const CONSTANT_BOUNDS: Readonly<Record<BoundedRule, readonly [number, number]>> = {
  percentile: [0, 100],
  // Every window of every branch has all the buckets.
  bucket_count: [1, 65_536],
  precision: [4, 16],
  top_count: [1, 4_096],
  capacity: [32, 4_096],
};
