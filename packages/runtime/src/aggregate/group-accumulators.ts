import { bitAt } from '../column/bitmap.js';
import type { Value } from '../column/column.js';
import type { ArgumentColumn } from './aggregate-input.js';
import type { IntegerTotal, NumberTotal, TruthCounts } from './aggregate-results.js';

/** State of an aggregate structure for many groups, by the numbers of the groups. */
export interface GroupAccumulator {
  /** Makes room for groups up to a number, exclusive. */
  reserve(groups: number): void;
  /** Adds rows `start..end` of its argument, each to the group that `ids` has for it. */
  add(ids: Int32Array, argument: ArgumentColumn, start: number, end: number): void;
  /** Empties a group. */
  clear(group: number): void;
}

const GROUPS_MIN = 16;

type State = Float64Array | Int32Array;

/** The state with room for so many groups, new ones zero. */
function grown<Kind extends State>(state: Kind, groups: number): Kind {
  if (groups <= state.length) return state;
  const size = Math.max(GROUPS_MIN, groups, state.length * 2);
  const next = new (state.constructor as new (length: number) => Kind)(size);
  next.set(state);
  return next;
}

/** TRUE and FALSE values of a BOOL argument. */
export class TruthAccumulator implements GroupAccumulator {
  #trueCounts = new Float64Array(0);
  #falseCounts = new Float64Array(0);

  reserve(groups: number): void {
    this.#trueCounts = grown(this.#trueCounts, groups);
    this.#falseCounts = grown(this.#falseCounts, groups);
  }

  add(ids: Int32Array, { column }: ArgumentColumn, start: number, end: number): void {
    if (column.kind !== 'boolean') return;
    const { bits, validity } = column;
    for (let row = start; row < end; row += 1) {
      if (validity !== null && !bitAt(validity, row)) continue;
      const counts = bitAt(bits, row) ? this.#trueCounts : this.#falseCounts;
      const id = ids[row] as number;
      counts[id] = (counts[id] as number) + 1;
    }
  }

  clear(group: number): void {
    this.#trueCounts[group] = 0;
    this.#falseCounts[group] = 0;
  }

  countsOf(group: number): TruthCounts {
    return {
      trueCount: this.#trueCounts[group] as number,
      falseCount: this.#falseCounts[group] as number,
    };
  }
}

/** Largest magnitude up to which another 53-bit integer may be added to a double exactly. */
const SPILL = 2 ** 52;
const SAFE = Number.MAX_SAFE_INTEGER;

/** Exact sums of integers: doubles while they are exact, and beside them what is beyond. */
export class IntegerSumAccumulator implements GroupAccumulator {
  #counts = new Float64Array(0);
  #near = new Float64Array(0);
  readonly #far = new Map<number, bigint>();

  reserve(groups: number): void {
    this.#counts = grown(this.#counts, groups);
    this.#near = grown(this.#near, groups);
  }

  add(ids: Int32Array, { column, doubles }: ArgumentColumn, start: number, end: number): void {
    if (column.kind !== 'fixed' || doubles === null) return;
    const { validity, values } = column;
    const counts = this.#counts;
    const near = this.#near;
    for (let row = start; row < end; row += 1) {
      if (validity !== null && !bitAt(validity, row)) continue;
      const id = ids[row] as number;
      counts[id] = (counts[id] as number) + 1;
      const value = doubles[row] as number;
      const sum = near[id] as number;
      const next = sum + value;
      if (value <= SPILL && value >= -SPILL && next <= SAFE && next >= -SAFE) near[id] = next;
      else this.#spill(id, values[row] as number | bigint);
    }
  }

  /** Moves a sum that would not be exact any more, and the value, to where they are. */
  #spill(group: number, value: number | bigint): void {
    const near = BigInt(this.#near[group] as number);
    this.#far.set(group, (this.#far.get(group) ?? 0n) + near + BigInt(value));
    this.#near[group] = 0;
  }

  clear(group: number): void {
    this.#counts[group] = 0;
    this.#near[group] = 0;
    this.#far.delete(group);
  }

  totalOf(group: number): IntegerTotal {
    return {
      count: this.#counts[group] as number,
      total: (this.#far.get(group) ?? 0n) + BigInt(this.#near[group] as number),
    };
  }
}

/** Sums of doubles with Neumaier's compensation, in the order of the rows. */
export class FloatSumAccumulator implements GroupAccumulator {
  #counts = new Float64Array(0);
  #sums = new Float64Array(0);
  #compensations = new Float64Array(0);

  reserve(groups: number): void {
    this.#counts = grown(this.#counts, groups);
    this.#sums = grown(this.#sums, groups);
    this.#compensations = grown(this.#compensations, groups);
  }

  add(ids: Int32Array, { column, doubles }: ArgumentColumn, start: number, end: number): void {
    if (doubles === null) return;
    const { validity } = column;
    const counts = this.#counts;
    const sums = this.#sums;
    const compensations = this.#compensations;
    for (let row = start; row < end; row += 1) {
      if (validity !== null && !bitAt(validity, row)) continue;
      const id = ids[row] as number;
      const value = doubles[row] as number;
      const sum = sums[id] as number;
      const next = sum + value;
      const lost = Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
      counts[id] = (counts[id] as number) + 1;
      sums[id] = next;
      compensations[id] = (compensations[id] as number) + lost;
    }
  }

  clear(group: number): void {
    this.#counts[group] = 0;
    this.#sums[group] = 0;
    this.#compensations[group] = 0;
  }

  totalOf(group: number): NumberTotal {
    return {
      count: this.#counts[group] as number,
      sum: (this.#sums[group] as number) + (this.#compensations[group] as number),
    };
  }
}

/** Extremes of a group: null where no value was present. */
export interface GroupExtremes {
  readonly least: Value;
  readonly greatest: Value;
}

/** Extremes of numbers that are doubles: NaN is above everything, and the earliest of equals stays. */
export class DoubleExtremesAccumulator implements GroupAccumulator {
  /** Non-zero where a value was present. */
  #present = new Int32Array(0);
  #least = new Float64Array(0);
  #greatest = new Float64Array(0);

  reserve(groups: number): void {
    this.#present = grown(this.#present, groups);
    this.#least = grown(this.#least, groups);
    this.#greatest = grown(this.#greatest, groups);
  }

  add(ids: Int32Array, { column, doubles }: ArgumentColumn, start: number, end: number): void {
    if (doubles === null) return;
    const { validity } = column;
    const present = this.#present;
    const least = this.#least;
    const greatest = this.#greatest;
    for (let row = start; row < end; row += 1) {
      if (validity !== null && !bitAt(validity, row)) continue;
      const id = ids[row] as number;
      const value = doubles[row] as number;
      if (present[id] === 0) {
        present[id] = 1;
        least[id] = value;
        greatest[id] = value;
        continue;
      }
      const low = least[id] as number;
      if (!(value >= low || Number.isNaN(value))) least[id] = value;
      const high = greatest[id] as number;
      if (!(value <= high || Number.isNaN(high))) greatest[id] = value;
    }
  }

  clear(group: number): void {
    this.#present[group] = 0;
  }

  extremesOf(group: number): GroupExtremes {
    if (this.#present[group] === 0) return { least: null, greatest: null };
    return {
      least: this.#least[group] as number,
      greatest: this.#greatest[group] as number,
    };
  }
}

/** Extremes of 64-bit integers and instants, as halves of which unsigned ones are kept shifted. */
export class WideExtremesAccumulator implements GroupAccumulator {
  readonly #isUnsigned: boolean;
  #present = new Int32Array(0);
  /** Low and high halves of each group's extremes, in signed order. */
  #least = new Int32Array(0);
  #greatest = new Int32Array(0);

  constructor(isUnsigned: boolean) {
    this.#isUnsigned = isUnsigned;
  }

  reserve(groups: number): void {
    this.#present = grown(this.#present, groups);
    this.#least = grown(this.#least, groups * 2);
    this.#greatest = grown(this.#greatest, groups * 2);
  }

  add(ids: Int32Array, { column, words }: ArgumentColumn, start: number, end: number): void {
    if (words === null) return;
    const { validity } = column;
    const present = this.#present;
    const least = this.#least;
    const greatest = this.#greatest;
    const shift = this.#isUnsigned ? SIGN : 0;
    for (let row = start; row < end; row += 1) {
      if (validity !== null && !bitAt(validity, row)) continue;
      const id = ids[row] as number;
      const at = id * 2;
      const low = (words[row * 2] as number) ^ SIGN;
      const high = (words[row * 2 + 1] as number) ^ shift;
      const isFirst = present[id] === 0;
      if (isFirst || isBelow(high, low, least, at)) {
        least[at] = low;
        least[at + 1] = high;
      }
      if (isFirst || isAbove(high, low, greatest, at)) {
        greatest[at] = low;
        greatest[at + 1] = high;
      }
      present[id] = 1;
    }
  }

  clear(group: number): void {
    this.#present[group] = 0;
  }

  extremesOf(group: number): GroupExtremes {
    if (this.#present[group] === 0) return { least: null, greatest: null };
    return {
      least: this.#valueOf(this.#least, group),
      greatest: this.#valueOf(this.#greatest, group),
    };
  }

  #valueOf(halves: Int32Array, group: number): bigint {
    const low = ((halves[group * 2] as number) ^ SIGN) >>> 0;
    const high = halves[group * 2 + 1] as number;
    if (!this.#isUnsigned) return BigInt(high) * WORD + BigInt(low);
    return BigInt((high ^ SIGN) >>> 0) * WORD + BigInt(low);
  }
}

const SIGN = 0x80000000 | 0;
const WORD = 1n << 32n;

function isBelow(high: number, low: number, halves: Int32Array, at: number): boolean {
  const other = halves[at + 1] as number;
  return high < other || (high === other && low < (halves[at] as number));
}

function isAbove(high: number, low: number, halves: Int32Array, at: number): boolean {
  const other = halves[at + 1] as number;
  return high > other || (high === other && low > (halves[at] as number));
}
