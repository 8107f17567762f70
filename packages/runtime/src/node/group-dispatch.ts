import { assert, type IngestorPlan, type SchemaPlan } from '@nervix/model';
import type { AckSet } from '../ack/ack-set.js';
import type { RecordBatch } from '../batch/record-batch.js';
import { isNullAt } from '../column/column.js';
import { compilePredicate, type Predicate } from '../program/compile-predicate.js';
import type { ExecutionSnapshot, RowSet } from '../program/row-set.js';
import { type RelayBatch, takeRows } from '../relay/relay-batch.js';
import type { EntryRoute } from './entry-route.js';
import type { ClosedGroup, GroupMember } from './ingest-group.js';
import { expressionFailures, type MessageFailure, referenced } from './message-failure.js';
import { type NodeContext, type NodeIdentity, nodeLabel } from './node-context.js';
import { readsHeaders } from './reads-headers.js';
import { offerFailures } from './route.js';
import { ackDropped } from './row-outcomes.js';
import { RowTallies } from './row-tallies.js';

/** What happens to a closed group: timestamps, filter, then every route. */
export class GroupDispatch {
  /** Whether requests must be kept for the headers that expressions read. */
  readonly readsHeaders: boolean;
  readonly #label: string;
  readonly #tallies: RowTallies;
  readonly #timestampField: string | null;
  readonly #filter: Predicate | null;
  readonly #routes: readonly EntryRoute[];

  constructor(options: {
    readonly context: NodeContext;
    readonly node: NodeIdentity;
    readonly plan: IngestorPlan;
    readonly schema: SchemaPlan;
    readonly routes: readonly EntryRoute[];
  }) {
    const { context, node, plan, schema, routes } = options;
    this.readsHeaders = readsHeaders([plan.filter, plan.routes]);
    this.#label = nodeLabel(node);
    this.#tallies = new RowTallies(context, node);
    this.#timestampField = plan.timestamp.kind === 'at' ? plan.timestamp.field : null;
    this.#filter =
      plan.filter === null
        ? null
        : compilePredicate(plan.filter, { input: schema }, 'filter_where');
    this.#routes = routes;
  }

  /** Hands the rows, with one share each, to the routes. */
  dispatch(group: ClosedGroup<unknown>, acks: AckSet, snapshot: ExecutionSnapshot): void {
    const { batch } = group;
    const instants = this.#instants(batch, snapshot);
    let source: RelayBatch = { batch, branchKey: null, low: instants, high: instants, acks };
    let headers = this.readsHeaders ? headersOf(group.members) : undefined;
    const untimed = this.#untimedRows(batch, snapshot);
    if (untimed.length > 0) {
      offerFailures(this.#routes, {
        failures: untimed,
        source,
        rows: rowsOf(batch, headers),
        snapshot,
      });
      const isUntimed = new Set(untimed.map(({ row }) => row));
      const timed = allRows(batch.rowCount).filter((row) => !isUntimed.has(row));
      source = takeRows(source, timed);
      headers = headersAt(headers, timed);
    }
    this.#filterAndRoute(source, headers, snapshot);
  }

  #filterAndRoute(
    unfiltered: RelayBatch,
    unfilteredHeaders: RowSet['headers'],
    snapshot: ExecutionSnapshot,
  ): void {
    let source = unfiltered;
    let headers = unfilteredHeaders;
    if (source.batch.rowCount === 0) return;
    if (this.#filter !== null) {
      const rows = rowsOf(source.batch, headers);
      const { rows: kept, failures } = this.#filter.select(rows, snapshot);
      ackDropped(source.acks, rows.rowCount, kept, failures);
      const stayed = kept.length + failures.length;
      this.#tallies.filtered('filter_where', rows.rowCount - stayed);
      if (failures.length > 0) {
        offerFailures(this.#routes, {
          failures: expressionFailures(failures, this.#label, 'FILTER WHERE', snapshot),
          source,
          rows,
          snapshot,
        });
      }
      if (kept.length === 0) return;
      if (kept.length < rows.rowCount) {
        source = takeRows(source, kept);
        headers = headersAt(headers, kept);
      }
    }
    source.acks.attach(this.#routes.length - 1);
    const rows = rowsOf(source.batch, headers);
    for (const route of this.#routes) route.apply(source, rows, snapshot);
  }

  #instants(batch: RecordBatch, snapshot: ExecutionSnapshot): BigInt64Array {
    if (this.#timestampField === null) {
      return new BigInt64Array(batch.rowCount).fill(snapshot.nowNanos);
    }
    const column = batch.column(this.#timestampField);
    assert(
      column.kind === 'fixed' && column.values instanceof BigInt64Array,
      'an ingestion timestamp is a DATETIME field',
    );
    return column.values;
  }

  /** Rows whose timestamp field is null. */
  #untimedRows(batch: RecordBatch, snapshot: ExecutionSnapshot): readonly MessageFailure[] {
    const field = this.#timestampField;
    if (field === null) return [];
    const column = batch.column(field);
    if (column.validity === null) return [];
    const failures: MessageFailure[] = [];
    for (let row = 0; row < batch.rowCount; row += 1) {
      if (!isNullAt(column, row)) continue;
      const message = `TIMESTAMP field '${field}' for ${this.#label} is missing from decoded record`;
      const cause = { row, code: 'validation', message, operation: 'admit' } as const;
      failures.push(
        referenced({ ...cause, operationIndex: null, paths: [`input.${field}`] }, snapshot),
      );
    }
    return failures;
  }
}

function rowsOf(batch: RecordBatch, headers: RowSet['headers']): RowSet {
  const rows = { rowCount: batch.rowCount, input: batch };
  return headers === undefined ? rows : { ...rows, headers };
}

function allRows(count: number): Int32Array {
  return Int32Array.from({ length: count }, (_, row) => row);
}

function headersOf(members: readonly GroupMember<unknown>[]): NonNullable<RowSet['headers']> {
  return (row, name) => {
    let low = 0;
    let high = members.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((members[middle]?.endRow ?? 0) > row) high = middle;
      else low = middle + 1;
    }
    return members[low]?.request.headers(name) ?? [];
  };
}

function headersAt(headers: RowSet['headers'], rows: Int32Array): RowSet['headers'] {
  if (headers === undefined) return undefined;
  return (row, name) => headers(rows[row] ?? 0, name);
}
