import {
  InvariantError,
  type SchemaPlan,
  type SubscriptionDelivery,
  type TypedExpression,
} from '@nervix/model';
import { RowCells, rowCells } from '../batch/row-cells.js';
import { rowJson } from '../batch/row-json.js';
import type { Series } from '../metrics/metric-store.js';
import { compilePredicate, type Predicate } from '../program/compile-predicate.js';
import type { ExecutionSnapshot, RowSet } from '../program/row-set.js';
import type { Relay, RelayConsumer } from './relay.js';
import type { RelayBatch } from './relay-batch.js';

/** Bytes that may be under way to a reader. */
export const SUBSCRIPTION_CREDIT_BYTES: number = 1024 * 1024;

/** Rows of one frame, and the bytes from which on a frame ends. */
const FRAME_ROWS_MAX = 256;
const FRAME_BYTES = 256 * 1024;

/** What a subscription asks for. */
export interface SubscriptionRequest {
  readonly domain: string;
  readonly relay: string;
  readonly delivery: SubscriptionDelivery;
  /** Share of the selected rows, 0 to 1; null for all. */
  readonly sampleRate: number | null;
  readonly where: TypedExpression | null;
  /** Rows as cells in MessagePack instead of JSON lines, so many bytes of them a frame at most. */
  readonly cellBytes?: number;
}

/** What a subscription tells its reader, in order. */
export type SubscriptionEvent =
  /** Rows of one concrete branch: a JSON object a line, sensitive values masked. */
  | {
      readonly kind: 'rows';
      readonly lines: Uint8Array<ArrayBuffer>;
      readonly rowCount: number;
      /** Canonical JSON of the key, sensitive values masked; null on unbranched relays. */
      readonly branchKey: string | null;
    }
  /** Rows of one concrete branch as cells in MessagePack, sensitive values left out. */
  | {
      readonly kind: 'cells';
      readonly rows: Uint8Array<ArrayBuffer>;
      readonly rowCount: number;
      /** The cells of the key; null on unbranched relays. */
      readonly branchKey: Uint8Array<ArrayBuffer> | null;
    }
  /** Rows that a DROPPING subscription lost since it last said so. */
  | { readonly kind: 'lost'; readonly rowCount: number }
  /** Rows whose condition could not be evaluated. */
  | { readonly kind: 'skipped'; readonly rowCount: number }
  /** The last event: the relay changed its definition or is gone. */
  | { readonly kind: 'ended'; readonly reason: 'relay_changed' | 'relay_removed' };

/** Rows of an event as bytes, which the reader gives credit for; undefined where it has none. */
export function rowBytes(event: SubscriptionEvent): Uint8Array<ArrayBuffer> | undefined {
  if (event.kind === 'rows') return event.lines;
  return event.kind === 'cells' ? event.rows : undefined;
}

/**
 * A live view of a relay. It takes part in no acknowledgement. A BLOCKING one takes no batch while
 * its reader has no credit, and so holds the relay; a DROPPING one loses rows instead.
 */
export class Subscription implements RelayConsumer {
  readonly isAttached = false;
  readonly request: SubscriptionRequest;
  readonly #emit: (event: SubscriptionEvent) => void;
  readonly #snapshot: () => ExecutionSnapshot;
  readonly #losses: Series;
  #schema: SchemaPlan;
  #predicate: Predicate | null;
  #relay: Relay | null = null;
  #creditBytes = SUBSCRIPTION_CREDIT_BYTES;
  #lostRows = 0;
  /** What is left of the batch taken last, until there is credit for it. */
  #rest: { readonly source: RelayBatch; readonly rows: Int32Array; start: number } | null = null;

  constructor(options: {
    readonly request: SubscriptionRequest;
    readonly schema: SchemaPlan;
    readonly branchSchema: SchemaPlan | null;
    readonly snapshot: () => ExecutionSnapshot;
    readonly losses: Series;
    readonly emit: (event: SubscriptionEvent) => void;
  }) {
    const { request, schema, branchSchema } = options;
    this.request = request;
    this.#schema = schema;
    this.#emit = options.emit;
    this.#snapshot = options.snapshot;
    this.#losses = options.losses;
    const schemas = branchSchema === null ? {} : { branch: branchSchema };
    this.#predicate =
      request.where === null
        ? null
        : compilePredicate(request.where, { ...schemas, input: schema }, 'source_where');
  }

  /** Schema of the rows the subscription was opened on. */
  get schema(): SchemaPlan {
    return this.#schema;
  }

  /** Starts to read a relay, leaving the one read before. */
  attach(relay: Relay): void {
    this.detach();
    this.#relay = relay;
    relay.connect(this);
  }

  hasRoom(): boolean {
    if (this.request.delivery === 'DROPPING') return true;
    return this.#creditBytes > 0 && this.#rest === null;
  }

  deliver(source: RelayBatch): void {
    this.#guarded(source.batch.rowCount, () => {
      const snapshot = this.#snapshot();
      const rows = this.#sample(this.#select(source, snapshot), snapshot);
      if (rows.length === 0) return;
      this.#rest = { source, rows, start: 0 };
      this.#send();
      if (this.request.delivery === 'DROPPING') this.#loseRest(0);
    });
  }

  /** The reader is done with so many bytes. */
  credit(bytes: number): void {
    this.#creditBytes += bytes;
    this.#guarded(0, () => {
      this.#send();
    });
    this.#relay?.pump();
  }

  /** Leaves the relay for a successor of it; what is left of a batch still goes to the reader. */
  detach(): void {
    const relay = this.#relay;
    this.#relay = null;
    relay?.disconnect(this);
  }

  /** Leaves the relay for good: whatever credit comes, nothing is sent any more. */
  close(): void {
    this.#rest = null;
    this.detach();
  }

  /** Closes the view and says why. */
  end(reason: 'relay_changed' | 'relay_removed'): void {
    this.close();
    this.#emit({ kind: 'ended', reason });
  }

  /** A fault of the view costs it rows; the relay and its other consumers must not feel it. */
  #guarded(rowCount: number, work: () => void): void {
    try {
      work();
    } catch (error) {
      if (error instanceof InvariantError) throw error;
      this.#loseRest(rowCount);
    }
  }

  /** @param rowCount what is lost when no batch is in hand yet */
  #loseRest(rowCount: number): void {
    const lost = this.#rest === null ? rowCount : this.#rest.rows.length - this.#rest.start;
    this.#rest = null;
    this.#lostRows += lost;
    this.#losses.value += lost;
  }

  /** Sends frames of the batch in hand as far as the credit reaches. */
  #send(): void {
    while (this.#rest !== null && this.#creditBytes > 0) {
      if (this.#lostRows > 0) {
        this.#emit({ kind: 'lost', rowCount: this.#lostRows });
        this.#lostRows = 0;
      }
      const { source, rows, start } = this.#rest;
      const { cellBytes } = this.request;
      const event =
        cellBytes === undefined
          ? linesEvent(source, rows, start)
          : cellsEvent(source, rows, start, cellBytes);
      this.#creditBytes -= rowBytes(event)?.length ?? 0;
      const next = start + event.rowCount;
      this.#rest = next < rows.length ? { ...this.#rest, start: next } : null;
      this.#emit(event);
    }
  }

  #select(batch: RelayBatch, snapshot: ExecutionSnapshot): Int32Array {
    const { rowCount } = batch.batch;
    if (this.#predicate === null) return Int32Array.from({ length: rowCount }, (_, row) => row);
    const rows: RowSet = {
      rowCount,
      input: batch.batch,
      ...(batch.branchKey === null ? {} : { branch: batch.branchKey.row }),
    };
    const selected = this.#predicate.select(rows, snapshot);
    const skipped = selected.failures.length;
    if (skipped > 0) this.#emit({ kind: 'skipped', rowCount: skipped });
    return selected.rows;
  }

  #sample(rows: Int32Array, snapshot: ExecutionSnapshot): Int32Array {
    const { sampleRate } = this.request;
    if (sampleRate === null || sampleRate >= 1) return rows;
    return rows.filter(() => {
      const [a = 0, b = 0, c = 0, d = 0] = snapshot.randomBytes(4);
      return (a * 2 ** 24 + b * 2 ** 16 + c * 2 ** 8 + d) / 2 ** 32 < sampleRate;
    });
  }
}

type RowsEvent = Extract<SubscriptionEvent, { kind: 'rows' | 'cells' }>;

/** As many of the rows from `start` on as make one frame. */
function linesEvent({ batch, branchKey }: RelayBatch, rows: Int32Array, start: number): RowsEvent {
  const end = Math.min(rows.length, start + FRAME_ROWS_MAX);
  let text = '';
  let position = start;
  while (position < end && text.length < FRAME_BYTES) {
    text += `${rowJson(batch, rows[position] ?? 0, { maskSensitive: true })}\n`;
    position += 1;
  }
  return {
    kind: 'rows',
    lines: new TextEncoder().encode(text),
    rowCount: position - start,
    branchKey: branchKey?.shownText ?? null,
  };
}

/** As many of the rows from `start` on as fit into one frame, and at least one. */
function cellsEvent(
  { batch, branchKey }: RelayBatch,
  rows: Int32Array,
  start: number,
  bytesMax: number,
): RowsEvent {
  const end = Math.min(rows.length, start + FRAME_ROWS_MAX);
  const cells = new RowCells();
  const list = cells.beginList();
  let position = start;
  while (position < end && cells.length < FRAME_BYTES) {
    const before = cells.length;
    cells.row(batch, rows[position] ?? 0);
    if (cells.length > bytesMax && position > start) {
      cells.truncate(before);
      break;
    }
    position += 1;
  }
  cells.endList(list, position - start);
  const key = branchKey === null ? null : rowCells(branchKey.row, 0);
  return { kind: 'cells', rows: cells.take(), rowCount: position - start, branchKey: key };
}
