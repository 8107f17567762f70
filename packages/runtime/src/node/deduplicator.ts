import type { DeduplicatorPlan } from '@nervix/model';
import { AckLedger } from '../ack/ack-ledger.js';
import { AckSet } from '../ack/ack-set.js';
import type { BranchKey } from '../branch/branch-key.js';
import type { Series } from '../metrics/metric-store.js';
import { compileExpressions, type Expressions } from '../program/compile-expressions.js';
import { type RelayBatch, takeRows } from '../relay/relay-batch.js';
import { step } from '../step-fault.js';
import type { Cutover } from './domain-node.js';
import { INTERNAL_ERROR } from './internal-errors.js';
import { applyRoutes, reviseRoutes } from './junction.js';
import { takeSnapshot } from './node-context.js';
import { Processor, type ProcessorOptions, rowSetOf, type WorkItem } from './processor.js';
import { type Reservation, Reservations } from './reservations.js';
import { Route } from './route.js';
import { ackDropped } from './row-outcomes.js';
import { keyReader } from './typed-key.js';

/** Rows that may wait per branch before the node takes no more input of it. */
const PARKED_ROWS_MAX = 1024;

interface ParkedRow {
  readonly batch: RelayBatch;
  readonly row: number;
}

interface BranchHistory {
  readonly key: BranchKey | null;
  readonly reservations: Reservations<ParkedRow>;
  isDropped: boolean;
}

/** What the rows of a batch met in the history. */
interface Arrivals {
  /** Rows that go on, each under the reservation of its place. */
  readonly rows: Int32Array;
  readonly held: readonly Reservation<ParkedRow>[];
  readonly waiting: readonly { readonly row: number }[];
}

/** History of a deduplicator by branch key text; the empty text is unbranched work. */
export type DeduplicatorState = ReadonlyMap<string, ReadonlyMap<string, bigint>>;

/** Suppresses rows whose key was already delivered within the time the history reaches back. */
export class Deduplicator extends Processor<BranchHistory> {
  protected readonly routes: readonly Route[];
  #maxTimeNanos: bigint;
  readonly #keys: Expressions;
  /** Histories without a live branch: those carried over and those of evicted branches. */
  readonly #stored = new Map<string, ReadonlyMap<string, bigint>>();
  readonly #unconfirmed: Series;
  readonly #parked: Series;

  constructor(options: ProcessorOptions<DeduplicatorPlan>) {
    const { context, plan, relays } = options;
    const node = { kind: 'DEDUPLICATOR', name: plan.name } as const;
    super(node, options);
    this.#maxTimeNanos = plan.maxTimeNanos;
    this.#keys = compileExpressions(plan.keys, this.schemas, 'deduplicate');
    this.routes = plan.routes.map(
      (route) => new Route({ context, node, plan: route, relays, schemas: this.schemas }),
    );
    const name = 'nervix_deduplicator_reservations';
    const labels = { deduplicator: plan.name };
    this.#unconfirmed = context.metrics.gauge(name, { ...labels, state: 'unconfirmed' });
    this.#parked = context.metrics.gauge(name, { ...labels, state: 'parked' });
  }

  override get isIdle(): boolean {
    if (!super.isIdle) return false;
    for (const [, { reservations }] of this.states()) if (reservations.parked > 0) return false;
    return true;
  }

  override refreshMetrics(): void {
    super.refreshMetrics();
    let unconfirmed = 0;
    let parked = 0;
    for (const [, { reservations }] of this.states()) {
      unconfirmed += reservations.unconfirmed;
      parked += reservations.parked;
    }
    this.#unconfirmed.value = unconfirmed;
    this.#parked.value = parked;
  }

  /** Prepares a plan that differs in what may change while the node runs. */
  revise(plan: DeduplicatorPlan): Cutover {
    const cutovers = [this.reviseInput(plan), ...reviseRoutes(this.routes, plan.routes)];
    return () => {
      this.#maxTimeNanos = plan.maxTimeNanos;
      for (const cutover of cutovers) cutover();
    };
  }

  /** Takes over the history of a predecessor with the same plan. */
  restore(state: DeduplicatorState): void {
    for (const [text, keys] of state) this.#stored.set(text, keys);
  }

  /** Every confirmed key, for a successor with the same plan. Read it after the node was closed. */
  exportState(): DeduplicatorState {
    return new Map(this.#stored);
  }

  override keepAlive(): void {
    super.keepAlive();
    for (const [, { reservations }] of this.states()) {
      for (const { batch, row } of reservations.parkedRows()) batch.acks.aliveRow(row);
    }
  }

  override close(reason: string): void {
    for (const [key, history] of this.states()) {
      this.#stored.set(key?.text ?? '', history.reservations.confirmedKeys());
      this.#dropHistory(history, reason);
    }
    super.close(reason);
  }

  override scanBranches(nowNanos: bigint): void {
    super.scanBranches(nowNanos);
    const boundary = nowNanos - this.#maxTimeNanos;
    for (const [text, keys] of this.#stored) {
      const young = new Map([...keys].filter(([, seenAtNanos]) => seenAtNanos > boundary));
      if (young.size === 0) this.#stored.delete(text);
      else this.#stored.set(text, young);
    }
  }

  protected createState(key: BranchKey | null): BranchHistory {
    const reservations = new Reservations<ParkedRow>();
    const text = key?.text ?? '';
    const stored = this.#stored.get(text);
    if (stored !== undefined) reservations.restore(stored);
    this.#stored.delete(text);
    return { key, reservations, isDropped: false };
  }

  protected dropState(key: BranchKey, history: BranchHistory, reason: string): void {
    this.#stored.set(key.text, history.reservations.confirmedKeys());
    this.#dropHistory(history, reason);
  }

  protected work(item: WorkItem, history: BranchHistory): void {
    const { columns, failures } = step('failed to evaluate DEDUPLICATE ON expressions', () =>
      this.#keys.evaluate(item.rows, item.snapshot),
    );
    this.fail(item, failures, 'DEDUPLICATE ON');
    const failed = new Set(failures.map((failure) => failure.row));
    const { rows, held, waiting } = step('failed to update state', () =>
      this.#reserve(item, history.reservations, { readKey: keyReader(columns), failed }),
    );
    ackDropped(item.batch.acks, item.rows.rowCount, rows, [...failures, ...waiting]);
    const stayed = rows.length + failures.length + waiting.length;
    this.tallies.filtered('duplicate', item.rows.rowCount - stayed);
    const forwarded = step('failed to build route input batch', () => takeRows(item.batch, rows));
    this.#forward(forwarded, held, history, item);
    this.#limitParked(history);
  }

  /** Reserves the key of every row that did not fail, or lets the row wait for another's. */
  #reserve(
    { batch, rows, snapshot }: WorkItem,
    reservations: BranchHistory['reservations'],
    keyed: { readonly readKey: (row: number) => string; readonly failed: ReadonlySet<number> },
  ): Arrivals {
    const { nowNanos } = snapshot;
    reservations.prune(nowNanos, this.#maxTimeNanos);
    const survivors: number[] = [];
    const held: Reservation<ParkedRow>[] = [];
    const waiting: { readonly row: number }[] = [];
    for (let row = 0; row < rows.rowCount; row += 1) {
      if (keyed.failed.has(row)) continue;
      const park = (): ParkedRow => ({ batch, row });
      const arrival = reservations.arrive(keyed.readKey(row), nowNanos, park);
      if (arrival.kind === 'parked') waiting.push({ row });
      if (arrival.kind !== 'forward') continue;
      survivors.push(row);
      held.push(arrival.reservation);
    }
    return { rows: Int32Array.from(survivors), held, waiting };
  }

  /** Sends reserved rows on, each under a share of its own that decides its reservation. */
  #forward(
    batch: RelayBatch,
    held: readonly Reservation<ParkedRow>[],
    history: BranchHistory,
    { snapshot }: Pick<WorkItem, 'snapshot'>,
  ): void {
    if (held.length === 0) return;
    const parents = batch.acks;
    const ledger = new AckLedger(held.length, {
      settled: (slot, failure) => {
        const reservation = held[slot];
        if (failure === null) parents.ackRow(slot);
        else parents.nackRow(slot, failure);
        if (reservation !== undefined) this.#settle(reservation, history, failure);
      },
      alive: (slot) => {
        parents.aliveRow(slot);
      },
      idled: (slot, isIdle) => {
        if (isIdle) parents.parkRow(slot);
        else parents.unparkRow(slot);
      },
    });
    const acks = AckSet.ofSlots(
      ledger,
      Int32Array.from(held, (_, slot) => slot),
    );
    const forwarded = { ...batch, acks };
    try {
      applyRoutes(this.routes, { batch: forwarded, rows: rowSetOf(forwarded), snapshot });
    } catch (error) {
      ledger.drop(INTERNAL_ERROR);
      throw error;
    }
  }

  #settle(
    reservation: Reservation<ParkedRow>,
    history: BranchHistory,
    failure: string | null,
  ): void {
    const { reservations } = history;
    if (history.isDropped) return;
    if (failure === null) {
      const suppressed = reservations.confirm(reservation);
      for (const { batch, row } of suppressed) batch.acks.ackRow(row);
      this.tallies.filtered('duplicate', suppressed.length);
      this.#limitParked(history);
      return;
    }
    const next = reservations.release(reservation, this.context.time.nowNanos());
    this.#limitParked(history);
    if (next === undefined) return;
    this.input.enqueue(
      () => {
        const snapshot = takeSnapshot(this.context);
        const batch = step('failed to build route input batch', () =>
          takeRows(next.batch, Int32Array.of(next.row)),
        );
        if (history.isDropped) batch.acks.nack('branch instance was evicted');
        else this.#forward(batch, [reservation], history, { snapshot });
      },
      (reason) => {
        next.batch.acks.nackRow(next.row, reason);
      },
    );
  }

  #dropHistory(history: BranchHistory, reason: string): void {
    history.isDropped = true;
    for (const { batch, row } of history.reservations.clear()) batch.acks.nackRow(row, reason);
    this.#limitParked(history);
  }

  /** Holds the input of a branch while it has too many waiting rows. */
  #limitParked(history: BranchHistory): void {
    const isFull = !history.isDropped && history.reservations.parked >= PARKED_ROWS_MAX;
    this.input.setHeld(history.key, isFull);
  }
}
