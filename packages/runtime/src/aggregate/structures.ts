import { bitAt } from '../column/bitmap.js';
import type { ArgumentColumn, WindowSegment } from './aggregate-input.js';
import { FloatSum } from './float-sum.js';
import { compareRows, type RowReference } from './row-order.js';

/**
 * State of the aggregates that share their arguments. Rows are added in admission order; when leading
 * rows leave a window its structures start again from the rows that remain, so nothing is subtracted.
 */
export interface AggregateStructure {
  add(segment: WindowSegment): void;
  reset(): void;
}

function argumentOf(segment: WindowSegment, index: number): ArgumentColumn {
  return segment.input.arguments[index] as ArgumentColumn;
}

function isPresent(validity: Uint8Array | null, row: number): boolean {
  return validity === null || bitAt(validity, row);
}

/** Counts rows, nulls included. */
export class RowCounter implements AggregateStructure {
  count = 0;

  add({ start, end }: WindowSegment): void {
    this.count += end - start;
  }

  reset(): void {
    this.count = 0;
  }
}

/** Counts the TRUE and the FALSE values of a BOOL argument. */
export class TruthCounter implements AggregateStructure {
  trueCount = 0;
  falseCount = 0;
  readonly #index: number;

  constructor(index: number) {
    this.#index = index;
  }

  add(segment: WindowSegment): void {
    const { column } = argumentOf(segment, this.#index);
    if (column.kind !== 'boolean') return;
    for (let row = segment.start; row < segment.end; row += 1) {
      if (!isPresent(column.validity, row)) continue;
      if (bitAt(column.bits, row)) this.trueCount += 1;
      else this.falseCount += 1;
    }
  }

  reset(): void {
    this.trueCount = 0;
    this.falseCount = 0;
  }
}

/** Largest magnitude up to which another 53-bit integer may be added to a double exactly. */
const SPILL = 2 ** 52;
const SAFE = Number.MAX_SAFE_INTEGER;

/** Exact sum of integers of any width: a double while it is exact, with overflow into a BigInt. */
export class IntegerSum implements AggregateStructure {
  count = 0;
  #near = 0;
  #far = 0n;
  readonly #index: number;

  constructor(index: number) {
    this.#index = index;
  }

  get total(): bigint {
    return this.#far + BigInt(this.#near);
  }

  add(segment: WindowSegment): void {
    const { column, doubles } = argumentOf(segment, this.#index);
    if (column.kind !== 'fixed' || doubles === null) return;
    for (let row = segment.start; row < segment.end; row += 1) {
      if (!isPresent(column.validity, row)) continue;
      this.count += 1;
      const value = doubles[row] as number;
      if (value > SPILL || value < -SPILL) {
        this.#far += BigInt(column.values[row] as bigint | number);
        continue;
      }
      const next = this.#near + value;
      if (next > SAFE || next < -SAFE) {
        this.#far += BigInt(this.#near) + BigInt(value);
        this.#near = 0;
      } else {
        this.#near = next;
      }
    }
  }

  reset(): void {
    this.count = 0;
    this.#near = 0;
    this.#far = 0n;
  }
}

/** Compensated sum of floats, and the mean and centred second moment of any numbers. */
export class Moments implements AggregateStructure {
  count = 0;
  readonly #sum = new FloatSum();
  readonly #index: number;

  constructor(index: number) {
    this.#index = index;
  }

  get sum(): number {
    return this.#sum.value;
  }

  add(segment: WindowSegment): void {
    const { column, doubles } = argumentOf(segment, this.#index);
    if (doubles === null) return;
    for (let row = segment.start; row < segment.end; row += 1) {
      if (!isPresent(column.validity, row)) continue;
      this.count += 1;
      this.#sum.add(doubles[row] as number);
    }
  }

  reset(): void {
    this.count = 0;
    this.#sum.reset();
  }

  /** Mean of the values; of a sum beyond doubles it is added up in shares. */
  mean(segments: readonly WindowSegment[]): number {
    const mean = this.#sum.value / this.count;
    if (Number.isFinite(mean)) return mean;
    const shares = new FloatSum();
    eachNumber(segments, this.#index, (value) => shares.add(value / this.count));
    return shares.value;
  }

  /** Sum of the squared distances from the mean, in a second pass over the rows. */
  centredSquares(segments: readonly WindowSegment[]): number {
    const mean = this.mean(segments);
    const squares = new FloatSum();
    const distances = new FloatSum();
    let first: number | undefined;
    let isConstant = true;
    eachNumber(segments, this.#index, (value) => {
      first ??= value;
      isConstant &&= value === first;
      const distance = value - mean;
      distances.add(distance);
      squares.add(distance * distance);
    });
    if (isConstant) return 0;
    const rest = distances.value;
    return Math.max(0, squares.value - (rest * rest) / this.count);
  }
}

function eachNumber(
  segments: readonly WindowSegment[],
  index: number,
  visit: (value: number) => void,
): void {
  for (const segment of segments) {
    const { column, doubles } = argumentOf(segment, index);
    if (doubles === null) continue;
    for (let row = segment.start; row < segment.end; row += 1) {
      if (isPresent(column.validity, row)) visit(doubles[row] as number);
    }
  }
}

/** Centred products of two numeric arguments over the rows that have both. */
export interface CentredProducts {
  readonly count: number;
  readonly leftSquares: number;
  readonly rightSquares: number;
  readonly products: number;
}

type FloatSums = [FloatSum, FloatSum, FloatSum, FloatSum, FloatSum];

/** Sums of two numeric arguments over the rows that have both. */
export class CoMoments implements AggregateStructure {
  count = 0;
  readonly #leftIndex: number;
  readonly #rightIndex: number;

  constructor(leftIndex: number, rightIndex: number) {
    this.#leftIndex = leftIndex;
    this.#rightIndex = rightIndex;
  }

  add(segment: WindowSegment): void {
    this.#eachPair([segment], () => {
      this.count += 1;
    });
  }

  reset(): void {
    this.count = 0;
  }

  centred(segments: readonly WindowSegment[]): CentredProducts {
    const { count } = this;
    const leftMean = new FloatSum();
    const rightMean = new FloatSum();
    this.#eachPair(segments, (left, right) => {
      leftMean.add(left / count);
      rightMean.add(right / count);
    });
    const meanX = leftMean.value;
    const meanY = rightMean.value;
    const [xx, yy, xy, xs, ys] = [0, 0, 0, 0, 0].map(() => new FloatSum()) as FloatSums;
    let first: readonly [number, number] | undefined;
    let isLeftConstant = true;
    let isRightConstant = true;
    this.#eachPair(segments, (left, right) => {
      first ??= [left, right];
      isLeftConstant &&= left === first[0];
      isRightConstant &&= right === first[1];
      const x = left - meanX;
      const y = right - meanY;
      xx.add(x * x);
      yy.add(y * y);
      xy.add(x * y);
      xs.add(x);
      ys.add(y);
    });
    const isFlat = isLeftConstant || isRightConstant;
    return {
      count,
      leftSquares: isLeftConstant ? 0 : Math.max(0, xx.value - xs.value ** 2 / count),
      rightSquares: isRightConstant ? 0 : Math.max(0, yy.value - ys.value ** 2 / count),
      products: isFlat ? 0 : xy.value - (xs.value * ys.value) / count,
    };
  }

  #eachPair(
    segments: readonly WindowSegment[],
    visit: (left: number, right: number) => void,
  ): void {
    for (const segment of segments) {
      const left = argumentOf(segment, this.#leftIndex);
      const right = argumentOf(segment, this.#rightIndex);
      if (left.doubles === null || right.doubles === null) continue;
      for (let row = segment.start; row < segment.end; row += 1) {
        if (!isPresent(left.column.validity, row)) continue;
        if (!isPresent(right.column.validity, row)) continue;
        visit(left.doubles[row] as number, right.doubles[row] as number);
      }
    }
  }
}

/** The row with the smallest and the row with the largest key; the earliest of equals. */
export class Extremes implements AggregateStructure {
  readonly #keyIndex: number;
  /** Argument that must be present too and gives the result; the key itself for MIN and MAX. */
  readonly #valueIndex: number;
  #least: RowReference | null = null;
  #greatest: RowReference | null = null;
  leastValue: RowReference | null = null;
  greatestValue: RowReference | null = null;

  constructor(keyIndex: number, valueIndex: number = keyIndex) {
    this.#keyIndex = keyIndex;
    this.#valueIndex = valueIndex;
  }

  add(segment: WindowSegment): void {
    const key = argumentOf(segment, this.#keyIndex);
    const value = argumentOf(segment, this.#valueIndex);
    let least = this.#least;
    let greatest = this.#greatest;
    for (let row = segment.start; row < segment.end; row += 1) {
      if (!isPresent(key.column.validity, row) || !isPresent(value.column.validity, row)) continue;
      if (least === null || compareRows(key, row, least.argument, least.row) < 0) {
        least = { argument: key, row };
      }
      if (greatest === null || compareRows(key, row, greatest.argument, greatest.row) > 0) {
        greatest = { argument: key, row };
      }
    }
    if (least !== null && least !== this.#least) {
      this.#least = least;
      this.leastValue = { argument: value, row: least.row };
    }
    if (greatest !== null && greatest !== this.#greatest) {
      this.#greatest = greatest;
      this.greatestValue = { argument: value, row: greatest.row };
    }
  }

  reset(): void {
    this.#least = null;
    this.#greatest = null;
    this.leastValue = null;
    this.greatestValue = null;
  }
}

/** The first and the last present value by low watermark, then admission. */
export class Sequence implements AggregateStructure {
  first: RowReference | null = null;
  last: RowReference | null = null;
  #firstLow = 0n;
  #lastLow = 0n;
  readonly #index: number;

  constructor(index: number) {
    this.#index = index;
  }

  add(segment: WindowSegment): void {
    const argument = argumentOf(segment, this.#index);
    const { lowWatermarks } = segment.input;
    for (let row = segment.start; row < segment.end; row += 1) {
      if (!isPresent(argument.column.validity, row)) continue;
      const low = lowWatermarks[row] as bigint;
      if (this.first === null || low < this.#firstLow) {
        this.first = { argument, row };
        this.#firstLow = low;
      }
      if (this.last === null || low >= this.#lastLow) {
        this.last = { argument, row };
        this.#lastLow = low;
      }
    }
  }

  reset(): void {
    this.first = null;
    this.last = null;
  }
}
