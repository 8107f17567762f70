import type { MessageErrorPlan, SchemaPlan } from '@nervix/model';
import { ERROR_ROW_FIELDS } from '@nervix/model';
import { BatchBuilder } from '../batch/batch-builder.js';
import { RecordBatch } from '../batch/record-batch.js';
import type { FlushPolicy } from '../flush/flush-policy.js';
import type { RouteOutput } from '../flush/route-output.js';
import type { Series } from '../metrics/metric-store.js';
import { type Construction, compileConstruction } from '../program/compile-construction.js';
import type { ExecutionSnapshot, RowSchemas, RowSet } from '../program/row-set.js';
import { type RelayBatch, takeInstants } from '../relay/relay-batch.js';
import type { Cutover } from './domain-node.js';
import type { MessageFailure } from './message-failure.js';
import { type NodeContext, type NodeIdentity, nodeLabel } from './node-context.js';
import { openOutput } from './node-output.js';
import type { RelayLookup } from './relay-lookup.js';
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
  readonly #node: NodeIdentity;
  readonly #label: string;
  readonly #tallies: RowTallies;
  readonly #relays: RelayLookup;
  readonly #schemas: RowSchemas;
  readonly #partialSchema: SchemaPlan | null;
  #policy: MessageErrorPlan;
  #target: ErrorTarget | null;
  #failed: Series;
  /** Of former targets, until what they hold has left. */
  #retired: readonly RouteOutput[] = [];

  constructor(options: {
    readonly context: NodeContext;
    readonly node: NodeIdentity;
    readonly policy: MessageErrorPlan;
    readonly relays: RelayLookup;
    /** When error rows leave; null at once. */
    readonly flush: FlushPolicy | null;
    readonly schemas: RowSchemas;
    /** Schema of the record the route builds, when it builds one. */
    readonly outputSchema: SchemaPlan | null;
  }) {
    const { context, node, policy, outputSchema } = options;
    this.#context = context;
    this.#node = node;
    this.#label = nodeLabel(node);
    this.#tallies = new RowTallies(context, node);
    this.#relays = options.relays;
    this.#partialSchema = outputSchema === null ? null : partialOutputSchema(outputSchema);
    this.#schemas = {
      ...options.schemas,
      error: ERROR_SCHEMA,
      ...(this.#partialSchema === null ? {} : { partial_output: this.#partialSchema }),
    };
    this.#policy = policy;
    this.#failed = this.#tallies.failed(policy.kind);
    this.#target = this.#compile(policy, options.flush, null);
  }

  /** Where error rows leave the node, those of former targets included while they hold any. */
  get outputs(): readonly RouteOutput[] {
    this.#retired = this.#retired.filter((output) => !output.isIdle);
    return this.#target === null ? this.#retired : [this.#target.output, ...this.#retired];
  }

  /** Prepares another policy. Error rows of a target that is left go out at the cutover. */
  revise(policy: MessageErrorPlan, flush: FlushPolicy | null): Cutover {
    const old = this.#target;
    const target = this.#compile(policy, flush, old);
    const failed = this.#tallies.failed(policy.kind);
    return () => {
      this.#policy = policy;
      this.#failed = failed;
      this.#target = target;
      if (old === null) return;
      if (old.output === target?.output) {
        old.output.setPolicy(flush);
      } else {
        old.output.flushAll();
        this.#retired = [...this.#retired, old.output];
      }
    };
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

  /** @param old the target before, whose output goes on if the relay is the same */
  #compile(
    policy: MessageErrorPlan,
    flush: FlushPolicy | null,
    old: ErrorTarget | null,
  ): ErrorTarget | null {
    if (policy.kind !== 'send_to') return null;
    const { relay, schema } = this.#relays(policy.relay);
    const plan = { assignments: policy.assignments, where: null };
    const isSame = old?.output.relay === relay;
    return {
      output: isSame ? old.output : openOutput(this.#context, this.#node, relay, flush),
      construction: compileConstruction(plan, this.#schemas, schema),
      partialSchema: this.#partialSchema,
    };
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
