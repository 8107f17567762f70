import type { MessageErrorPlan, SchemaPlan } from '@nervix/model';
import { ERROR_ROW_FIELDS } from '@nervix/model';
import { BatchBuilder } from '../batch/batch-builder.js';
import { RecordBatch } from '../batch/record-batch.js';
import type { FlushPolicy } from '../flush/flush-policy.js';
import type { RouteOutput } from '../flush/route-output.js';
import type { Series } from '../metrics/metric-store.js';
import { type Construction, compileConstruction } from '../program/compile-construction.js';
import type { ExecutionSnapshot, RowSchemas, RowSet } from '../program/row-set.js';
import type { Relay } from '../relay/relay.js';
import { type RelayBatch, takeInstants } from '../relay/relay-batch.js';
import type { MessageFailure } from './message-failure.js';
import { type NodeContext, type NodeIdentity, nodeLabel } from './node-context.js';
import { openOutput } from './node-output.js';
import { ackDropped } from './row-outcomes.js';
import { RowTallies } from './row-tallies.js';

/** Rows of a batch that failed in one operation, with all an error record may read of them. */
export interface FailedRows {
  readonly failures: readonly MessageFailure[];
  /** The batch the failures count rows of; each failed row's share is to be resolved. */
  readonly source: RelayBatch;
  readonly rows: RowSet;
  readonly snapshot: ExecutionSnapshot;
  /** Output fields that were set before a row failed, as a batch of one row. */
  readonly partialOutput?: (row: number) => RecordBatch;
}

/** Schema of the `error` row. */
export const ERROR_SCHEMA: SchemaPlan = { name: 'error', fields: ERROR_ROW_FIELDS };

interface ErrorTarget {
  readonly output: RouteOutput;
  readonly construction: Construction;
  readonly partialSchema: SchemaPlan | null;
}

/** What a route does with rows that fail. A failure of its own is logged and refused. */
export class MessageErrors {
  readonly #context: NodeContext;
  readonly #label: string;
  readonly #policy: MessageErrorPlan;
  readonly #target: ErrorTarget | null;
  readonly #failed: Series;

  constructor(options: {
    readonly context: NodeContext;
    readonly node: NodeIdentity;
    readonly policy: MessageErrorPlan;
    /** Error relay and its schema; only read when the policy sends somewhere. */
    readonly relay: { readonly relay: Relay; readonly schema: SchemaPlan } | null;
    /** When error rows leave; null at once. */
    readonly flush: FlushPolicy | null;
    readonly schemas: RowSchemas;
    /** Schema of the record the route builds, when it builds one. */
    readonly outputSchema: SchemaPlan | null;
  }) {
    const { context, node, policy, relay, outputSchema } = options;
    this.#context = context;
    this.#label = nodeLabel(node);
    this.#policy = policy;
    this.#failed = new RowTallies(context, node).failed(policy.kind);
    if (policy.kind !== 'send_to' || relay === null) {
      this.#target = null;
      return;
    }
    const partialSchema = outputSchema === null ? null : partialOutputSchema(outputSchema);
    const schemas: RowSchemas = {
      ...options.schemas,
      error: ERROR_SCHEMA,
      ...(partialSchema === null ? {} : { partial_output: partialSchema }),
    };
    const plan = { assignments: policy.assignments, where: null };
    this.#target = {
      output: openOutput(context, node, relay.relay, options.flush),
      construction: compileConstruction(plan, schemas, relay.schema),
      partialSchema,
    };
  }

  /** Where error rows leave the node, when they do. */
  get output(): RouteOutput | null {
    return this.#target?.output ?? null;
  }

  /** Resolves the share of every failed row by the policy. */
  take(failed: FailedRows): void {
    if (failed.failures.length === 0) return;
    this.#failed.value += failed.failures.length;
    switch (this.#policy.kind) {
      case 'ignore':
        for (const { row } of failed.failures) failed.source.acks.ackRow(row);
        return;
      case 'log':
        this.#log(failed);
        return;
      case 'send_to':
        this.#send(failed);
        return;
    }
  }

  #log(failed: FailedRows): void {
    const { domain } = this.#context;
    for (const failure of failed.failures) {
      this.#context.log.warn(
        `${this.#label} message error in domain '${domain}': ${failure.message}`,
        { reference: failure.reference, code: failure.code, operation: failure.operation },
      );
      failed.source.acks.nackRow(failure.row, failure.message);
    }
  }

  #send(failed: FailedRows): void {
    const target = this.#target;
    if (target === null) return;
    const { source, snapshot } = failed;
    const rows = Int32Array.from(failed.failures, ({ row }) => row);
    const rowSet = errorRowSet(failed, rows, target.partialSchema);
    const result = target.construction.run(rowSet, snapshot);
    const acks = source.acks.take(rows);
    for (const failure of result.failures) this.#reportUndelivered(failed, failure.row, failure);
    for (const failure of result.failures) {
      acks.nackRow(failure.row, 'error record cannot be built');
    }
    ackDropped(acks, rows.length, result.sourceRows, result.failures);
    if (result.batch.rowCount === 0) return;
    target.output.append({
      batch: result.batch,
      branchKey: source.branchKey,
      low: takeInstants(takeInstants(source.low, rows), result.sourceRows),
      high: takeInstants(takeInstants(source.high, rows), result.sourceRows),
      acks: acks.take(result.sourceRows),
    });
  }

  #reportUndelivered(
    failed: FailedRows,
    index: number,
    cause: { readonly kind: string; readonly detail: string },
  ): void {
    const { domain, log } = this.#context;
    const relay = this.#policy.kind === 'send_to' ? this.#policy.relay : '-';
    const reference = failed.failures[index]?.reference ?? '-';
    log.error(
      `${this.#label} failed to dispatch message error ${reference} to DLQ '${relay}' in domain ` +
        `'${domain}': message-error SET failed with ${cause.kind}: ${cause.detail}`,
    );
  }
}

/** The output record while it is under construction: every field may be absent. */
function partialOutputSchema(schema: SchemaPlan): SchemaPlan {
  return {
    name: 'partial_output',
    fields: schema.fields.map((field) => ({ ...field, optional: true })),
  };
}

function errorRowSet(
  failed: FailedRows,
  rows: Int32Array,
  partialSchema: SchemaPlan | null,
): RowSet {
  const { input, output, branch, headers } = failed.rows;
  const { partialOutput } = failed;
  const partial =
    partialSchema === null
      ? undefined
      : partialOutput === undefined
        ? nullRows(partialSchema, rows.length)
        : RecordBatch.concat(Array.from(rows, partialOutput)).withSchema(partialSchema);
  return {
    rowCount: rows.length,
    error: errorRows(failed.failures, failed.snapshot.nowNanos),
    ...(input === undefined ? {} : { input: input.take(rows) }),
    ...(output === undefined ? {} : { output: output.take(rows) }),
    ...(branch === undefined ? {} : { branch }),
    ...(partial === undefined ? {} : { partial_output: partial }),
    ...(headers === undefined
      ? {}
      : { headers: (row: number, name: string) => headers(rows[row] ?? 0, name) }),
  };
}

function errorRows(failures: readonly MessageFailure[], nowNanos: bigint): RecordBatch {
  const builder = new BatchBuilder(ERROR_SCHEMA);
  for (const failure of failures) {
    builder.appendRow([
      failure.reference,
      failure.code,
      failure.message,
      failure.operation,
      failure.operationIndex,
      failure.paths,
      nowNanos,
    ]);
  }
  return builder.finish();
}

function nullRows(schema: SchemaPlan, rowCount: number): RecordBatch {
  const builder = new BatchBuilder(schema);
  const row = schema.fields.map(() => null);
  for (let index = 0; index < rowCount; index += 1) builder.appendRow(row);
  return builder.finish();
}
