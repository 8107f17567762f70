import { assert } from '@nervix/model';

/**
 * A positive finite double as the fraction that it is, so that products with nanoseconds are exact.
 */
export class ExactRate {
  readonly #numerator: bigint;
  readonly #denominator: bigint;

  constructor(rate: number) {
    assert(rate > 0 && rate < Infinity, 'a time rate is a positive finite number');
    let numerator = rate;
    let denominator = 1n;
    // Doubling a double is exact; it ends at the latest with the smallest subnormal made whole.
    while (!Number.isInteger(numerator)) {
      numerator *= 2;
      denominator *= 2n;
    }
    this.#numerator = BigInt(numerator);
    this.#denominator = denominator;
  }

  /** ⌊value · rate⌋ of a value that is not negative. */
  floorOf(value: bigint): bigint {
    return (value * this.#numerator) / this.#denominator;
  }

  /** ⌈value / rate⌉ of a positive value. */
  ceilQuotient(value: bigint): bigint {
    return (value * this.#denominator + this.#numerator - 1n) / this.#numerator;
  }
}
