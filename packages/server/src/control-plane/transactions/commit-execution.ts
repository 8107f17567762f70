import { assert } from '@nervix/model';
import { type QuiesceLevel, widerLevel } from '@nervix/planner';
import type { ErrorCode } from '@nervix/protocol';
import type {
  CommitProgress,
  CommitStep,
  DomainRecord,
  EngagementAttempt,
  EngagementOutcome,
  GuestReset,
  ReferenceRecord,
  StateRecord,
  TransactionFault,
  TransactionRecord,
} from '../../replicated-state/records.js';
import type { Fence } from '../../replicated-state/write-command.js';
import { unusableReset } from '../commands/pending-command.js';
import type { ControlContext } from '../control-context.js';
import { domainFence, domainWrite } from '../domain-write.js';
import type { CompiledGraph } from '../execution/effects.js';
import { unusableModels } from '../execution/present-models.js';
import { guestReset, reversed, type StepEffect, stepEffect } from '../execution/step-effect.js';
import {
  isDomainRequest,
  isHolding,
  isRequested,
  nextStep,
  withLostGates,
  withOutcome,
  withoutHolds,
  withStep,
} from '../execution/step-progress.js';
import type { Outcome } from '../outcome.js';
import { capture, changedInputs } from '../planning/capture.js';
import type { FrozenStep } from './frozen-plan.js';
import { finished } from './transaction-states.js';
import { transactionFence, writeTransaction } from './transaction-write.js';

/** What a repetition of a reference is told once the transaction has ended. */
export type RecordedEnd = (ended: TransactionRecord) => ReferenceRecord;

interface StepFault {
  readonly code: ErrorCode;
  readonly message: string;
}

/** What the end of a transaction writes besides its record. */
interface EndWrite {
  readonly fences?: readonly Fence[];
  readonly put?: readonly StateRecord[];
  readonly remove?: readonly string[];
}

/** How often an effect is written again because records that it does not depend on changed. */
const WRITES_MAX = 16;

/**
 * Carries an admitted transaction out, step by step, from recorded facts alone: what it finds
 * recorded is never done twice, and what it does is recorded before anybody relies on it. It may
 * end at any write and be taken up again behind it.
 */
export class CommitExecution {
  readonly #context: ControlContext;
  readonly #plan: readonly FrozenStep[];
  readonly #recordEnd: RecordedEnd | null;
  #record: TransactionRecord;
  /** Holds as long as nobody else wrote the record. */
  #fence: Fence;
  /** The graph of the effect that was written last, so that it is compiled once. */
  #graph: CompiledGraph | undefined;

  /** @param recordEnd makes the record that is written with the end; null where nobody waits */
  constructor(
    context: ControlContext,
    record: TransactionRecord,
    plan: readonly FrozenStep[],
    recordEnd: RecordedEnd | null,
  ) {
    this.#context = context;
    this.#record = record;
    this.#fence = transactionFence(context, record.id);
    this.#plan = plan;
    this.#recordEnd = recordEnd;
  }

  /** Runs to the end of the transaction and gives the record of it. */
  async run(): Promise<TransactionRecord> {
    while (this.#record.state === 'COMMITTING') await this.#advance();
    return this.#record;
  }

  async #advance(): Promise<void> {
    const step = nextStep(this.#progress);
    if (step === undefined) return this.#end('COMMITTED', null);
    if (step.outcome === 'APPLYING') return this.#complete(step);
    const domain = this.#domain();
    if (domain === undefined) {
      const message = `domain '${this.#record.domain}' does not exist`;
      return this.#fail(step, { code: 'NOT_FOUND', message });
    }
    const isPaused = domain.pausedBy === this.#record.id;
    if (isPaused && !step.attempts.some(isDomainRequest)) return this.#resume(domain);
    const base = capture(this.#context, domain);
    const changed = changedInputs(base, this.#frozen(step).inputs);
    if (changed !== undefined) return this.#fail(step, inputsChanged(this.#record.id, changed));
    const effect = stepEffect(domain, base, this.#frozen(step));
    return effect === null ? this.#applyNothing(step, domain) : this.#apply(step, domain, effect);
  }

  get #progress(): CommitProgress {
    const { progress } = this.#record;
    assert(progress !== null, 'a transaction that commits has progress');
    return progress;
  }

  #domain(): DomainRecord | undefined {
    return this.#context.state.domain(this.#record.domain);
  }

  #frozen({ first }: CommitStep): FrozenStep {
    const frozen = this.#plan.find((step) => step.first === first);
    assert(frozen !== undefined, 'every step of a commit is in its plan');
    return frozen;
  }

  /** A domain that an earlier step left paused goes on before the next one. */
  async #resume(domain: DomainRecord): Promise<void> {
    await this.#write(this.#record, { put: [withoutPause(domain)] });
    await this.#context.effects.release(domain.name);
  }

  /** A step without effect is over as soon as it is recorded, if what was there is usable. */
  async #applyNothing(step: CommitStep, domain: DomainRecord): Promise<void> {
    const message = await unusableModels(this.#context, domain, this.#frozen(step));
    if (message !== undefined) return this.#fail(step, { code: 'ACTIVATION_FAILED', message });
    await this.#write(this.#advanced({ ...step, outcome: 'APPLIED' }));
  }

  async #apply(step: CommitStep, domain: DomainRecord, effect: StepEffect): Promise<void> {
    this.#graph = undefined;
    if (effect.graph !== null) {
      const graph = this.#context.effects.compile(effect.graph);
      if (graph.kind !== 'compiled') return this.#fail(step, notStarted(domain, effect, graph));
      this.#graph = graph;
    }
    const engaged = await this.#engage(step, domain, effect);
    if (engaged !== undefined) await this.#writeEffect(engaged, effect);
  }

  /**
   * Holds what the step replaces. The request is recorded before it leaves; one that a former
   * leader recorded for the whole domain is taken up, of any other nobody knows what became.
   *
   * @returns undefined where the step failed
   */
  async #engage(
    step: CommitStep,
    domain: DomainRecord,
    effect: StepEffect,
  ): Promise<CommitStep | undefined> {
    const graph = this.#graph;
    const { reset } = effect;
    if (graph === undefined && reset === null) return step;
    const isRunning = domain.status === 'running';
    const pause = graph?.pause ?? 'DYNAMIC';
    const attempts = isRunning ? attemptsOf(this.#frozen(step).level, pause) : [];
    let current = step;
    if (attempts.length > 0) {
      const former = withLostGates(step);
      const isResumed = step.attempts.some(isDomainRequest);
      current = isResumed ? former : { ...former, attempts: [...former.attempts, ...attempts] };
      const isWhole = attempts.some(isDomainRequest);
      const put = isWhole ? [{ ...domain, pausedBy: this.#record.id }] : [];
      if (!isResumed) await this.#write(this.#withStep(current), { put });
    }
    const refusal = await this.#hold(graph, reset);
    if (refusal?.kind !== 'failed') {
      return withOutcome(current, { kind: 'CONFIRMED' }, isRequested);
    }
    const { message } = refusal;
    const refused = withOutcome(current, { kind: 'FAILED', message }, isRequested);
    await this.#fail(refused, notStarted(domain, effect, refusal));
    return undefined;
  }

  async #hold(
    graph: CompiledGraph | undefined,
    reset: GuestReset | null,
  ): Promise<Outcome | undefined> {
    const { effects } = this.#context;
    if (graph !== undefined) return effects.engage(graph);
    return reset === null ? undefined : effects.prepareReset(reset);
  }

  /** Writes the effect with the progress behind it, if all inputs are still those of the plan. */
  async #writeEffect(step: CommitStep, effect: StepEffect): Promise<void> {
    const { inputs } = this.#frozen(step);
    const isPending = effect.graph !== null || effect.stops || effect.reset !== null;
    const outcome = isPending ? 'APPLYING' : 'APPLIED';
    const next = this.#advanced({ ...step, outcome, hasEffect: true });
    for (let count = 1; count <= WRITES_MAX; count += 1) {
      const domain = this.#domain();
      if (domain === undefined) break;
      const base = capture(this.#context, domain);
      const changed = changedInputs(base, inputs);
      if (changed !== undefined) {
        await this.#context.effects.release(this.#record.domain);
        return this.#fail(step, inputsChanged(this.#record.id, changed));
      }
      const { pausedBy } = domain;
      const held = pausedBy === undefined ? {} : { pausedBy };
      const target = { ...effect.target, domain: { ...effect.target.domain, ...held } };
      const write = domainWrite(this.#context, base, target);
      if (await this.#tryWrite(next, write)) return;
    }
    await this.#context.effects.release(this.#record.domain);
    const reason = `domain '${this.#record.domain}' changes all the time`;
    return this.#fail(step, inputsChanged(this.#record.id, reason));
  }

  /** Brings up what is committed; the step is over when that is usable. */
  async #complete(step: CommitStep): Promise<void> {
    const { effects } = this.#context;
    const { domain } = this.#record;
    const reset = guestReset(domain, this.#frozen(step).decision);
    if (reset !== null) return this.#completeReset(step, reset);
    const isRunning = this.#domain()?.status === 'running';
    if (!isRunning) await effects.deactivate(domain);
    const error = isRunning ? await effects.activate(domain, this.#graph) : undefined;
    this.#graph = undefined;
    if (error !== undefined) {
      // What ran before may go on where nothing else can.
      await effects.release(domain);
      return this.#failActivation(step, error);
    }
    await this.#recordApplied(step);
  }

  /**
   * Guests that are not usable stay closed: the step is applied when a repetition makes them so.
   *
   * @throws Error that says why they are not
   */
  async #completeReset(step: CommitStep, reset: GuestReset): Promise<void> {
    const cause = await this.#context.effects.resetGuests(reset);
    if (cause !== undefined) throw new Error(unusableReset(reset, cause));
    await this.#recordApplied(step);
  }

  async #recordApplied(step: CommitStep): Promise<void> {
    const applied = withOutcome({ ...step, outcome: 'APPLIED' }, { kind: 'RELEASED' }, isHolding);
    await this.#write(this.#withStep(applied), { put: this.#resumedDomain() });
  }

  /** What is committed stays committed, except where only listeners had to take it. */
  async #failActivation(step: CommitStep, error: string): Promise<void> {
    const { decision, level } = this.#frozen(step);
    const message =
      `transaction '${this.#record.id}' committed the effect beginning at statement ` +
      `${step.first}, but it failed to become usable: ${error}`;
    const isListenerChange =
      decision.kind === 'models' &&
      level === 'DYNAMIC' &&
      decision.transitions.some(({ before, after }) => (after ?? before)?.kind === 'vhost');
    const domain = this.#domain();
    if (!isListenerChange || domain === undefined) {
      return this.#fail(step, { code: 'ACTIVATION_FAILED', message });
    }
    const base = capture(this.#context, domain);
    const write = domainWrite(this.#context, base, {
      domain: withoutPause(domain),
      transitions: reversed(decision.transitions),
      schedule: decision.replacedSchedule,
    });
    const rolledBack = `${message}; the model batch was rolled back`;
    const removed = { ...step, hasEffect: false };
    const fault = { code: 'ACTIVATION_FAILED', message: rolledBack } as const;
    // Taking back depends on nothing but the domain, which this commit holds.
    const fences = domainFence(this.#context.state, domain.name);
    await this.#fail(removed, fault, { ...write, fences });
    await this.#context.effects.activate(this.#record.domain);
  }

  /** Ends the transaction at a step; what still holds is let go in the same write. */
  async #fail(
    step: CommitStep,
    { code, message }: StepFault,
    write: EndWrite = {
      put: this.#resumedDomain(),
    },
  ): Promise<void> {
    const { first: operation, last } = step;
    const failed = withoutHolds({ ...step, outcome: 'FAILED' });
    const fault = { operation, code, message, diagnostics: [{ message, operation }] };
    const applied = step.hasEffect ? last : operation - 1;
    this.#record = { ...this.#withStep(failed), applied };
    await this.#end('FAILED', fault, write);
    await this.#context.effects.release(this.#record.domain);
  }

  async #end(
    state: 'COMMITTED' | 'FAILED',
    error: TransactionFault | null,
    write: EndWrite = {},
  ): Promise<void> {
    const ended = { ...finished(this.#record, state, this.#context.nowMs()), error };
    await this.#write(ended, { ...write, reference: this.#recordEnd?.(ended) ?? null });
  }

  /** The domain without the pause of this transaction; nothing where it has none. */
  #resumedDomain(): readonly DomainRecord[] {
    const domain = this.#domain();
    return domain?.pausedBy === this.#record.id ? [withoutPause(domain)] : [];
  }

  #withStep(step: CommitStep): TransactionRecord {
    return { ...this.#record, progress: withStep(this.#progress, step) };
  }

  /** The record behind the effect of a step. */
  #advanced(step: CommitStep): TransactionRecord {
    return { ...this.#withStep(step), applied: step.last };
  }

  /** @throws Error when somebody else wrote the transaction: it belongs to one execution */
  async #write(
    next: TransactionRecord,
    command: Parameters<typeof writeTransaction>[3] = {},
  ): Promise<void> {
    if (await this.#tryWrite(next, command)) return;
    throw new Error(`the state of transaction '${next.id}' changed outside of its commit`);
  }

  /** @returns whether the write took effect */
  async #tryWrite(
    next: TransactionRecord,
    command: Parameters<typeof writeTransaction>[3] = {},
  ): Promise<boolean> {
    const result = await writeTransaction(this.#context, this.#fence, next, command);
    if (result.kind !== 'applied') return false;
    this.#fence = { ...this.#fence, revision: result.revision };
    this.#record = next;
    return true;
  }
}

/** A domain that no commit holds. */
export function withoutPause({ pausedBy: _, ...domain }: DomainRecord): DomainRecord {
  return domain;
}

function inputsChanged(id: string, reason: string): StepFault {
  const message = `transaction '${id}' planning inputs changed: ${reason}`;
  return { code: 'INPUTS_CHANGED', message };
}

function notStarted(domain: DomainRecord, { target }: StepEffect, refusal: Outcome): StepFault {
  const { message } = refusal;
  const code = refusal.kind === 'failed' ? refusal.code : 'INTERNAL';
  const isStart = domain.status === 'stopped' && target.domain.status === 'running';
  return {
    code,
    message: isStart ? `failed to start domain '${domain.name}': ${message}` : message,
  };
}

/** What a step of a running domain asks for: its planned pause, or all where that cannot be had. */
function attemptsOf(level: QuiesceLevel, pause: QuiesceLevel): readonly EngagementAttempt[] {
  const outcomes: readonly EngagementOutcome[] = [{ kind: 'REQUESTED' }];
  const planned: readonly EngagementAttempt[] =
    level === 'DYNAMIC' ? [] : [{ scope: 'PLANNED', level, outcomes }];
  const isWider = widerLevel(level, pause) !== level;
  return isWider ? [...planned, { scope: 'DOMAIN', level: 'DOMAIN_PAUSE', outcomes }] : planned;
}
