import type { EmitterPlan, SchemaPlan } from '@nervix/model';
import type { RecordBatch } from '../batch/record-batch.js';
import type { RowEncoder } from '../codec/payload-codec.js';
import type { PreparedRequest } from '../connector/http/http-sink.js';
import type { FlushPolicy } from '../flush/flush-policy.js';
import type { RouteOutput } from '../flush/route-output.js';
import { type Construction, compileConstruction } from '../program/compile-construction.js';
import { compilePredicate, type Predicate } from '../program/compile-predicate.js';
import type { ExecutionSnapshot, RowSchemas } from '../program/row-set.js';
import { type RelayBatch, takeRows } from '../relay/relay-batch.js';
import type { StagedBatch } from './input-stage.js';
import { isUdfFailure } from './internal-errors.js';
import { type FailedRows, MessageErrors } from './message-errors.js';
import { expressionFailures, referenced } from './message-failure.js';
import { type NodeContext, type NodeIdentity, nodeLabel } from './node-context.js';
import { rowSetOf } from './processor.js';
import type { RelayLookup } from './relay-lookup.js';
import { RequestBuilder } from './request-builder.js';
import { ackDropped } from './row-outcomes.js';
import { type FilterStage, RowTallies } from './row-tallies.js';

/** A row whose request is final, with all that its error record may need. */
export interface PreparedRow {
  readonly request: PreparedRequest;
  readonly item: Omit<FailedRows, 'failures'>;
  readonly row: number;
}

/** What became of a batch. */
export type Preparation =
  | { readonly kind: 'prepared'; readonly rows: readonly PreparedRow[] }
  /** A function failed for all rows of `source`, whose shares are still to be resolved. */
  | { readonly kind: 'failed'; readonly reason: string; readonly source: RelayBatch };

/** A function of the domain failed for a whole batch. */
class BatchFailure extends Error {
  readonly source: RelayBatch;

  constructor(reason: string, source: RelayBatch) {
    super(reason);
    this.source = source;
  }
}

/** The part of an emitter that makes requests of rows: predicates, record, headers, encoding. */
export class EmitterRows {
  readonly errors: MessageErrors;
  readonly #label: string;
  readonly #tallies: RowTallies;
  readonly #predicates: readonly (Predicate | null)[];
  readonly #construction: Construction | null;
  /** WHERE of an emitter that builds no record. */
  readonly #where: Predicate | null;
  readonly #builder: RequestBuilder;

  constructor(options: {
    readonly context: NodeContext;
    readonly node: NodeIdentity;
    readonly plan: EmitterPlan;
    readonly relays: RelayLookup;
    readonly inputSchema: SchemaPlan;
    readonly outputSchema: SchemaPlan | null;
    readonly encoder: RowEncoder | null;
    readonly flush: FlushPolicy;
  }) {
    const { context, node, plan, relays, inputSchema, outputSchema } = options;
    const schemas: RowSchemas = { input: inputSchema };
    const { where } = plan.construction;
    this.#label = nodeLabel(node);
    this.#tallies = new RowTallies(context, node);
    this.#predicates = plan.inputs.map((input) =>
      input.where === null ? null : compilePredicate(input.where, schemas, 'source_where'),
    );
    this.#construction =
      outputSchema === null ? null : compileConstruction(plan.construction, schemas, outputSchema);
    this.#where =
      outputSchema === null && where !== null
        ? compilePredicate(where, schemas, 'route_where')
        : null;
    this.#builder = new RequestBuilder({ ...options, label: this.#label });
    this.errors = new MessageErrors({
      context,
      node,
      policy: plan.messageError,
      relays,
      flush: options.flush,
      schemas,
      outputSchema,
    });
  }

  /** Where error rows leave, when they do. */
  get outputs(): readonly RouteOutput[] {
    return this.errors.outputs;
  }

  /** Makes the requests of a batch; rows without one are resolved here. */
  prepare(staged: StagedBatch, snapshot: ExecutionSnapshot): Preparation {
    try {
      return { kind: 'prepared', rows: this.#prepare(staged, snapshot) };
    } catch (error) {
      if (!(error instanceof BatchFailure)) throw error;
      return { kind: 'failed', reason: error.message, source: error.source };
    }
  }

  #prepare(staged: StagedBatch, snapshot: ExecutionSnapshot): PreparedRow[] {
    const predicate = this.#predicates[staged.inputIndex] ?? null;
    const source = this.#select(staged.batch, predicate, 'source_where', snapshot);
    if (source === null) return [];
    const built = this.#construct(source, snapshot);
    if (built === null) return [];
    const {
      requests,
      expressionFailures: failed,
      refused,
    } = whole(built.item.source, () => this.#builder.build(built.item.rows, snapshot));
    this.errors.take({
      ...built.item,
      failures: [
        ...expressionFailures(failed, this.#label, 'FILTER-MAP', snapshot),
        ...refused.map((cause) => referenced(cause, snapshot)),
      ],
    });
    return requests.flatMap((request, row) =>
      request === undefined ? [] : [{ request, item: built.item, row }],
    );
  }

  #construct(
    source: RelayBatch,
    snapshot: ExecutionSnapshot,
  ): { readonly item: PreparedRow['item'] } | null {
    if (this.#construction === null) {
      const selected = this.#select(source, this.#where, 'route_where', snapshot);
      if (selected === null) return null;
      return { item: { source: selected, rows: rowSetOf(selected), snapshot } };
    }
    const rows = rowSetOf(source);
    const construction = this.#construction;
    const result = whole(source, () => construction.run(rows, snapshot));
    ackDropped(source.acks, rows.rowCount, result.sourceRows, result.failures);
    const passed = result.sourceRows.length + result.failures.length;
    this.#tallies.filtered('route_where', rows.rowCount - passed);
    this.errors.take({
      failures: expressionFailures(result.failures, this.#label, 'FILTER-MAP', snapshot),
      source,
      rows,
      snapshot,
      partialOutput: result.partialOutput,
    });
    if (result.batch.rowCount === 0) return null;
    const kept = takeRows(source, result.sourceRows);
    const { batch } = result;
    return {
      item: {
        source: kept,
        rows: { ...rowSetOf(kept), output: batch },
        snapshot,
        partialOutput: (row: number): RecordBatch => batch.slice(row, row + 1),
      },
    };
  }

  #select(
    source: RelayBatch,
    predicate: Predicate | null,
    stage: FilterStage,
    snapshot: ExecutionSnapshot,
  ): RelayBatch | null {
    if (predicate === null) return source;
    const rows = rowSetOf(source);
    const selected = whole(source, () => predicate.select(rows, snapshot));
    const { rows: kept, failures } = selected;
    ackDropped(source.acks, rows.rowCount, kept, failures);
    this.#tallies.filtered(stage, rows.rowCount - kept.length - failures.length);
    const context = stage === 'source_where' ? 'FROM WHERE' : 'FILTER-MAP';
    this.errors.take({
      failures: expressionFailures(failures, this.#label, context, snapshot),
      source,
      rows,
      snapshot,
    });
    return kept.length === 0 ? null : takeRows(source, kept);
  }
}

/** Runs what works on all rows of a batch at once, before any of their shares is resolved. */
function whole<T>(source: RelayBatch, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw isUdfFailure(error) ? new BatchFailure(error.message, source) : error;
  }
}
