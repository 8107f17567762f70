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
import { ownerText } from '../domain-locks.js';
import { domainWrite } from '../domain-write.js';
import type { CompiledGraph } from '../execution/effects.js';
import { writePrepared } from '../execution/prepared-write.js';
import { unusableModels } from '../execution/present-models.js';
import { type StepEffect, stepEffect } from '../execution/step-effect.js';
import { completed, failed, type Outcome } from '../outcome.js';
import { type Capture, capture } from '../planning/capture.js';
import { planStatements } from '../planning/plan-statements.js';
import { unsupportedChange } from '../planning/supported-statement.js';
import { refusalOutcome } from '../refusal-outcome.js';
import { referenceRecord, type Submission } from '../submission.js';
import { changeText } from './change-text.js';
import { commandLease, finishCommand, noLongerHeld, undoOf } from './pending-command.js';

/** How often a change is planned again because what it was planned from changed meanwhile. */
const ATTEMPTS_MAX = 16;

/**
 * Runs a statement that changes a domain by itself, as the one step of a plan. Until its effect is
 * written a refusal changes nothing. That write also records the outcome, or else takes the lease of
 * the domain until what runs is what was written.
 */
export async function changeDomain(
  context: ControlContext,
  submission: Submission,
  { name }: DomainRecord,
  statement: QueueableStatement,
): Promise<Outcome> {
  const unsupported = unsupportedChange(statement);
  if (unsupported !== undefined) return failed('UNSUPPORTED_CAPABILITY', unsupported);
  const owner = { kind: 'command', reference: submission.reference } as const;
  const busy = context.locks.acquire(name, ownerText(owner));
  if (busy !== undefined) {
    const isOwn = context.locks.ownerOf(name) === ownerText(owner);
    // Somebody brings to its end what another leader began of this very command.
    return isOwn ? failed('OUTCOME_UNKNOWN', busy) : failed('DOMAIN_BUSY', busy);
  }
  try {
    const lease = context.state.lease(name);
    // Its effect was written by somebody who did not come to the end of it.
    if (lease !== undefined && lease.pending !== null) {
      return await finishCommand(context, { ...lease, pending: lease.pending });
    }
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
    const { state } = this.#context;
    const lease = state.lease(this.#name);
    if (lease !== undefined) {
      return failed('DOMAIN_BUSY', noLongerHeld(this.#name, ownerText(this.#owner)));
    }
    const domain = state.domain(this.#name);
    if (domain === undefined) return failed('NOT_FOUND', `domain '${this.#name}' does not exist`);
    const base = capture(this.#context, domain);
    const plan = await planStatements(this.#context, base, [this.#statement]);
    if (plan.kind === 'refused') return refusalOutcome(plan.refusals, this.#submission.parsed);
    const [step] = plan.steps;
    if (step === undefined) return failed('INTERNAL', 'a statement was planned without a step');
    const change = { domain, base, plan, step };
    const effect = stepEffect(domain, base, { ...step, level: levelOf(plan) });
    return effect === null ? this.#withoutEffect(change) : this.#apply(change, effect);
  }

  async #withoutEffect(change: PlannedChange): Promise<Outcome> {
    const unusable = await unusableModels(this.#context, change.domain, change.step);
    if (unusable !== undefined) return failed('ACTIVATION_FAILED', unusable);
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
    if (effect.reset !== null) {
      const refusal = await effects.prepareReset(effect.reset);
      if (refusal !== undefined) return refusal;
    }
    // A level is no record, so that no fence of the write holds it.
    if (this.#context.log.status().level !== base.snapshot.featureLevel) {
      await effects.release(this.#name);
      return 'raced';
    }
    const outcome = this.#outcome(change, level, true);
    const write = domainWrite(this.#context, base, effect.target);
    const reference = this.#record(outcome);
    const { reset } = effect;
    const isPending = graph !== undefined || effect.stops || reset !== null;
    const { state } = this.#context;
    const lease = commandLease(this.#name, { reference, reset, undo: undoOf(state, write) });
    // What has to become usable is decided by that; anything else is over with its write.
    const command = isPending ? { ...write, put: [...write.put, lease] } : { ...write, reference };
    const result = await writePrepared(this.#context, this.#name, command);
    if (result.kind !== 'applied') return 'raced';
    const facts = { domain: this.#name, execution_reference: this.#submission.reference };
    const what = WHAT_CHANGED[change.step.decision.kind];
    logger.info(what, { ...facts, quiesce_level: level });
    return isPending ? finishCommand(this.#context, lease, graph) : outcome;
  }

  /** A graph that was refused before anything was written. */
  #notStarted(refusal: Outcome): Outcome {
    if (refusal.kind !== 'failed' || this.#statement.kind !== 'start') return refusal;
    return failed(refusal.code, `failed to start domain '${this.#name}': ${refusal.message}`);
  }

  get #owner() {
    return { kind: 'command', reference: this.#submission.reference } as const;
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
