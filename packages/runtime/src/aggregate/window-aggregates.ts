import { assert, type SchemaPlan, type SourceSpan, type TypedAggregate } from '@nervix/model';
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
import type { RowReference } from './row-order.js';
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

/** The rows that one window retains and the state of its aggregates. */
export class WindowAggregates {
  readonly #schema: SchemaPlan;
  readonly #structures: readonly AggregateStructure[];
  readonly #plans: readonly AggregatePlan[];
  #segments: WindowSegment[] = [];
  #rowCount = 0;
  #byteSize = 0;
  /** Whether leading rows left since the structures were last filled. */
  #isStale = false;

  constructor(
    schema: SchemaPlan,
    structures: readonly StructurePlan[],
    plans: readonly AggregatePlan[],
  ) {
    this.#schema = schema;
    this.#structures = structures.map(newStructure);
    this.#plans = plans;
  }

  get rowCount(): number {
    return this.#rowCount;
  }

  /** Bytes of the retained arguments and watermarks, for MAX STATE SIZE. */
  get byteSize(): number {
    return this.#byteSize;
  }

  /** Bytes by which admitting rows would grow the state. */
  bytesOf(input: AggregateInput, start: number, end: number): number {
    return retainedBytes(input, start, end);
  }

  /** Admits rows `start..end` of an input, in order. */
  admit(input: AggregateInput, start: number, end: number): void {
    if (start >= end) return;
    const segment = { input, start, end };
    this.#segments.push(segment);
    this.#rowCount += end - start;
    this.#byteSize += retainedBytes(input, start, end);
    if (!this.#isStale) this.#add(segment);
  }

  /** Removes the `count` rows admitted first, or all rows when there are fewer. */
  evictFirst(count: number): void {
    if (count >= this.#rowCount) {
      this.clear();
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

  /** Removes all rows. */
  clear(): void {
    this.#segments = [];
    this.#rowCount = 0;
    this.#byteSize = 0;
    this.#isStale = false;
    for (const structure of this.#structures) structure.reset();
  }

  /** The aggregates over the retained rows. */
  results(): WindowResult {
    this.#refresh();
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

  #add(segment: WindowSegment): void {
    for (const structure of this.#structures) structure.add(segment);
  }

  #refresh(): void {
    if (!this.#isStale) return;
    for (const structure of this.#structures) structure.reset();
    for (const segment of this.#segments) this.#add(segment);
    this.#isStale = false;
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
    assert(structure instanceof CoMoments, 'every structure has results');
    return coMomentResult(name, structure.count, () => structure.centred(this.#segments));
  }
}

function newStructure({ kind, arguments: indexes }: StructurePlan): AggregateStructure {
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
  }
}

function referenced(reference: RowReference | null, { type }: TypedAggregate): Column {
  if (reference === null) return nullColumn(type, 1);
  return takeColumn(reference.argument.column, Int32Array.of(reference.row));
}
