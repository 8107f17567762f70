import type { SchemaPlan, WindowRoutePlan } from '@nervix/model';
import type { AckSet } from '../ack/ack-set.js';
import type { AggregateInput } from '../aggregate/aggregate-input.js';
import { type AggregateProgram, compileAggregates } from '../aggregate/compile-aggregates.js';
import type { WindowAggregates } from '../aggregate/window-aggregates.js';
import type { BranchKey } from '../branch/branch-key.js';
import type { RouteOutput } from '../flush/route-output.js';
import { type Construction, compileConstruction } from '../program/compile-construction.js';
import type { ExecutionSnapshot, RowSchemas, RowSet } from '../program/row-set.js';
import { concatBatches, type RelayBatch } from '../relay/relay-batch.js';
import { step } from '../step-fault.js';
import type { Cutover } from './domain-node.js';
import { MessageErrors } from './message-errors.js';
import { expressionFailures } from './message-failure.js';
import { type NodeContext, type NodeIdentity, nodeLabel } from './node-context.js';
import { openOutput } from './node-output.js';
import type { RelayLookup } from './relay-lookup.js';

/** One due emission of a window. */
export interface Emission {
  readonly branchKey: BranchKey | null;
  readonly lowNanos: bigint;
  readonly snapshot: ExecutionSnapshot;
  /** A share of every retained row that is still open. */
  readonly acks: AckSet;
}

/** A route of a window processor: its aggregates, and the record built from their results. */
export class WindowRoute {
  readonly output: RouteOutput;
  readonly errors: MessageErrors;
  readonly #program: AggregateProgram | null;
  readonly #schemas: RowSchemas;
  readonly #outputSchema: SchemaPlan;
  #construction: Construction;
  readonly #label: string;
  /** Rows emitted by the batch in process. */
  #emitted: RelayBatch[] = [];

  constructor(options: {
    readonly context: NodeContext;
    readonly node: NodeIdentity;
    readonly plan: WindowRoutePlan;
    readonly relays: RelayLookup;
    readonly inputSchema: SchemaPlan;
    /** Length of the panes by which sketches are kept. */
    readonly paneNanos: bigint | null;
    readonly schemas: RowSchemas;
  }) {
    const { context, node, plan, relays, inputSchema, paneNanos, schemas } = options;
    const target = relays(plan.relay);
    this.#label = nodeLabel(node);
    this.output = openOutput(context, node, target.relay, null);
    this.#program =
      plan.aggregates.length === 0
        ? null
        : compileAggregates(plan.aggregates, inputSchema, paneNanos);
    this.#schemas =
      this.#program === null ? schemas : { ...schemas, aggregates: this.#program.resultSchema };
    this.#outputSchema = target.schema;
    this.#construction = compileConstruction(plan.construction, this.#schemas, target.schema);
    this.errors = new MessageErrors({
      context,
      node,
      policy: plan.messageError,
      relays,
      flush: null,
      schemas,
      outputSchema: target.schema,
    });
  }

  get outputs(): readonly RouteOutput[] {
    return [this.output, ...this.errors.outputs];
  }

  /** Prepares another construction and error policy; relay and aggregates stay. */
  revise({ construction: plan, messageError }: WindowRoutePlan): Cutover {
    const construction = compileConstruction(plan, this.#schemas, this.#outputSchema);
    const errors = this.errors.revise(messageError, null);
    return () => {
      this.#construction = construction;
      errors();
    };
  }

  newWindow(): WindowAggregates | null {
    return this.#program?.newWindow() ?? null;
  }

  /** Evaluates the arguments of a batch's rows; null when the route aggregates nothing. */
  evaluate(rows: RowSet, low: BigInt64Array, snapshot: ExecutionSnapshot): AggregateInput | null {
    return step(
      'aggregate input failed',
      () => this.#program?.evaluate(rows, low, snapshot) ?? null,
    );
  }

  /**
   * Emits one row over the retained rows.
   *
   * @returns why the aggregates have no result, or null
   */
  emit(window: WindowAggregates | null, emission: Emission): string | null {
    const { branchKey, snapshot, acks } = emission;
    const result = window?.results(snapshot.nowNanos);
    if (result?.kind === 'failed') return result.detail;
    const rows: RowSet = {
      rowCount: 1,
      ...(result === undefined ? {} : { aggregates: result.batch }),
      ...(branchKey === null ? {} : { branch: branchKey.row }),
    };
    const built = step('failed to evaluate FILTER-MAP', () =>
      this.#construction.run(rows, snapshot),
    );
    const low = BigInt64Array.of(emission.lowNanos);
    const high = BigInt64Array.of(maxOf(emission.lowNanos, snapshot.nowNanos));
    const source: RelayBatch = { batch: built.batch, branchKey, low, high, acks };
    if (built.failures.length > 0) {
      this.errors.take({
        failures: expressionFailures(built.failures, this.#label, 'FILTER-MAP', snapshot),
        source,
        rows,
        snapshot,
        partialOutput: built.partialOutput,
      });
    } else if (built.batch.rowCount === 0) {
      acks.ack();
    } else {
      this.#emitted.push(source);
    }
    return null;
  }

  /** Gives up what was emitted. */
  discard(reason: string): void {
    for (const { acks } of this.#emitted) acks.nack(reason);
    this.#emitted = [];
  }

  /** Publishes what was emitted as one batch. */
  deliver(): void {
    if (this.#emitted.length === 0) return;
    const emitted = this.#emitted;
    this.#emitted = [];
    const batch = step('failed to concatenate output route batch', () => concatBatches(emitted));
    this.output.append(batch);
  }
}

function maxOf(left: bigint, right: bigint): bigint {
  return left > right ? left : right;
}
