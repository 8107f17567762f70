import type { RoutePlan, SchemaPlan } from '@nervix/model';
import { flushPolicy } from '../flush/flush-policy.js';
import type { RouteOutput } from '../flush/route-output.js';
import { type Construction, compileConstruction } from '../program/compile-construction.js';
import type { ExecutionSnapshot, RowSchemas, RowSet } from '../program/row-set.js';
import type { RelayBatch } from '../relay/relay-batch.js';
import { pickInstants } from '../relay/relay-batch.js';
import { step } from '../step-fault.js';
import type { Cutover } from './domain-node.js';
import { MessageErrors } from './message-errors.js';
import { expressionFailures } from './message-failure.js';
import { type NodeContext, type NodeIdentity, nodeLabel } from './node-context.js';
import { openOutput } from './node-output.js';
import type { RelayLookup, TypedRelay } from './relay-lookup.js';
import { ackDropped } from './row-outcomes.js';
import { RowTallies } from './row-tallies.js';

/** Where the rows of a built batch came from. */
export interface RowOrigin {
  readonly rows: RowSet;
  /** The row behind each built one. */
  readonly sourceRows: Int32Array;
  readonly snapshot: ExecutionSnapshot;
}

/** A transforming route: builds its record from each row and buffers it until the flush. */
export class Route {
  readonly output: RouteOutput;
  readonly errors: MessageErrors;
  readonly #target: TypedRelay;
  readonly #schemas: RowSchemas;
  #construction: Construction;
  readonly #tallies: RowTallies;
  protected readonly label: string;

  constructor(options: {
    readonly context: NodeContext;
    readonly node: NodeIdentity;
    readonly plan: RoutePlan;
    readonly relays: RelayLookup;
    /** Rows the route's programs may read. */
    readonly schemas: RowSchemas;
  }) {
    const { context, node, plan, relays, schemas } = options;
    const target = relays(plan.relay);
    const policy = flushPolicy(plan.flush);
    this.#target = target;
    this.#schemas = schemas;
    this.label = nodeLabel(node);
    this.#tallies = new RowTallies(context, node);
    this.output = openOutput(context, node, target.relay, policy);
    this.#construction = compileConstruction(plan.construction, schemas, target.schema);
    this.errors = new MessageErrors({
      context,
      node,
      policy: plan.messageError,
      relays,
      flush: policy,
      schemas,
      outputSchema: target.schema,
    });
  }

  /** Everything through which rows leave by this route. */
  get outputs(): readonly RouteOutput[] {
    return [this.output, ...this.errors.outputs];
  }

  /** Prepares another construction, flush and error policy; the relay stays. */
  revise(plan: RoutePlan): Cutover {
    const policy = flushPolicy(plan.flush);
    const construction = compileConstruction(plan.construction, this.#schemas, this.#target.schema);
    const errors = this.errors.revise(plan.messageError, policy);
    return () => {
      this.#construction = construction;
      this.output.setPolicy(policy);
      errors();
    };
  }

  /** Takes rows and one share of each; every share is resolved or travels on. */
  apply(source: RelayBatch, rows: RowSet, snapshot: ExecutionSnapshot): void {
    const result = step('failed to evaluate FILTER-MAP', () =>
      this.#construction.run(rows, snapshot),
    );
    ackDropped(source.acks, rows.rowCount, result.sourceRows, result.failures);
    const passed = result.sourceRows.length + result.failures.length;
    this.#tallies.filtered('route_where', rows.rowCount - passed);
    if (result.failures.length > 0) {
      this.errors.take({
        failures: expressionFailures(result.failures, this.label, 'FILTER-MAP', snapshot),
        source,
        rows,
        snapshot,
        partialOutput: result.partialOutput,
      });
    }
    if (result.batch.rowCount === 0) return;
    const built: RelayBatch = {
      batch: result.batch,
      branchKey: source.branchKey,
      low: pickInstants(source.low, result.sourceRows),
      high: pickInstants(source.high, result.sourceRows),
      acks: source.acks.take(result.sourceRows),
    };
    this.send(built, { rows, sourceRows: result.sourceRows, snapshot });
  }

  /** Sends the rows of the built batch on their way, which here is their source's. */
  protected send(built: RelayBatch, _origin: RowOrigin): void {
    this.output.append(built);
  }
}

/** Offers failures that happened before the routes to each of them, as copies of one failure. */
export function offerFailures(
  routes: readonly { readonly errors: MessageErrors }[],
  failed: Parameters<MessageErrors['take']>[0],
): void {
  if (failed.failures.length === 0) return;
  for (const { row } of failed.failures) failed.source.acks.attachRow(row, routes.length - 1);
  for (const route of routes) route.errors.take(failed);
}

/** Schema lookups of programs that read one input and, perhaps, a branch key. */
export function inputSchemas(input: SchemaPlan, branch: SchemaPlan | null): RowSchemas {
  return branch === null ? { input } : { input, branch };
}
