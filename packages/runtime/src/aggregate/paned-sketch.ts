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
    for (const [number, rows] of this.#rowsByPane(segment, () => true)) {
      const pane = this.#paneAt(number);
      pane.rowCount += rows.length;
      if (!pane.isStale) this.#fill(pane, segment, rows);
    }
  }

  reset(): void {
    this.#panes.clear();
  }

  evict(segment: WindowSegment): void {
    for (const [number, rows] of this.#rowsByPane(segment, () => true)) {
      const pane = this.#paneAt(number);
      pane.rowCount -= rows.length;
      pane.isStale = true;
      if (pane.rowCount === 0) this.#panes.delete(number);
    }
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
      const parts = this.#rowsByPane(segment, (number) => stale.has(number));
      for (const [number, rows] of parts) this.#fill(this.#paneAt(number), segment, rows);
    }
  }

  /** All panes together, the earliest first. */
  merged(): S {
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

  /** Rows of the panes that are wanted, in order of admission. */
  #rowsByPane(
    { input, start, end }: WindowSegment,
    isWanted: (pane: bigint) => boolean,
  ): Map<bigint, Int32Array> {
    const found = new Map<bigint, number[]>();
    for (let row = start; row < end; row += 1) {
      const number = this.#paneOf(input.lowWatermarks[row] as bigint);
      if (!isWanted(number)) continue;
      const rows = found.get(number);
      if (rows === undefined) found.set(number, [row]);
      else rows.push(row);
    }
    return new Map(Array.from(found, ([number, rows]) => [number, Int32Array.from(rows)]));
  }

  /** Panes begin at the epoch; instants before it lie in panes below zero. */
  #paneOf(timeNanos: bigint): bigint {
    const length = this.#paneNanos;
    if (length === null) return 0n;
    const number = timeNanos / length;
    return timeNanos < 0n && number * length !== timeNanos ? number - 1n : number;
  }
}
