import {
  type PlannedStep,
  pauseLevel,
  type QueueableStatement,
  type QuiesceLevel,
  type TransactionPlan,
  widerLevel,
} from '@nervix/planner';
import type { DomainRecord, ReferenceRecord } from '../../replicated-state/records.js';
import type { ControlContext } from '../control-context.js';
import { domainFence, domainWrite } from '../domain-write.js';
import type { CompiledGraph } from '../execution/effects.js';
import { writePrepared } from '../execution/prepared-write.js';
import { reversed, type StepEffect, stepEffect } from '../execution/step-effect.js';
import { completed, failed, type Outcome } from '../outcome.js';
import { type Capture, capture } from '../planning/capture.js';
import { planStatements } from '../planning/plan-statements.js';
import { unsupportedChange } from '../planning/supported-statement.js';
import { refusalOutcome } from '../refusal-outcome.js';
import { referenceRecord, type Submission } from '../submission.js';
import { changeText } from './change-text.js';

/** How often a change is planned again because what it was planned from changed meanwhile. */
const ATTEMPTS_MAX = 16;

/**
 * Runs a statement that changes a domain by itself, as the one step of a plan: what it holds, one
 * durable write with the outcome of its reference, activation. Until the write, a refusal changes
 * nothing.
 */
export async function changeDomain(
  context: ControlContext,
  submission: Submission,
  { name }: DomainRecord,
  statement: QueueableStatement,
): Promise<Outcome> {
  const unsupported = unsupportedChange(statement);
  if (unsupported !== undefined) return failed('UNSUPPORTED_CAPABILITY', unsupported);
  const busy = context.locks.acquire(name, `command '${submission.reference}'`);
  if (busy !== undefined) return failed('DOMAIN_BUSY', busy);
  try {
    const change = new DomainChange(context, submission, name, statement);
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
      const outcome = await change.attempt();
      if (outcome !== 'raced') return outcome;
    }
    const message = `domain '${name}' changed after the mutation batch was planned`;
    return failed('INPUTS_CHANGED', message);
  } finally {
    context.locks.release(name);
  }
}

/** A plan of one statement, and what it comes to. */
interface PlannedChange {
  readonly domain: DomainRecord;
  readonly base: Capture;
  readonly plan: TransactionPlan;
  readonly step: PlannedStep;
}

/** One statement on its way from a capture to a graph that runs. */
class DomainChange {
  readonly #context: ControlContext;
  readonly #submission: Submission;
  readonly #name: string;
  readonly #statement: QueueableStatement;

  constructor(
    context: ControlContext,
    submission: Submission,
    name: string,
    statement: QueueableStatement,
  ) {
    this.#context = context;
    this.#submission = submission;
    this.#name = name;
    this.#statement = statement;
  }

  /** Plans and writes the change once; `raced` where other inputs were written meanwhile. */
  async attempt(): Promise<Outcome | 'raced'> {
    const domain = this.#context.state.domain(this.#name);
    if (domain === undefined) return failed('NOT_FOUND', `domain '${this.#name}' does not exist`);
    const base = capture(this.#context, domain);
    const plan = await planStatements(this.#context, base, [this.#statement]);
    if (plan.kind === 'refused') return refusalOutcome(plan.refusals, this.#submission.parsed);
    const [step] = plan.steps;
    if (step === undefined) return failed('INTERNAL', 'a statement was planned without a step');
    const change = { domain, base, plan, step };
    const effect = stepEffect(domain, base, step);
    return effect === null ? this.#withoutEffect(change) : this.#apply(change, effect);
  }

  async #withoutEffect(change: PlannedChange): Promise<Outcome> {
    const outcome = this.#outcome(change, 'DYNAMIC', false);
    await this.#context.log.write({ reference: this.#record(outcome) });
    return outcome;
  }

  async #apply(change: PlannedChange, effect: StepEffect): Promise<Outcome | 'raced'> {
    const { effects, logger } = this.#context;
    const { domain, base } = change;
    let level = levelOf(change.plan);
    let graph: CompiledGraph | undefined;
    if (effect.graph !== null) {
      const compiled = effects.compile(effect.graph);
      if (compiled.kind !== 'compiled') return this.#notStarted(compiled);
      graph = compiled;
      if (domain.status === 'running') level = widerLevel(level, graph.pause);
      const refusal = await effects.engage(graph);
      if (refusal !== undefined) return this.#notStarted(refusal);
    }
    const outcome = this.#outcome(change, level, true);
    const write = domainWrite(this.#context, base, effect.target);
    const reference = this.#record(outcome);
    const result = await writePrepared(this.#context, this.#name, { ...write, reference });
    if (result.kind !== 'applied') return 'raced';
    const facts = { domain: this.#name, execution_reference: this.#submission.reference };
    const what = WHAT_CHANGED[change.step.decision.kind];
    logger.info(what, { ...facts, quiesce_level: level });
    if (effect.stops) await effects.deactivate(this.#name);
    if (graph === undefined) return outcome;
    const error = await effects.activate(this.#name, graph);
    return error === undefined ? outcome : this.#takeBack(change, effect, error);
  }

  /** A graph that was refused before anything was written. */
  #notStarted(refusal: Outcome): Outcome {
    if (refusal.kind !== 'failed' || this.#statement.kind !== 'start') return refusal;
    return failed(refusal.code, `failed to start domain '${this.#name}': ${refusal.message}`);
  }

  /** A change that cannot be activated is taken back, so that what runs is what is stored. */
  async #takeBack(
    { base, step, domain: before }: PlannedChange,
    effect: StepEffect,
    cause: string,
  ): Promise<Outcome> {
    const { log, state, effects, logger } = this.#context;
    const isStart = step.decision.kind === 'start_domain';
    const context = isStart ? 'failed to start' : 'failed to publish schedule for';
    const outcome = failed('ACTIVATION_FAILED', `${context} domain '${this.#name}': ${cause}`);
    // The start counts although it is over: its generation is never used again.
    const { generation } = effect.target.domain;
    const now = capture(this.#context, state.domain(this.#name) ?? before);
    const write = domainWrite(this.#context, now, {
      domain: { ...before, generation },
      transitions: reversed(effect.target.transitions),
      schedule: base.snapshot.schedule,
    });
    try {
      // Taking back depends on nothing but the domain, which this command holds.
      const fences = domainFence(state, this.#name);
      await log.write({ ...write, fences, put: [...write.put, this.#record(outcome)] });
    } finally {
      // Also where the store says that the domain runs: its graph does not.
      if (isStart) await effects.deactivate(this.#name);
    }
    if (isStart) return outcome;
    const again = await effects.activate(this.#name);
    if (again !== undefined) {
      // A stored graph that could not run before either: what runs in its place goes on.
      await effects.release(this.#name);
      logger.error('the former graph did not resume', { domain: this.#name, cause: again });
    }
    return outcome;
  }

  #outcome({ plan, step }: PlannedChange, level: QuiesceLevel, hasEffect: boolean): Outcome {
    const alreadyExisted = plan.alreadyExisted[0] ?? false;
    const { report } = plan;
    const facts = { domain: this.#name, step, report, level, alreadyExisted, hasEffect };
    return completed(changeText(this.#statement, facts), alreadyExisted);
  }

  #record(outcome: Outcome): ReferenceRecord {
    return referenceRecord(this.#submission, outcome, this.#context.nowMs());
  }
}

const WHAT_CHANGED: Readonly<Record<PlannedStep['decision']['kind'], string>> = {
  models: 'models changed',
  alter_domain: 'domain altered',
  start_domain: 'domain started',
  stop_domain: 'domain stopped',
  create_resource: 'resource created',
  reset_wasm_state: 'guest state reset',
};

function levelOf({ report }: TransactionPlan): QuiesceLevel {
  return pauseLevel(report.summary.pause);
}
