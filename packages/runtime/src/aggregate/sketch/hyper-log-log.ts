/** Bits of a hash. */
const HASH_BITS = 64;

/**
 * About how many different hashes were added, within about 1.04 / sqrt(2^precision) of it in relation.
 * Sources: Flajolet et al., HyperLogLog (2007); the estimator is Ertl's, arXiv:1702.01284, algorithm 6,
 * which needs no corrections for small or large numbers.
 */
export class HyperLogLog {
  readonly registers: Uint8Array;
  readonly #precision: number;

  /** @param precision 4 to 16: one register of a byte for each value of so many bits */
  constructor(precision: number) {
    this.#precision = precision;
    this.registers = new Uint8Array(2 ** precision);
  }

  /** Takes note of a hash of 64 bits in two halves. */
  add(high: number, low: number): void {
    const precision = this.#precision;
    const register = high >>> (32 - precision);
    const rest = high << precision;
    const rank = rest === 0 ? 33 - precision + Math.clz32(low) : 1 + Math.clz32(rest);
    if (rank > (this.registers[register] as number)) this.registers[register] = rank;
  }

  /** Adds what another of the same precision has seen. */
  merge({ registers }: HyperLogLog): void {
    for (let at = 0; at < registers.length; at += 1) {
      const rank = registers[at] as number;
      if (rank > (this.registers[at] as number)) this.registers[at] = rank;
    }
  }

  /** The nearest whole number to the estimate. */
  estimate(): number {
    const { length } = this.registers;
    const rankMax = HASH_BITS - this.#precision + 1;
    const counts = new Float64Array(rankMax + 1);
    for (const rank of this.registers) counts[rank] = (counts[rank] as number) + 1;
    let sum = length * tau(1 - (counts[rankMax] as number) / length);
    for (let rank = rankMax - 1; rank >= 1; rank -= 1) sum = (sum + (counts[rank] as number)) / 2;
    sum += length * sigma((counts[0] as number) / length);
    return Math.round(length ** 2 / (2 * Math.LN2 * sum));
  }
}

/** x + the sum of x^(2^k) 2^(k-1) for k from 1 on: what registers without a hash stand for. */
function sigma(share: number): number {
  if (share === 1) return Number.POSITIVE_INFINITY;
  let power = share;
  let weight = 1;
  let sum = share;
  for (;;) {
    power *= power;
    const next = sum + power * weight;
    if (next === sum) return sum;
    sum = next;
    weight *= 2;
  }
}

/** (1 - x - the sum of (1 - x^(2^-k))^2 2^-k for k from 1 on) / 3: the same for full registers. */
function tau(share: number): number {
  if (share === 0 || share === 1) return 0;
  let root = share;
  let weight = 1;
  let rest = 1 - share;
  for (;;) {
    root = Math.sqrt(root);
    weight /= 2;
    const next = rest - (1 - root) ** 2 * weight;
    if (next === rest) return rest / 3;
    rest = next;
  }
}
