import { RecordBatch } from '../batch/record-batch.js';
import { keepColumn } from '../column/column-buffers.js';
import type { ExecutionSnapshot } from '../program/row-set.js';
import type { AggregateInput } from './aggregate-input.js';
import type { AggregateProgram } from './compile-aggregates.js';
import { orderByGroup } from './group-order.js';
import type { AdmittedRows, EndedWindows, GroupedRows, GroupWindows } from './group-windows.js';
import type { WindowAggregates } from './window-aggregates.js';

/** Windows that keep their rows until they end, as every aggregate can be computed from. */
export class RetainedWindows implements GroupWindows {
  readonly #program: AggregateProgram;
  readonly #rows: number;
  #windows: WindowAggregates[] = [];

  /** @param rows records of a window, which may be Infinity */
  constructor(program: AggregateProgram, rows: number) {
    this.#program = program;
    this.#rows = rows;
  }

  admit(
    { batch, ids, groupCount, failed }: GroupedRows,
    snapshot: ExecutionSnapshot,
  ): AdmittedRows {
    while (this.#windows.length < groupCount) this.#windows.push(this.#program.newWindow());
    const { order, ends } = orderByGroup(ids, groupCount, failed);
    const input = this.#program.evaluate(
      { rowCount: order.length, input: batch, selection: order },
      new BigInt64Array(order.length),
      snapshot,
    );
    for (const { column } of input.arguments) keepColumn(column);
    const ended = new EndedResults(snapshot.nowNanos);
    // Refused rows are missing from the input, so that groups end earlier there.
    const { rows } = input;
    const isWhole = input.failures.length === 0;
    let start = 0;
    this.#windows.forEach((window, group) => {
      const limit = ends[group] as number;
      let end = isWhole ? limit : start;
      while (end < rows.length && (rows[end] as number) < limit) end += 1;
      this.#admit({ window, group }, input, { start, end }, ended);
      start = end;
    });
    const failures = input.failures.map((failure) => ({
      ...failure,
      row: order[failure.row] ?? failure.row,
    }));
    return { ended: ended.finish(this.#program), failures };
  }

  flush(snapshot: ExecutionSnapshot): EndedWindows {
    const ended = new EndedResults(snapshot.nowNanos);
    this.#windows.forEach((window, group) => {
      if (window.rowCount > 0) ended.end(group, window);
    });
    this.#windows = [];
    return ended.finish(this.#program);
  }

  #admit(
    { window, group }: { readonly window: WindowAggregates; readonly group: number },
    input: AggregateInput,
    range: { readonly start: number; readonly end: number },
    ended: EndedResults,
  ): void {
    let { start } = range;
    while (start < range.end) {
      const end = Math.min(range.end, start + this.#rows - window.rowCount);
      window.admit(input, start, end);
      start = end;
      if (window.rowCount < this.#rows) return;
      ended.end(group, window);
    }
  }
}

/** Results of the windows that ended during one run. */
class EndedResults {
  readonly #groups: number[] = [];
  readonly #results: RecordBatch[] = [];
  readonly #lost: string[] = [];
  readonly #nowNanos: bigint;

  /** @param nowNanos instant at which they end */
  constructor(nowNanos: bigint) {
    this.#nowNanos = nowNanos;
  }

  /** Takes the results of a window, and its rows out of it. */
  end(group: number, window: WindowAggregates): void {
    const result = window.results(this.#nowNanos);
    window.evictFirst(window.rowCount, this.#nowNanos);
    if (result.kind === 'failed') {
      this.#lost.push(result.detail);
      return;
    }
    this.#groups.push(group);
    this.#results.push(result.batch);
  }

  finish({ resultSchema }: AggregateProgram): EndedWindows {
    const results =
      this.#results.length === 0
        ? RecordBatch.empty(resultSchema)
        : RecordBatch.concat(this.#results);
    return { groups: this.#groups, results, lost: this.#lost };
  }
}
