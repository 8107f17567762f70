import type { Model, ModelKind, Statement } from '@nervix/model';
import { finish, type Steps } from '@nervix/scheduler';
import type { PlanRefusal, PlanWarning } from '../errors.js';
import { ModelRegistry } from '../registry/model-registry.js';
import { foldOperations } from './fold-operations.js';
import { ImpactGraph } from './impact/impact-graph.js';
import type { OwnershipMove } from './impact/model-change.js';
import { type JudgedRun, judgeRun, type RunContext } from './model-step.js';
import { Attributions } from './operation-set.js';
import {
  inputsOf,
  type PlanningInputs,
  type PlanningSnapshot,
  planningBasis,
} from './planning-snapshot.js';
import {
  COMPLETE,
  type Completeness,
  type ReportDiagnostic,
  type TransactionReport,
} from './report.js';
import { type PlannedOperation, type StepOutline, transactionReport } from './report-builder.js';
import { type RunDecision, runDecision } from './run-decision.js';
import { planSingle, type SingleDecision } from './single-step.js';
import {
  isQueueable,
  notQueueable,
  type QueueableStatement,
  type StatementStep,
  statementSteps,
} from './statement-steps.js';
import { statementRefusal, type TransactionRefusal } from './transaction-refusal.js';
import type { TransactionState } from './transaction-state.js';
import { unreadRelays } from './unread-relays.js';

/** How a list of statements is planned. */
export interface TransactionPlanOptions {
  /** Names the transaction in its preview; absent for a list that is none. */
  readonly transactionId?: string;
  /** Accepts a last run of model changes whose graph later statements may still complete. */
  readonly allowsIncompleteRun?: boolean;
  /** What this release cannot run is remarked upon in place of being refused. */
  readonly isWholeLanguage?: boolean;
  /** Keeps what is known of the domain between plans; absent keeps nothing but what lists tell. */
  readonly registry?: ModelRegistry;
}

/** What a preview is identified by: the same identity is the same plan. */
export interface PreviewIdentity {
  readonly transaction_id: string | null;
  readonly position: number;
  readonly planning_basis: string;
}

/** What the execution of a step consists of; nothing of it is decided again. */
export type StepDecision = RunDecision | SingleDecision;

export interface PlannedStep {
  readonly first: number;
  readonly last: number;
  /** What the step has to find: the captured inputs as the steps before leave them. */
  readonly inputs: PlanningInputs;
  readonly decision: StepDecision;
  readonly moves: readonly OwnershipMove[];
}

/** Everything that a list of statements would do. Plain data: equal inputs give equal bytes. */
export interface TransactionPlan {
  readonly kind: 'planned';
  readonly version: 1;
  readonly identity: PreviewIdentity;
  readonly report: TransactionReport;
  readonly steps: readonly PlannedStep[];
  /** Per statement: IF NOT EXISTS met what it was to create. */
  readonly alreadyExisted: readonly boolean[];
  readonly warnings: readonly PlanWarning[];
  /** The snapshot that the next transaction would find. */
  readonly after: PlanningSnapshot;
}

export interface RefusedTransaction {
  readonly kind: 'refused';
  /** Every refusal of the whole list, by statement. */
  readonly refusals: readonly TransactionRefusal[];
}

/**
 * Plans a list of statements against captured inputs without doing any of it. A function of its
 * arguments alone: no clock, no randomness, no input or output.
 */
export function planTransaction(
  snapshot: PlanningSnapshot,
  statements: readonly Statement[],
  options: TransactionPlanOptions = {},
): TransactionPlan | RefusedTransaction {
  return finish(planTransactionSteps(snapshot, statements, options));
}

/** The work of {@link planTransaction}, for `runSliced`. */
export function* planTransactionSteps(
  snapshot: PlanningSnapshot,
  statements: readonly Statement[],
  options: TransactionPlanOptions = {},
): Steps<TransactionPlan | RefusedTransaction> {
  const unfit = statements.flatMap((statement, index) =>
    isQueueable(statement) ? [] : [notQueueableRefusal(index + 1, statement)],
  );
  if (unfit.length > 0) return { kind: 'refused', refusals: unfit };
  const queueable = statements.filter(isQueueable);
  return yield* new TransactionPlanning(snapshot, queueable, options).outcome();
}

function notQueueableRefusal(number: number, statement: Statement): TransactionRefusal {
  const refusal = { code: 'PLAN_NOT_QUEUEABLE', message: notQueueable(statement) } as const;
  return statementRefusal(number, refusal, 'is not valid transaction content');
}

/** One planning, step after step. */
class TransactionPlanning {
  readonly #snapshot: PlanningSnapshot;
  readonly #statements: readonly QueueableStatement[];
  readonly #options: TransactionPlanOptions;
  readonly #attributions = new Attributions();
  readonly #registry: ModelRegistry;
  readonly #refusals: TransactionRefusal[] = [];
  readonly #warnings: PlanWarning[] = [];
  readonly #operations: PlannedOperation[] = [];
  readonly #outlines: StepOutline[] = [];
  readonly #steps: PlannedStep[] = [];
  readonly #alreadyExisted: boolean[] = [];
  #state: TransactionState;

  constructor(
    snapshot: PlanningSnapshot,
    statements: readonly QueueableStatement[],
    options: TransactionPlanOptions,
  ) {
    this.#snapshot = snapshot;
    this.#statements = statements;
    this.#options = options;
    this.#registry = options.registry ?? new ModelRegistry();
    this.#state = {
      status: snapshot.status,
      startGeneration: snapshot.startGeneration,
      placement: snapshot.placement,
      models: this.#registry.setOf(snapshot.models),
      resources: new Map(
        snapshot.resources.map(({ name, versions }) => [
          name,
          [...versions].sort((left, right) => left - right),
        ]),
      ),
      schedule: snapshot.schedule,
    };
  }

  *outcome(): Steps<TransactionPlan | RefusedTransaction> {
    const steps = statementSteps(this.#statements);
    for (const step of steps) {
      yield* this.#planStep(step, step === steps.at(-1));
      yield;
    }
    if (this.#refusals.length > 0) return { kind: 'refused', refusals: this.#distinctRefusals() };
    const { transactionId = null } = this.#options;
    const planning_basis = planningBasis(this.#snapshot);
    const position = this.#statements.length;
    const { domain } = this.#snapshot;
    const outline = { domain, position, planning_basis };
    return {
      kind: 'planned',
      version: 1,
      identity: { transaction_id: transactionId, position, planning_basis },
      report: transactionReport(outline, this.#operations, this.#outlines),
      steps: this.#steps,
      alreadyExisted: this.#alreadyExisted,
      warnings: this.#warnings,
      after: { ...this.#settings(), models: this.#state.models.list },
    };
  }

  get #context(): RunContext {
    return {
      snapshot: this.#snapshot,
      state: this.#state,
      attributions: this.#attributions,
      resolver: this.#registry.resolver,
      isWholeLanguage: this.#options.isWholeLanguage ?? false,
    };
  }

  *#planStep(step: StatementStep, isLast: boolean): Steps<void> {
    const inputs = inputsOf(this.#settings(), this.#state.models);
    if (step.kind === 'models') yield* this.#planRun(step, inputs, isLast);
    else yield* this.#planSingle(step, inputs);
  }

  *#planSingle(
    { first, statement }: Extract<StatementStep, { kind: 'single' }>,
    inputs: PlanningInputs,
  ): Steps<void> {
    const planned = yield* planSingle(this.#context, statement, first);
    if ('code' in planned) {
      this.#refusals.push(planned);
      return;
    }
    const { summary, reasons, pause, effects, decision, moves } = planned;
    const completeness = COMPLETE;
    this.#operations.push({ number: first, summary, reasons, completeness });
    const range = { first, last: first };
    this.#outlines.push({ ...range, planned: { completeness, pause, effects } });
    this.#steps.push({ ...range, inputs, decision, moves });
    const isKept = decision.kind === 'create_resource' && decision.alreadyExisted;
    this.#alreadyExisted.push(isKept);
    this.#state = planned.state;
  }

  *#planRun(
    { first, last, statements }: Extract<StatementStep, { kind: 'models' }>,
    inputs: PlanningInputs,
    isLast: boolean,
  ): Steps<void> {
    const before = this.#state;
    const run = foldOperations(this.#snapshot, before, statements, first);
    this.#refusals.push(...run.refusals);
    this.#warnings.push(...run.warnings);
    const judged = yield* judgeRun(this.#context, run);
    // What is taken away although it is needed is missing then: that would only say it again.
    const taken = new Set(run.blocked.map(({ model }) => model?.name));
    const faults = [
      ...run.blocked.map((refusal) => ({ ...refusal, isProvisional: isLast })),
      ...judged.refusals
        .filter(({ missingName }) => missingName === undefined || !taken.has(missingName))
        .map((refusal) => graphRefusal(refusal, blamedOperation(refusal, judged, last), isLast)),
    ];
    const isIncomplete = faults.length > 0;
    const mayBeIncomplete = isLast && this.#options.allowsIncompleteRun === true;
    if (!mayBeIncomplete) this.#refusals.push(...faults);
    // Where something is refused anyway, so is what nothing that follows makes run.
    else if (this.#refusals.length > 0) this.#refusals.push(...faults.filter(isUnsupported));
    const completeness = isIncomplete ? incomplete(faults) : COMPLETE;
    for (const operation of run.operations) {
      const own = faults.filter((fault) => fault.operation === operation.number);
      const parts = { completeness: own.length === 0 ? COMPLETE : incomplete(own) };
      this.#operations.push({ ...operation, ...parts });
      this.#alreadyExisted.push(operation.alreadyExisted);
    }
    const { decision, planned } = runDecision(
      { before, run, judged, completeness },
      this.#attributions,
    );
    this.#outlines.push({ first, last, planned });
    this.#steps.push({ first, last, inputs, decision, moves: judged.moves });
    this.#warnings.push(...judged.warnings, ...unreadRelays(ImpactGraph.of(run.models), judged));
    const schedule = judged.schedule ?? before.schedule;
    this.#state = { ...before, models: run.models, schedule };
  }

  /** A fault of the graph that a later run only repeats is one fault. */
  #distinctRefusals(): readonly TransactionRefusal[] {
    const seen = new Set<string>();
    const distinct = this.#refusals.filter(({ message, isProvisional, operation, context }) => {
      const identity = isProvisional ? message : `${operation} ${context} ${message}`;
      if (seen.has(identity)) return false;
      seen.add(identity);
      return true;
    });
    // That something cannot run at all is told before what else it lacks.
    const rank = (refusal: TransactionRefusal) => (isUnsupported(refusal) ? 0 : 1);
    return distinct.sort(
      (left, right) => left.operation - right.operation || rank(left) - rank(right),
    );
  }

  /** Everything but the models that the steps so far leave. */
  #settings(): Omit<PlanningSnapshot, 'models'> {
    const { status, startGeneration, placement, resources, schedule } = this.#state;
    return {
      ...this.#snapshot,
      status,
      startGeneration,
      placement,
      resources: [...resources].map(([name, versions]) => ({ name, versions })),
      schedule,
    };
  }
}

function graphRefusal(
  refusal: PlanRefusal,
  operation: number,
  isProvisional: boolean,
): TransactionRefusal {
  const whole = statementRefusal(operation, refusal, 'failed model preflight');
  return { ...whole, isProvisional };
}

/** The last operation that wrote the refused model, or else the last of the run. */
function blamedOperation({ model }: PlanRefusal, { changed }: JudgedRun, last: number): number {
  const blamed = changed.find(({ before, after }) => isSame(after ?? before, model));
  if (blamed === undefined) return last;
  return blamed.operations.toString(2).length - 1;
}

function isSame(
  model: Model | undefined,
  other: { readonly kind: ModelKind; readonly name: string } | undefined,
): boolean {
  return model !== undefined && model.kind === other?.kind && model.name === other.name;
}

function isUnsupported({ code }: TransactionRefusal): boolean {
  return code === 'PLAN_UNSUPPORTED';
}

function incomplete(faults: readonly TransactionRefusal[]): Completeness {
  const diagnostics = faults.map(({ operation, message }): ReportDiagnostic => {
    return { kind: 'PLANNING', operation, message };
  });
  return { status: 'INCOMPLETE', diagnostics };
}
