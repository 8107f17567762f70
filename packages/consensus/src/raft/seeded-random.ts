/**
 * Uniform random whole numbers from a seed. Source: the mulberry32 generator (Tommy Ettinger,
 * public domain); 32 bits of state are plenty for drawing timeouts.
 */
export class SeededRandom {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** A whole number in [min, max). */
  between(min: number, max: number): number {
    return min + Math.floor(this.#next() * (max - min));
  }

  #next(): number {
    this.#state = (this.#state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
}
