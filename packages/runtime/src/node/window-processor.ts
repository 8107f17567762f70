import { paneNanos, type WindowPlan } from '@nervix/model';
import { AckSet } from '../ack/ack-set.js';
import { type ParentShare, unionAcks } from '../ack/child-acks.js';
import { type AggregateInput, takeInput } from '../aggregate/aggregate-input.js';
import type { WindowAggregates } from '../aggregate/window-aggregates.js';
import type { BranchKey } from '../branch/branch-key.js';
import type { Timer } from '../clock/clock.js';
import type { ExecutionSnapshot, RowFailure } from '../program/row-set.js';
import { takeRows } from '../relay/relay-batch.js';
import { step } from '../step-fault.js';
import type { Cutover } from './domain-node.js';
import { INTERNAL_ERROR } from './internal-errors.js';
import { takeSnapshot } from './node-context.js';
import { Processor, type ProcessorOptions, rowSetOf, type WorkItem } from './processor.js';
import { WindowFrame } from './window-frame.js';
import { WindowRoute } from './window-route.js';

interface BranchWindow {
  readonly key: BranchKey | null;
  readonly frame: WindowFrame;
  /** State of each route's aggregates, in order. */
  readonly aggregates: readonly (WindowAggregates | null)[];
  timer: Timer | undefined;
}

/** Retained rows of every branch, for a successor with the same plan in the same thread. */
export type WindowState = readonly CarriedWindow[];

/** A window and when its branch had its last input. */
interface CarriedWindow extends Omit<BranchWindow, 'timer'> {
  readonly lastInputNanos: bigint;
}

/** Rows of the batch in process: their arguments by route, and where their shares are. */
interface Admission {
  readonly inputs: readonly (AggregateInput | null)[];
  readonly low: BigInt64Array;
  readonly acks: AckSet;
  readonly snapshot: ExecutionSnapshot;
}

/** Positions of the rows of an input that failed nowhere. */
function survivors({ rows }: AggregateInput, failed: ReadonlyMap<number, RowFailure>): Int32Array {
  const positions = Int32Array.from(rows, (_, position) => position);
  return positions.filter((position) => !failed.has(rows[position] as number));
}

/** Aggregates over the rows of a sliding or tumbling window, one window per branch. */
export class WindowProcessor extends Processor<BranchWindow> {
  protected readonly routes: readonly WindowRoute[];
  readonly #plan: WindowPlan;
  readonly #maxStateBytes: number | null;
  readonly #carried = new Map<string, CarriedWindow>();

  constructor(options: ProcessorOptions<WindowPlan>) {
    const { context, plan, relays, inputSchema } = options;
    const node = { kind: 'WINDOW_PROCESSOR', name: plan.name } as const;
    super(node, options);
    this.#plan = plan;
    this.#maxStateBytes = plan.maxStateBytes === null ? null : Number(plan.maxStateBytes);
    this.routes = plan.routes.map(
      (route) =>
        new WindowRoute({
          context,
          node,
          plan: route,
          relays,
          inputSchema,
          paneNanos: paneNanos(plan.width, plan.step),
          schemas: this.schemas,
        }),
    );
  }

  /** Prepares a plan that differs in what may change while the node runs. */
  revise(plan: WindowPlan): Cutover {
    const routes = this.routes.flatMap((route, index) => {
      const revised = plan.routes[index];
      return revised === undefined ? [] : [route.revise(revised)];
    });
    const cutovers = [this.reviseInput(plan), ...routes];
    return () => {
      for (const cutover of cutovers) cutover();
    };
  }

  /** Takes over what a predecessor with the same plan retained. */
  restore(state: WindowState): void {
    for (const window of state) {
      this.#carried.set(window.key?.text ?? '', window);
      this.#arm(this.stateOf(window.key, window.lastInputNanos));
    }
  }

  /** Retained rows of every branch. The node must be closed already. */
  exportState(): WindowState {
    return Array.from(this.states(), ([, { key, frame, aggregates }, lastInputNanos]) => ({
      key,
      frame,
      aggregates,
      lastInputNanos,
    }));
  }

  override flush(): void {
    const nowNanos = this.context.time.nowNanos();
    for (const [, { aggregates }] of this.states()) {
      for (const each of aggregates) each?.purge(nowNanos);
    }
    super.flush();
  }

  override close(reason: string): void {
    for (const [, window] of this.states()) window.timer?.cancel();
    super.close(reason);
  }

  protected createState(key: BranchKey | null): BranchWindow {
    const text = key?.text ?? '';
    const carried = this.#carried.get(text);
    this.#carried.delete(text);
    if (carried !== undefined) {
      const { frame, aggregates } = carried;
      return { key, frame, aggregates, timer: undefined };
    }
    return {
      key,
      frame: new WindowFrame(this.#plan.width, this.#plan.step),
      aggregates: this.routes.map((route) => route.newWindow()),
      timer: undefined,
    };
  }

  protected dropState(_key: BranchKey, window: BranchWindow): void {
    window.timer?.cancel();
    this.#clear(window);
  }

  protected work(item: WorkItem, window: BranchWindow): void {
    const good = this.#admissible(item);
    if (good === null) return;
    const { batch, snapshot } = good.item;
    const admission: Admission = {
      inputs: good.inputs,
      low: batch.low,
      acks: batch.acks,
      snapshot,
    };
    try {
      step('aggregate state failed', () => {
        this.#admitAll(window, good.item, admission);
      });
      for (const route of this.routes) route.deliver();
      if (!batch.acks.isNone) {
        for (let row = 0; row < batch.batch.rowCount; row += 1) {
          if (!this.#refused.has(row)) batch.acks.ackRow(row);
        }
      }
    } catch (error) {
      this.#reset(window);
      throw error;
    } finally {
      this.#openRows.length = 0;
      this.#refused.clear();
      this.#arm(window);
    }
  }

  /** Admits the rows in runs that end where the window emits. */
  #admitAll(window: BranchWindow, item: WorkItem, admission: Admission): void {
    const { low, snapshot } = admission;
    for (const aggregates of window.aggregates) aggregates?.purge(snapshot.nowNanos);
    for (let row = 0; row < low.length; ) {
      const room = this.#roomFrom(window, admission, row);
      if (room === row) {
        this.#refuse(item, row);
        row += 1;
        continue;
      }
      const end = window.frame.admit(low, row, room);
      for (const [route, aggregates] of window.aggregates.entries()) {
        const input = admission.inputs[route];
        if (input) aggregates?.admit(input, row, end);
      }
      if (!admission.acks.isNone) {
        for (let open = row; open < end; open += 1) this.#openRows.push(open);
      }
      row = end;
      this.#emitWhile(window, low[end - 1] as bigint, admission);
    }
  }

  /** Rows of the batch in process that the window still retains. */
  readonly #openRows: number[] = [];
  /** Rows of the batch in process that did not enter the window. */
  readonly #refused = new Set<number>();

  /** Evaluates all arguments; rows that fail in any route enter no window. */
  #admissible(
    item: WorkItem,
  ): { readonly item: WorkItem; readonly inputs: readonly (AggregateInput | null)[] } | null {
    const { rows, batch: whole, snapshot } = item;
    const inputs = this.routes.map((route) => route.evaluate(rows, whole.low, snapshot));
    const failureOf = new Map<number, RowFailure>();
    for (const input of inputs) {
      for (const failure of input?.failures ?? []) {
        if (!failureOf.has(failure.row)) failureOf.set(failure.row, failure);
      }
    }
    if (failureOf.size === 0) return { item, inputs };
    this.fail(item, [...failureOf.values()], 'WINDOW');
    const kept = Int32Array.from({ length: item.rows.rowCount }, (_, row) => row).filter(
      (row) => !failureOf.has(row),
    );
    if (kept.length === 0) return null;
    const batch = takeRows(item.batch, kept);
    const good = { batch, rows: rowSetOf(batch), snapshot };
    // Not evaluated anew: a volatile function may fail for other rows the next time.
    return {
      item: good,
      inputs: inputs.map((input) => input && takeInput(input, survivors(input, failureOf))),
    };
  }

  /** End of the rows from `row` on that the window can take at present. */
  #roomFrom(window: BranchWindow, { inputs, low }: Admission, row: number): number {
    const { length } = low;
    const bytesMax = this.#maxStateBytes;
    if (bytesMax === null) return length;
    const fits = (end: number): boolean => {
      let bytes = 0;
      window.aggregates.forEach((aggregates, route) => {
        const input = inputs[route];
        if (input && aggregates) bytes += aggregates.byteSize + aggregates.bytesOf(input, row, end);
      });
      return bytes <= bytesMax;
    };
    if (fits(length)) return length;
    let [fitting, tooMany] = [row, length];
    while (tooMany - fitting > 1) {
      const middle = (fitting + tooMany) >>> 1;
      if (fits(middle)) fitting = middle;
      else tooMany = middle;
    }
    return fitting;
  }

  #refuse(item: WorkItem, row: number): void {
    this.#refused.add(row);
    const message = `${this.label} state would exceed MAX STATE SIZE`;
    const cause = { row, code: 'validation', message, operation: 'window' } as const;
    this.failWith(item, [{ ...cause, operationIndex: null, paths: [] }]);
  }

  #emitWhile(window: BranchWindow, referenceNanos: bigint, admission: Admission | null): void {
    const snapshot = admission?.snapshot ?? takeSnapshot(this.context);
    while (window.frame.isWide(referenceNanos)) {
      const lowNanos = window.frame.lowest();
      for (const [index, route] of this.routes.entries()) {
        const acks = this.#openShares(admission);
        const emission = { branchKey: window.key, lowNanos, snapshot, acks };
        const failure = route.emit(window.aggregates[index] ?? null, emission);
        if (failure === null) continue;
        acks.nack(failure);
        this.reportFault(`aggregate state failed: ${failure}`);
        this.#clear(window);
        this.#openRows.length = 0;
        return;
      }
      this.#step(window, snapshot.nowNanos);
    }
  }

  #step(window: BranchWindow, nowNanos: bigint): void {
    const removed = window.frame.step();
    for (const aggregates of window.aggregates) aggregates?.evictFirst(removed, nowNanos);
    const left = this.#openRows.length - window.frame.rowCount;
    if (left > 0) this.#openRows.splice(0, left);
  }

  /** One new row's shares of all rows that are still open and retained. */
  #openShares(admission: Admission | null): AckSet {
    if (admission === null || admission.acks.isNone) return AckSet.NONE;
    const { acks } = admission;
    const shares = this.#openRows.map((row): ParentShare => {
      acks.attachRow(row, 1);
      return { acks, row };
    });
    return unionAcks([shares]);
  }

  /** After a fault nobody can tell which rows are in which aggregate: the window starts anew. */
  #reset(window: BranchWindow): void {
    this.#clear(window);
    for (const route of this.routes) route.discard(INTERNAL_ERROR);
  }

  #clear(window: BranchWindow): void {
    window.frame.clear();
    for (const aggregates of window.aggregates) aggregates?.clear();
  }

  /** Sets the clock pass at which the window is wide enough by time alone. */
  #arm(window: BranchWindow): void {
    window.timer?.cancel();
    window.timer = undefined;
    const { dueNanos } = window.frame;
    if (dueNanos === null) return;
    const { time } = this.context;
    window.timer = time.wait(time.deadlineAt(dueNanos), (outcome) => {
      if (outcome.kind !== 'due') return;
      this.input.enqueue(() => {
        try {
          step('aggregate state failed', () => {
            this.#emitWhile(window, time.nowNanos(), null);
          });
          for (const route of this.routes) route.deliver();
        } catch (error) {
          this.#reset(window);
          throw error;
        } finally {
          this.#arm(window);
        }
      });
    });
  }
}
