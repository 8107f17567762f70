import {
  assert,
  type SchemaPlan,
  type SourceSpan,
  sketchBytes,
  type TypedAggregate,
} from '@nervix/model';
import { RecordBatch } from '../batch/record-batch.js';
import type { Column, Value } from '../column/column.js';
import { newColumnBuilder } from '../column/column-builder.js';
import { nullColumn, takeColumn } from '../column/column-copy.js';
import { type AggregateInput, retainedBytes, type WindowSegment } from './aggregate-input.js';
import type { AggregatePlan, StructurePlan } from './aggregate-plan.js';
import {
  coMomentResult,
  floatSum,
  integerSum,
  momentResult,
  truthResult,
  unfitDetail,
} from './aggregate-results.js';
import { DelayedHistogram } from './delayed-histogram.js';
import { PanedSketch } from './paned-sketch.js';
import type { RowReference } from './row-order.js';
import { FrequentItems } from './sketch/frequent-items.js';
import { HyperLogLog } from './sketch/hyper-log-log.js';
import { QuantileDigest } from './sketch/quantile-digest.js';
import { distinctKind, frequentKind, quantileKind } from './sketch-kinds.js';
import { isStepping, type SteppingStructure } from './stepping-structure.js';
import {
  type AggregateStructure,
  CoMoments,
  Extremes,
  IntegerSum,
  Moments,
  RowCounter,
  Sequence,
  TruthCounter,
} from './structures.js';

/** Results of a window's aggregates: one row, or why there is none. */
export type WindowResult =
  | { readonly kind: 'row'; readonly batch: RecordBatch }
  | { readonly kind: 'failed'; readonly detail: string; readonly span: SourceSpan | undefined };

/** What the windows of a route have in common. */
export interface WindowAggregatesPlan {
  readonly structures: readonly StructurePlan[];
  readonly plans: readonly AggregatePlan[];
  /** Length of the panes by which sketches are kept; null keeps them whole. */
  readonly paneNanos: bigint | null;
}

/** The rows that one window retains and the state of its aggregates. */
export class WindowAggregates {
  readonly #schema: SchemaPlan;
  readonly #structures: readonly AggregateStructure[];
  /** Those of the structures that rows leave one after the other. */
  readonly #stepping: readonly SteppingStructure[];
  readonly #plans: readonly AggregatePlan[];
  #segments: WindowSegment[] = [];
  #rowCount = 0;
  #byteSize = 0;
  /** Whether leading rows left since the structures were last filled. */
  #isStale = false;

  constructor(schema: SchemaPlan, { structures, plans, paneNanos }: WindowAggregatesPlan) {
    this.#schema = schema;
    this.#structures = structures.map((plan) => newStructure(plan, paneNanos));
    this.#stepping = this.#structures.filter(isStepping);
    this.#plans = plans;
  }

  get rowCount(): number {
    return this.#rowCount;
  }

  /** Bytes of the retained arguments and watermarks, and of sketches, for MAX STATE SIZE. */
  get byteSize(): number {
    let bytes = this.#byteSize;
    for (const structure of this.#stepping) bytes += structure.byteSize;
    return bytes;
  }

  /** Bytes by which admitting rows would grow the state. */
  bytesOf(input: AggregateInput, start: number, end: number): number {
    let bytes = retainedBytes(input, start, end);
    for (const structure of this.#stepping) bytes += structure.growth({ input, start, end });
    return bytes;
  }

  /** Forgets what aggregates kept of rows that left, up to an instant of the domain. */
  purge(nowNanos: bigint): void {
    for (const structure of this.#stepping) structure.purge(nowNanos);
  }

  /** Admits rows `start..end` of an input, in order. */
  admit(input: AggregateInput, start: number, end: number): void {
    if (start >= end) return;
    const segment = { input, start, end };
    this.#segments.push(segment);
    this.#rowCount += end - start;
    this.#byteSize += retainedBytes(input, start, end);
    for (const structure of this.#isStale ? this.#stepping : this.#structures) {
      structure.add(segment);
    }
  }

  /**
   * Removes the `count` rows admitted first, or all rows when there are fewer.
   *
   * @param nowNanos instant of the domain, from which delays of aggregates count
   */
  evictFirst(count: number, nowNanos: bigint): void {
    if (this.#stepping.length > 0) {
      this.#leave(count, nowNanos);
      this.purge(nowNanos);
    }
    if (count >= this.#rowCount) {
      this.#empty();
      for (const structure of this.#structures) {
        if (!isStepping(structure)) structure.reset();
      }
      return;
    }
    let rest = count;
    let whole = 0;
    for (const { input, start, end } of this.#segments) {
      const removed = Math.min(rest, end - start);
      if (removed === 0) break;
      this.#byteSize -= retainedBytes(input, start, end);
      rest -= removed;
      if (removed < end - start) {
        const kept = { input, start: start + removed, end };
        this.#segments[whole] = kept;
        this.#byteSize += retainedBytes(input, kept.start, end);
        break;
      }
      whole += 1;
    }
    this.#segments.splice(0, whole);
    this.#rowCount -= count;
    this.#isStale ||= count > 0;
  }

  /** Removes all rows and whatever is known of rows before them. */
  clear(): void {
    this.#empty();
    for (const structure of this.#structures) structure.reset();
  }

  /** The aggregates over the retained rows at an instant of the domain. */
  results(nowNanos: bigint): WindowResult {
    this.#refresh();
    for (const structure of this.#stepping) {
      structure.purge(nowNanos);
      structure.settle(this.#segments);
    }
    const columns: Column[] = [];
    for (const { aggregate, structure } of this.#plans) {
      const result = this.#result(aggregate, this.#structures[structure] as AggregateStructure);
      if (result === 'unfit') {
        return { kind: 'failed', detail: unfitDetail(aggregate), span: aggregate.span };
      }
      columns.push(result);
    }
    return { kind: 'row', batch: new RecordBatch(this.#schema, 1, columns) };
  }

  #empty(): void {
    this.#segments = [];
    this.#rowCount = 0;
    this.#byteSize = 0;
    this.#isStale = false;
  }

  /** Takes the rows that go out of the structures that can do that. */
  #leave(count: number, nowNanos: bigint): void {
    let rest = count;
    for (const { input, start, end } of this.#segments) {
      const left = Math.min(rest, end - start);
      if (left === 0) return;
      const segment = { input, start, end: start + left };
      for (const structure of this.#stepping) structure.evict(segment, nowNanos);
      rest -= left;
    }
  }

  /** Fills the structures anew that rows have left and that cannot forget. */
  #refresh(): void {
    if (!this.#isStale) return;
    this.#isStale = false;
    for (const structure of this.#structures) {
      if (isStepping(structure)) continue;
      structure.reset();
      for (const segment of this.#segments) structure.add(segment);
    }
  }

  #result(aggregate: TypedAggregate, structure: AggregateStructure): Column | 'unfit' {
    if (structure instanceof Extremes) {
      const isLeast = aggregate.function === 'MIN' || aggregate.function === 'ARG_MIN';
      return referenced(isLeast ? structure.leastValue : structure.greatestValue, aggregate);
    }
    if (structure instanceof Sequence) {
      return referenced(
        aggregate.function === 'FIRST' ? structure.first : structure.last,
        aggregate,
      );
    }
    const value = this.#scalar(aggregate, structure);
    if (value === undefined) return 'unfit';
    const builder = newColumnBuilder(aggregate.type, true);
    builder.set(0, value);
    return builder.finish(1);
  }

  /** A computed result; undefined when it does not fit its type. */
  #scalar(aggregate: TypedAggregate, structure: AggregateStructure): Value | undefined {
    if (structure instanceof RowCounter) return BigInt(structure.count);
    const { function: name } = aggregate;
    if (structure instanceof TruthCounter) return truthResult(name, structure);
    if (structure instanceof IntegerSum) return integerSum(aggregate, structure);
    if (structure instanceof Moments) {
      if (name === 'SUM') return floatSum(aggregate, structure);
      return momentResult(name, {
        count: structure.count,
        mean: () => structure.mean(this.#segments),
        centredSquares: () => structure.centredSquares(this.#segments),
      });
    }
    if (structure instanceof DelayedHistogram) {
      return structure.percentile(Number(aggregate.constants[0]?.value) / 100);
    }
    if (structure instanceof PanedSketch) return sketchResult(aggregate, structure.merged());
    assert(structure instanceof CoMoments, 'every structure has results');
    return coMomentResult(name, structure.count, () => structure.centred(this.#segments));
  }
}

function newStructure(plan: StructurePlan, paneNanos: bigint | null): AggregateStructure {
  const { kind, arguments: indexes } = plan;
  const [first = 0, second = 0] = indexes;
  switch (kind) {
    case 'counter':
      return new RowCounter();
    case 'truth':
      return new TruthCounter(first);
    case 'sum':
      return new IntegerSum(first);
    case 'moments':
      return new Moments(first);
    case 'co_moments':
      return new CoMoments(first, second);
    case 'extremes':
      return new Extremes(first);
    case 'arg_extremes':
      return new Extremes(second, first);
    case 'sequence':
      return new Sequence(first);
    case 'linear_histogram':
      return newHistogram(first, plan);
    case 'hll':
      return new PanedSketch(first, distinctKind(...sketchSettings(plan)), paneNanos);
    case 'quantile_sketch':
      return new PanedSketch(first, quantileKind(...sketchSettings(plan)), paneNanos);
    case 'frequent_items':
      return new PanedSketch(first, frequentKind(...sketchSettings(plan)), paneNanos);
  }
}

function newHistogram(index: number, { settings }: StructurePlan): DelayedHistogram {
  const [buckets, min, max, delay] = settings.map(({ value }) => value);
  const bounds = { buckets: Number(buckets), min: Number(min), max: Number(max) };
  return new DelayedHistogram(index, bounds, BigInt(delay ?? 0));
}

/** The size of a sketch and the bytes that it may take. */
function sketchSettings({ functions, settings }: StructurePlan): [size: number, bytes: number] {
  const size = Number(settings[0]?.value);
  return [size, sketchBytes({ function: functions[0] ?? '', constants: settings }) ?? 0];
}

function sketchResult({ constants }: TypedAggregate, sketch: unknown): Value {
  if (sketch instanceof HyperLogLog) return BigInt(sketch.estimate());
  const asked = Number(constants[0]?.value);
  if (sketch instanceof QuantileDigest) return sketch.quantile(asked / 100);
  assert(sketch instanceof FrequentItems, 'every sketch has results');
  return sketch.top(asked);
}

function referenced(reference: RowReference | null, { type }: TypedAggregate): Column {
  if (reference === null) return nullColumn(type, 1);
  return takeColumn(reference.argument.column, Int32Array.of(reference.row));
}
