/**
 * The only source of chance in a simulation: xoshiro128** of Blackman and Vigna (2018), seeded by
 * splitmix32. Streams drawn from one another with different labels are independent, so one part
 * of a run may draw more or less without disturbing the others.
 */
export class RandomSource {
  #a: number;
  #b: number;
  #c: number;
  #d: number;

  constructor(seed: number) {
    let state = seed | 0;
    const next = (): number => {
      state = (state + 0x9e3779b9) | 0;
      let word = state ^ (state >>> 16);
      word = Math.imul(word, 0x21f0aaad);
      word ^= word >>> 15;
      word = Math.imul(word, 0x735a2d97);
      return word ^ (word >>> 15);
    };
    this.#a = next();
    this.#b = next();
    this.#c = next();
    this.#d = next() | 1;
  }

  /** An independent stream; the same label gives the same one. */
  fork(label: number): RandomSource {
    return new RandomSource(Math.imul(this.#a ^ label, 0x85ebca6b) ^ Math.imul(label, 0xc2b2ae35));
  }

  /** 32 random bits as an unsigned number. */
  next(): number {
    const product = Math.imul(this.#b, 5);
    const result = Math.imul((product << 7) | (product >>> 25), 9) >>> 0;
    const shifted = this.#b << 9;
    this.#c ^= this.#a;
    this.#d ^= this.#b;
    this.#b ^= this.#c;
    this.#a ^= this.#d;
    this.#c ^= shifted;
    this.#d = (this.#d << 11) | (this.#d >>> 21);
    return result;
  }

  /** A whole number from 0 to below `bound`. */
  below(bound: number): number {
    return Math.floor((this.next() / 4_294_967_296) * bound);
  }

  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  /** True with the given probability. */
  chance(probability: number): boolean {
    if (probability <= 0) return false;
    return this.next() < probability * 4_294_967_296;
  }

  /** One of the items, or `undefined` when there is none. */
  pick<T>(items: readonly T[]): T | undefined {
    return items[this.below(items.length)];
  }
}
