import type { ArgumentColumn, WindowSegment } from './aggregate-input.js';
import type { SteppingStructure } from './stepping-structure.js';

/** What one pane knows of its rows. */
export interface Sketch<Self> {
  merge(other: Self): void;
}

/** How a kind of sketch is made, filled and paid for. */
export interface SketchKind<S extends Sketch<S>> {
  /** Bytes that one sketch may take. */
  readonly reservedBytes: number;
  create(): S;
  /** Adds rows that have a value. */
  add(sketch: S, argument: ArgumentColumn, rows: Int32Array): void;
}

/** Bounds of the one pane where there are no others. */
const EVERYTHING: [from: bigint, to: bigint] = [-(2n ** 64n), 2n ** 64n];

interface Pane<S> {
  sketch: S;
  rowCount: number;
  /** Whether the sketch has seen rows that left. */
  isStale: boolean;
}

/**
 * A sketch of an argument over the rows of a window. Sketches cannot forget, so there is one for each
 * pane of time: panes whose rows have all left go, those of which some left are made anew from the
 * rows that remain, and a result is all panes together.
 */
export class PanedSketch<S extends Sketch<S>> implements SteppingStructure {
  readonly #index: number;
  readonly #kind: SketchKind<S>;
  readonly #paneNanos: bigint | null;
  readonly #panes = new Map<bigint, Pane<S>>();
  /** All panes together, until rows come or go. */
  #whole: S | null = null;

  /** @param paneNanos length of a pane; null for one that holds everything */
  constructor(index: number, kind: SketchKind<S>, paneNanos: bigint | null) {
    this.#index = index;
    this.#kind = kind;
    this.#paneNanos = paneNanos;
  }

  get byteSize(): number {
    return this.#panes.size * this.#kind.reservedBytes;
  }

  add(segment: WindowSegment): void {
    this.#whole = null;
    for (const [number, rows] of this.#rowsByPane(segment)) {
      const pane = this.#paneAt(number);
      pane.rowCount += rows.length;
      if (!pane.isStale) this.#fill(pane, segment, rows);
    }
  }

  reset(): void {
    this.#whole = null;
    this.#panes.clear();
  }

  growth(segment: WindowSegment): number {
    const opened = new Set<bigint>();
    this.#eachRun(segment, (number) => {
      if (!this.#panes.has(number)) opened.add(number);
    });
    return opened.size * this.#kind.reservedBytes;
  }

  purge(): void {
    // Panes go with the last of their rows.
  }

  evict(segment: WindowSegment): void {
    this.#whole = null;
    this.#eachRun(segment, (number, start, end) => {
      const pane = this.#paneAt(number);
      pane.rowCount -= end - start;
      pane.isStale = true;
      if (pane.rowCount === 0) this.#panes.delete(number);
    });
  }

  settle(retained: readonly WindowSegment[]): void {
    const stale = new Set<bigint>();
    for (const [number, pane] of this.#panes) {
      if (!pane.isStale) continue;
      stale.add(number);
      pane.sketch = this.#kind.create();
      pane.isStale = false;
    }
    if (stale.size === 0) return;
    for (const segment of retained) {
      for (const [number, rows] of this.#rowsByPane(segment)) {
        if (stale.has(number)) this.#fill(this.#paneAt(number), segment, rows);
      }
    }
  }

  /** All panes together; it is the sketch's own and must not be added to. */
  merged(): S {
    this.#whole ??= this.#join();
    return this.#whole;
  }

  /** The earliest pane first. */
  #join(): S {
    const whole = this.#kind.create();
    const numbers = [...this.#panes.keys()].sort((left, right) => (left < right ? -1 : 1));
    for (const number of numbers) whole.merge(this.#paneAt(number).sketch);
    return whole;
  }

  #fill(pane: Pane<S>, { input }: WindowSegment, rows: Int32Array): void {
    this.#kind.add(pane.sketch, input.arguments[this.#index] as ArgumentColumn, rows);
  }

  #paneAt(number: bigint): Pane<S> {
    let pane = this.#panes.get(number);
    if (pane === undefined) {
      pane = { sketch: this.#kind.create(), rowCount: 0, isStale: false };
      this.#panes.set(number, pane);
    }
    return pane;
  }

  /** Rows of each pane, in order of admission. */
  #rowsByPane(segment: WindowSegment): ReadonlyMap<bigint, Int32Array> {
    const found = new Map<bigint, number[]>();
    this.#eachRun(segment, (number, start, end) => {
      const rows = found.get(number) ?? [];
      found.set(number, rows);
      for (let row = start; row < end; row += 1) rows.push(row);
    });
    return new Map(Array.from(found, ([number, rows]) => [number, Int32Array.from(rows)]));
  }

  /**
   * Tells the runs of rows that lie in one pane, in order of admission: rows mostly come in the order of
   * their times, so that there are few.
   */
  #eachRun(
    { input: { lowWatermarks }, start, end }: WindowSegment,
    visit: (pane: bigint, start: number, end: number) => void,
  ): void {
    for (let row = start; row < end; ) {
      const number = this.#paneOf(lowWatermarks[row] as bigint);
      const [from, to] = this.#boundsOf(number);
      const first = row;
      do row += 1;
      while (row < end && isWithin(lowWatermarks[row] as bigint, from, to));
      visit(number, first, row);
    }
  }

  #boundsOf(number: bigint): [from: bigint, to: bigint] {
    const length = this.#paneNanos;
    if (length === null) return EVERYTHING;
    return [number * length, (number + 1n) * length];
  }

  /** Panes begin at the epoch; instants before it lie in panes below zero. */
  #paneOf(timeNanos: bigint): bigint {
    const length = this.#paneNanos;
    if (length === null) return 0n;
    const number = timeNanos / length;
    return timeNanos < 0n && number * length !== timeNanos ? number - 1n : number;
  }
}

function isWithin(value: bigint, from: bigint, to: bigint): boolean {
  return value >= from && value < to;
}
