import { type DataType, isIntegerType, type TypedAggregate } from '@nervix/model';
import { BatchBuilder } from '../batch/batch-builder.js';
import { RecordBatch } from '../batch/record-batch.js';
import { isFixedType, type Value } from '../column/column.js';
import type { ExecutionSnapshot } from '../program/row-set.js';
import type { AggregateInput } from './aggregate-input.js';
import type { StructurePlan } from './aggregate-plan.js';
import { floatSum, integerSum, truthResult, unfitDetail } from './aggregate-results.js';
import type { AggregateProgram } from './compile-aggregates.js';
import {
  DoubleExtremesAccumulator,
  FloatSumAccumulator,
  type GroupAccumulator,
  IntegerSumAccumulator,
  TruthAccumulator,
  WideExtremesAccumulator,
} from './group-accumulators.js';
import type { AdmittedRows, EndedWindows, GroupedRows, GroupWindows } from './group-windows.js';

/** The state of a structure; null where the rows of a window are all that it counts. */
type Accumulator = GroupAccumulator | null;

/** A window that ended, with the results of its aggregates or why it has none. */
interface EndedWindow {
  readonly group: number;
  readonly values: readonly Value[] | string;
}

/**
 * Windows that keep no rows, only what their aggregates need of them, in arrays over all groups: rows
 * are read in their order, whatever groups they belong to.
 */
export class AccumulatedWindows implements GroupWindows {
  readonly #program: AggregateProgram;
  readonly #rows: number;
  #accumulators: readonly Accumulator[];
  /** Rows in the window of each group. */
  #counts = new Float64Array(0);
  #groupCount = 0;
  #lows = new BigInt64Array(0);
  #ended: EndedWindow[] = [];

  private constructor(
    program: AggregateProgram,
    rows: number,
    accumulators: readonly Accumulator[],
  ) {
    this.#program = program;
    this.#rows = rows;
    this.#accumulators = accumulators;
  }

  /**
   * @param rows records of a window, which may be Infinity
   * @returns undefined where some aggregate needs the rows of its window
   */
  static for(program: AggregateProgram, rows: number): AccumulatedWindows | undefined {
    const accumulators = accumulatorsOf(program);
    if (accumulators === undefined) return undefined;
    return new AccumulatedWindows(program, rows, accumulators);
  }

  admit(
    { batch, ids, groupCount, failed }: GroupedRows,
    snapshot: ExecutionSnapshot,
  ): AdmittedRows {
    this.#reserve(groupCount);
    const selection = failed.size === 0 ? null : rowsWithout(batch.rowCount, failed);
    const rowCount = selection === null ? batch.rowCount : selection.length;
    if (this.#lows.length < rowCount) this.#lows = new BigInt64Array(rowCount);
    const input = this.#program.evaluate(
      { rowCount, input: batch, ...(selection === null ? {} : { selection }) },
      this.#lows,
      snapshot,
    );
    const rowOf = (position: number): number => selection?.[position] ?? position;
    const isWhole = selection === null && input.failures.length === 0;
    const admitted = isWhole ? ids : input.rows.map((at) => ids[rowOf(at)] as number);
    this.#add(admitted, input);
    const failures = input.failures.map((failure) => ({ ...failure, row: rowOf(failure.row) }));
    return { ended: this.#take(), failures };
  }

  flush(): EndedWindows {
    for (let group = 0; group < this.#groupCount; group += 1) {
      if (this.#counts[group] !== 0) this.#end(group);
    }
    const ended = this.#take();
    this.#accumulators = accumulatorsOf(this.#program) ?? [];
    this.#groupCount = 0;
    return ended;
  }

  #reserve(groups: number): void {
    this.#groupCount = groups;
    for (const accumulator of this.#accumulators) accumulator?.reserve(groups);
    if (groups <= this.#counts.length) return;
    const next = new Float64Array(groups * 2);
    next.set(this.#counts);
    this.#counts = next;
  }

  /** Adds rows to the windows of their groups, and ends those that become full. */
  #add(ids: Int32Array, input: AggregateInput): void {
    let start = 0;
    while (start < ids.length) {
      const end = countUpTo(ids, start, this.#counts, this.#rows);
      this.#accumulate(ids, input, start, end);
      start = end;
      const group = ids[end - 1] as number;
      if (this.#counts[group] === this.#rows) this.#end(group);
    }
  }

  #accumulate(ids: Int32Array, input: AggregateInput, start: number, end: number): void {
    this.#program.structures.forEach(({ arguments: [argument = 0] }, index) => {
      const values = input.arguments[argument];
      if (values !== undefined) this.#accumulators[index]?.add(ids, values, start, end);
    });
  }

  /** Takes the results of a window, which is empty from then on. */
  #end(group: number): void {
    this.#ended.push({ group, values: this.#results(group) });
    for (const accumulator of this.#accumulators) accumulator?.clear(group);
    this.#counts[group] = 0;
  }

  #results(group: number): readonly Value[] | string {
    const values: Value[] = [];
    for (const { aggregate, structure } of this.#program.plans) {
      const value = this.#result(aggregate, this.#accumulators[structure] ?? null, group);
      if (value === undefined) return unfitDetail(aggregate);
      values.push(value);
    }
    return values;
  }

  #result(aggregate: TypedAggregate, state: Accumulator, group: number): Value | undefined {
    const { function: name } = aggregate;
    if (state === null) return BigInt(this.#counts[group] as number);
    if (state instanceof TruthAccumulator) return truthResult(name, state.countsOf(group));
    if (state instanceof IntegerSumAccumulator) return integerSum(aggregate, state.totalOf(group));
    if (state instanceof FloatSumAccumulator) {
      const total = state.totalOf(group);
      if (name === 'SUM') return floatSum(aggregate, total);
      return total.count === 0 ? null : total.sum / total.count;
    }
    const { least, greatest } = (
      state as DoubleExtremesAccumulator | WideExtremesAccumulator
    ).extremesOf(group);
    return name === 'MIN' ? least : greatest;
  }

  #take(): EndedWindows {
    if (this.#ended.length === 0) {
      return { groups: [], results: RecordBatch.empty(this.#program.resultSchema), lost: [] };
    }
    const ended = this.#ended.sort((left, right) => left.group - right.group);
    this.#ended = [];
    const rows = new BatchBuilder(this.#program.resultSchema);
    const groups: number[] = [];
    const lost: string[] = [];
    for (const { group, values } of ended) {
      if (typeof values === 'string') {
        lost.push(values);
        continue;
      }
      groups.push(group);
      rows.appendRow(values);
    }
    return { groups, results: rows.finish(), lost };
  }
}

/** Counts rows for their groups until a window is full, and answers the position behind that row. */
function countUpTo(ids: Int32Array, start: number, counts: Float64Array, rowsMax: number): number {
  for (let row = start; row < ids.length; row += 1) {
    const id = ids[row] as number;
    const count = (counts[id] as number) + 1;
    counts[id] = count;
    if (count === rowsMax) return row + 1;
  }
  return ids.length;
}

function rowsWithout(rowCount: number, failed: ReadonlySet<number>): Int32Array {
  const rows = new Int32Array(rowCount - failed.size);
  let count = 0;
  for (let row = 0; row < rowCount; row += 1) if (!failed.has(row)) rows[count++] = row;
  return rows;
}

function accumulatorsOf({
  structures,
  argumentTypes,
}: AggregateProgram): readonly Accumulator[] | undefined {
  const accumulators: Accumulator[] = [];
  for (const structure of structures) {
    const type = argumentTypes[structure.arguments[0] ?? 0];
    const accumulator = type === undefined ? undefined : accumulatorOf(structure, type);
    if (accumulator === undefined) return undefined;
    accumulators.push(accumulator);
  }
  return accumulators;
}

/** The state of a structure over one argument; undefined where it needs rows. */
function accumulatorOf(
  { kind, functions }: StructurePlan,
  type: DataType,
): Accumulator | undefined {
  switch (kind) {
    case 'counter':
      return null;
    case 'truth':
      return new TruthAccumulator();
    case 'sum':
      return new IntegerSumAccumulator();
    case 'moments': {
      // Beyond the range of doubles a mean is added up in shares of the rows.
      const isBounded = type === 'F32' || (typeof type === 'string' && isIntegerType(type));
      const isSummed = functions.every((name) => name === 'SUM' || (isBounded && name === 'AVG'));
      return isSummed ? new FloatSumAccumulator() : undefined;
    }
    case 'extremes': {
      if (!isFixedType(type)) return undefined;
      const isWide = type === 'I64' || type === 'U64' || type === 'DATETIME';
      return isWide ? new WideExtremesAccumulator(type === 'U64') : new DoubleExtremesAccumulator();
    }
    default:
      return undefined;
  }
}
