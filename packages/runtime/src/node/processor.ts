import type { ProcessorPlan, SchemaPlan, TypedExpression } from '@nervix/model';
import type { BranchKey } from '../branch/branch-key.js';
import { BranchRegistry, type EvictionReason } from '../branch/branch-registry.js';
import type { RouteOutput } from '../flush/route-output.js';
import { compilePredicate, type Predicate } from '../program/compile-predicate.js';
import type { ExecutionSnapshot, RowFailure, RowSchemas, RowSet } from '../program/row-set.js';
import { type RelayBatch, takeRows } from '../relay/relay-batch.js';
import { step } from '../step-fault.js';
import {
  type BranchSettings,
  type Cutover,
  type DomainNode,
  untilUnblocked,
} from './domain-node.js';
import { InputStage, type StagedBatch, type StagedTask } from './input-stage.js';
import { INTERNAL_ERROR, InternalErrors } from './internal-errors.js';
import type { MessageErrors } from './message-errors.js';
import {
  expressionFailures,
  type FailureCause,
  type MessageFailure,
  referenced,
} from './message-failure.js';
import { type NodeContext, type NodeIdentity, nodeLabel, takeSnapshot } from './node-context.js';
import type { RelayLookup } from './relay-lookup.js';
import { inputSchemas, offerFailures } from './route.js';
import { ackDropped } from './row-outcomes.js';
import { RowTallies } from './row-tallies.js';

/** Rows of one batch under the snapshot that all of their work shares. */
export interface WorkItem {
  readonly batch: RelayBatch;
  readonly rows: RowSet;
  readonly snapshot: ExecutionSnapshot;
}

/** What a processor is built from. */
export interface ProcessorOptions<P extends ProcessorPlan> {
  readonly context: NodeContext;
  readonly plan: P;
  readonly relays: RelayLookup;
  readonly inputSchema: SchemaPlan;
  /** null when unbranched. */
  readonly branch: BranchSettings | null;
}

/** What a processor does with rows before its own work. */
interface InputProgram {
  readonly sourcePredicates: readonly (Predicate | null)[];
  readonly filter: Predicate | null;
}

interface RouteLike {
  readonly errors: MessageErrors;
  readonly outputs: readonly RouteOutput[];
}

/**
 * The common course of relay-consuming processors: one batch at a time, source predicate, filter,
 * own work, routes; per-branch state that comes and goes with its branch.
 */
export abstract class Processor<State> implements DomainNode {
  readonly name: string;
  readonly kind: NodeIdentity['kind'];
  protected readonly context: NodeContext;
  protected readonly label: string;
  protected readonly input: InputStage;
  protected readonly schemas: RowSchemas;
  protected readonly tallies: RowTallies;
  #program: InputProgram;
  readonly #branches: BranchRegistry<State> | null;
  readonly #internalErrors: InternalErrors;
  #unbranched: State | undefined;

  constructor(node: NodeIdentity, options: ProcessorOptions<ProcessorPlan>) {
    const { context, plan, relays, inputSchema, branch } = options;
    this.name = node.name;
    this.kind = node.kind;
    this.context = context;
    this.label = nodeLabel(node);
    this.#internalErrors = new InternalErrors(context, node);
    this.tallies = new RowTallies(context, node);
    this.schemas = inputSchemas(inputSchema, branch?.schema ?? null);
    this.input = new InputStage({
      context,
      node,
      relays: plan.inputs.map((input) => relays(input.relay).relay),
      isAttached: plan.attached,
      collect: plan.collect,
    });
    this.#program = this.#compile(plan);
    this.#branches =
      branch === null
        ? null
        : new BranchRegistry<State>({
            limits: branch.limits,
            create: (key) => this.createState(key),
            evicted: (key, state, reason) => {
              this.#evict(key, state, reason);
            },
          });
  }

  /** All ways out, in written order. */
  protected abstract get routes(): readonly RouteLike[];
  protected abstract createState(key: BranchKey | null): State;
  /** Does the node's own work and hands the rows to the routes. */
  protected abstract work(item: WorkItem, state: State): void;
  /** Gives up the state of an evicted branch. */
  protected abstract dropState(key: BranchKey, state: State, reason: string): void;

  get isIdle(): boolean {
    return this.input.isIdle && this.outputs().every((output) => output.isIdle);
  }

  get heldRows(): number {
    return this.outputs().reduce((rows, output) => rows + output.heldRows, this.input.heldRows);
  }

  get branchCount(): number {
    return this.#branches?.size ?? 0;
  }

  /** Works until the input is closed. */
  async run(): Promise<void> {
    this.input.open();
    for (;;) {
      await untilUnblocked(this.outputs());
      const staged = await this.input.next();
      if (staged === null) return;
      if (staged.kind === 'task') this.#runTask(staged);
      else this.#accept(staged);
    }
  }

  flush(): void {
    this.input.flush();
    for (const output of this.outputs()) output.flushAll();
  }

  keepAlive(): void {
    this.input.keepAlive();
    for (const output of this.outputs()) output.keepAlive();
  }

  scanBranches(nowNanos: bigint): void {
    this.#branches?.scan(nowNanos);
  }

  refreshMetrics(): void {
    // Most processors have counters alone.
  }

  close(reason: string): void {
    this.input.close(reason);
    for (const output of this.outputs()) output.close(reason);
  }

  /** Prepares other conditions and another COLLECT FOR; the relays stay. */
  protected reviseInput(plan: ProcessorPlan): Cutover {
    const program = this.#compile(plan);
    return () => {
      this.#program = program;
      this.input.setCollect(plan.collect);
    };
  }

  /**
   * Every live branch with its state and when it had its last input; null is the key of unbranched
   * work, for which that does not count.
   */
  protected *states(): IterableIterator<readonly [BranchKey | null, State, bigint]> {
    if (this.#branches !== null) yield* this.#branches.entries();
    else if (this.#unbranched !== undefined) yield [null, this.#unbranched, 0n];
  }

  /** The state of a branch, which counts as its input. */
  protected stateOf(key: BranchKey | null, nowNanos: bigint): State {
    if (key !== null && this.#branches !== null) return this.#branches.touch(key, nowNanos);
    this.#unbranched ??= this.createState(null);
    return this.#unbranched;
  }

  /** Offers failures before the routes to every route. */
  protected fail(item: WorkItem, failures: readonly RowFailure[], context: string): void {
    this.#offer(item, expressionFailures(failures, this.label, context, item.snapshot));
  }

  /** Offers failures that no expression caused to every route. */
  protected failWith(item: WorkItem, causes: readonly FailureCause[]): void {
    this.#offer(
      item,
      causes.map((cause) => referenced(cause, item.snapshot)),
    );
  }

  /** Reports a fault of the node itself that nothing threw, in a text without values. */
  protected reportFault(failure: string): void {
    this.#internalErrors.tell(failure);
  }

  protected outputs(): readonly RouteOutput[] {
    return this.routes.flatMap((route) => route.outputs);
  }

  #offer({ batch, rows, snapshot }: WorkItem, failures: readonly MessageFailure[]): void {
    offerFailures(this.routes, { failures, source: batch, rows, snapshot });
  }

  #accept(staged: StagedBatch): void {
    const { batch } = staged;
    const snapshot = takeSnapshot(this.context);
    const { sourcePredicates, filter } = this.#program;
    try {
      const state = step('failed to update state', () =>
        this.stateOf(batch.branchKey, snapshot.nowNanos),
      );
      let item: WorkItem | null = { batch, rows: rowSetOf(batch), snapshot };
      item = this.#select(item, sourcePredicates[staged.inputIndex] ?? null, 'FROM WHERE');
      if (item !== null) item = this.#select(item, filter, 'FILTER WHERE');
      if (item !== null) this.work(item, state);
    } catch (error) {
      batch.acks.nack(INTERNAL_ERROR);
      this.#internalErrors.report(error);
    }
  }

  #runTask(task: StagedTask): void {
    try {
      task.run();
    } catch (error) {
      task.cancel?.(INTERNAL_ERROR);
      this.#internalErrors.report(error);
    }
  }

  #select(item: WorkItem, predicate: Predicate | null, context: string): WorkItem | null {
    if (predicate === null) return item;
    const { rows, failures } = step(`failed to evaluate ${context}`, () =>
      predicate.select(item.rows, item.snapshot),
    );
    ackDropped(item.batch.acks, item.rows.rowCount, rows, failures);
    const stage = context === 'FROM WHERE' ? 'source_where' : 'filter_where';
    this.tallies.filtered(stage, item.rows.rowCount - rows.length - failures.length);
    this.fail(item, failures, context);
    if (rows.length === 0) return null;
    if (rows.length === item.rows.rowCount) return item;
    const selected = takeRows(item.batch, rows);
    return { batch: selected, rows: rowSetOf(selected), snapshot: item.snapshot };
  }

  #compile({ inputs, filter }: ProcessorPlan): InputProgram {
    return {
      sourcePredicates: inputs.map(({ where }) => this.#predicate(where, 'source_where')),
      filter: this.#predicate(filter, 'filter_where'),
    };
  }

  #predicate(
    expression: TypedExpression | null,
    operation: 'source_where' | 'filter_where',
  ): Predicate | null {
    return expression === null ? null : compilePredicate(expression, this.schemas, operation);
  }

  #evict(key: BranchKey, state: State, reason: EvictionReason): void {
    const text = `branch instance was evicted (${reason})`;
    this.dropState(key, state, text);
    let rows = this.input.evict(key, text);
    for (const output of this.outputs()) rows += output.evict(key, text);
    if (rows === 0) return;
    this.tallies.discarded('evicted', rows);
    this.context.log.warn(
      `${this.label} in domain '${this.context.domain}': ${text} with rows that had not left yet`,
      { discarded: rows },
    );
  }
}

/** The rows a program reads of a batch. */
export function rowSetOf(batch: RelayBatch): RowSet {
  const { branchKey } = batch;
  const rows = { rowCount: batch.batch.rowCount, input: batch.batch };
  return branchKey === null ? rows : { ...rows, branch: branchKey.row };
}
