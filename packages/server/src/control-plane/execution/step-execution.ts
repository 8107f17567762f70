import { assert } from '@nervix/model';
import { type QuiesceLevel, widerLevel } from '@nervix/planner';
import { drainTimeoutText, NOTHING_PENDING } from '@nervix/runtime/data-plane';
import type {
  CommitStep,
  DomainRecord,
  EngagementAttempt,
  EngagementOutcome,
  GuestReset,
} from '../../replicated-state/records.js';
import type { WriteCommand } from '../../replicated-state/write-command.js';
import type { ControlContext } from '../control-context.js';
import { type DomainTarget, domainFence, domainWrite } from '../domain-write.js';
import type { Outcome } from '../outcome.js';
import { type Capture, capture, changedInputs } from '../planning/capture.js';
import { definiteRefusal, isLogFailure } from '../storage-failure.js';
import { withoutPause } from './domain-lease.js';
import type { CompiledGraph } from './effects.js';
import { type FrozenStep, isListenerChange } from './frozen-step.js';
import { GateLease } from './gate-lease.js';
import type { Journal, StepFault } from './journal.js';
import { unusableModels } from './present-models.js';
import { guestReset, isPresented, reversed, type StepEffect, stepEffect } from './step-effect.js';
import {
  isDomainRequest,
  isHolding,
  isRequested,
  nextStep,
  withBrokenHolds,
  withLostGates,
  withOutcome,
  withoutHolds,
  withStep,
} from './step-progress.js';
import { UnusableGuestsError } from './unusable-guests.js';

type RefusedStep = Extract<StepFault, { kind: 'refused' }>;

/** How often a step is written again because records that it does not depend on changed. */
const WRITES_MAX = 16;

/**
 * Carries frozen steps out, one by one, from recorded facts alone: what it finds recorded is never
 * done twice, and what it does is recorded before anybody relies on it. It may end at any write and
 * be taken up again behind it.
 */
export class StepExecution {
  readonly #context: ControlContext;
  readonly #journal: Journal;
  readonly #plan: readonly FrozenStep[];
  /** The graph of the effect that was written last, so that it is compiled once. */
  #graph: CompiledGraph | undefined;
  /** Of the gates that the effect is to be written under; undefined where there are none. */
  #lease: GateLease | undefined;

  constructor(context: ControlContext, journal: Journal, plan: readonly FrozenStep[]) {
    this.#context = context;
    this.#journal = journal;
    this.#plan = plan;
  }

  /** Runs until nothing remains to be done. */
  async run(): Promise<void> {
    while (!this.#journal.isOver) await this.#advance();
  }

  async #advance(): Promise<void> {
    const step = nextStep(this.#journal.progress);
    if (step === undefined) return this.#journal.complete();
    if (step.withdrawn !== undefined) return this.#endWithdrawn(step, step.withdrawn);
    if (step.outcome === 'APPLYING') return this.#complete(step);
    const domain = this.#domain();
    if (domain === undefined) return this.#fail(step, this.#gone());
    const isPaused = domain.pausedBy === this.#journal.id;
    if (isPaused && !step.attempts.some(isDomainRequest)) return this.#resume(domain);
    const base = capture(this.#context, domain);
    const fault = this.#fault(step, base);
    if (fault !== undefined) return this.#fail(step, fault);
    const effect = stepEffect(domain, base, this.#frozen(step));
    return effect === null ? this.#applyNothing(step, domain) : this.#apply(step, domain, effect);
  }

  #domain(): DomainRecord | undefined {
    return this.#context.state.domain(this.#journal.domain);
  }

  #gone(): StepFault {
    const message = `domain '${this.#journal.domain}' does not exist`;
    return { kind: 'refused', code: 'NOT_FOUND', message };
  }

  #frozen({ first }: CommitStep): FrozenStep {
    const frozen = this.#plan.find((step) => step.first === first);
    assert(frozen !== undefined, 'every step of a commit is in its plan');
    return frozen;
  }

  /** Why a step may not go on from what holds now. */
  #fault(step: CommitStep, base: Capture): StepFault | undefined {
    const reason = changedInputs(base, this.#frozen(step).inputs);
    return reason === undefined ? this.#journal.refusal() : { kind: 'inputs_changed', reason };
  }

  /** A domain that an earlier step left paused goes on before the next one. */
  async #resume(domain: DomainRecord): Promise<void> {
    await this.#write(undefined, { put: [withoutPause(domain)] });
    await this.#context.effects.release(domain.name);
  }

  /** A step without effect is over as soon as it is recorded, if what was there is usable. */
  async #applyNothing(step: CommitStep, domain: DomainRecord): Promise<void> {
    const message = await unusableModels(this.#context, domain, this.#frozen(step));
    if (message !== undefined) {
      return this.#fail(step, { kind: 'refused', code: 'ACTIVATION_FAILED', message });
    }
    await this.#write({ ...step, outcome: 'APPLIED' });
  }

  async #apply(step: CommitStep, domain: DomainRecord, effect: StepEffect): Promise<void> {
    this.#graph = undefined;
    this.#lease = undefined;
    if (effect.graph !== null) {
      const graph = await this.#context.effects.compile(effect.graph);
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
      if (!isResumed && !(await this.#writeRequest(step, current, attempts))) return undefined;
    }
    const isOfGates = current.attempts.some(isRequested) && !current.attempts.some(isDomainRequest);
    const nodes = reset === null ? graph?.admitted.nodes : [`WASM_PROCESSOR ${reset.processor}`];
    if (isOfGates) this.#lease = new GateLease(this.#context.gates, nodes ?? []);
    const refusal = await this.#hold(graph, reset);
    if (refusal?.kind !== 'failed') {
      return withOutcome(current, { kind: 'CONFIRMED' }, isRequested);
    }
    const { message } = refusal;
    const refused = withOutcome(current, { kind: 'FAILED', message }, isRequested);
    await this.#fail(refused, notStarted(domain, effect, refusal));
    return undefined;
  }

  /** Records what is about to be held, with the mark of a domain that is held as a whole. */
  #writeRequest(
    step: CommitStep,
    requested: CommitStep,
    attempts: readonly EngagementAttempt[],
  ): Promise<boolean> {
    const isWhole = attempts.some(isDomainRequest);
    return this.#writeFenced(step, requested, ({ fences }, domain) => {
      return { fences, put: isWhole ? [{ ...domain, pausedBy: this.#journal.id }] : [] };
    });
  }

  async #hold(
    graph: CompiledGraph | undefined,
    reset: GuestReset | null,
  ): Promise<Outcome | undefined> {
    const { effects } = this.#context;
    if (graph !== undefined) return effects.engage(graph);
    return reset === null ? undefined : effects.prepareReset(reset);
  }

  /** Writes the effect with the progress behind it; what could not be written holds nothing. */
  async #writeEffect(step: CommitStep, effect: StepEffect): Promise<void> {
    const isPending =
      effect.graph !== null ||
      effect.stops ||
      effect.reset !== null ||
      effect.target.transitions.some(isPresented);
    const outcome = isPending ? 'APPLYING' : 'APPLIED';
    const next: CommitStep = { ...step, outcome, hasEffect: true };
    try {
      await this.#writeFenced(step, next, (base, { pausedBy }) => {
        const held = pausedBy === undefined ? {} : { pausedBy };
        const domain = { ...effect.target.domain, ...held };
        return domainWrite(this.#context, base, { ...effect.target, domain });
      });
    } catch (error) {
      await this.#context.effects.release(this.#journal.domain);
      const refusal = definiteRefusal(error);
      if (refusal === undefined) throw error;
      const { code, message: cause } = refusal;
      await this.#fail(step, { kind: 'unpublished', code, cause });
    }
  }

  /**
   * Records the next state of a step while all inputs are still those of the plan; else it fails.
   *
   * @param records of what is captured right before the write
   * @returns whether the write took effect
   */
  async #writeFenced(
    step: CommitStep,
    next: CommitStep,
    records: (base: Capture, domain: DomainRecord) => Partial<WriteCommand>,
  ): Promise<boolean> {
    let fault: StepFault = { kind: 'inputs_changed', reason: this.#unsteady() };
    let late: RefusedStep | undefined;
    for (let count = 1; count <= WRITES_MAX; count += 1) {
      const domain = this.#domain();
      const base = domain && capture(this.#context, domain);
      late = this.#late();
      const met = base === undefined ? this.#gone() : (this.#fault(step, base) ?? late);
      if (met !== undefined || base === undefined || domain === undefined) {
        fault = met ?? fault;
        break;
      }
      if (await this.#tryWrite(next, records(base, domain))) return true;
    }
    await this.#context.effects.release(this.#journal.domain);
    await this.#fail(fault === late ? withBrokenHolds(step, late.message) : step, fault);
    return false;
  }

  /** Gates that may open before the effect is there are as good as none: the step has failed to drain. */
  #late(): RefusedStep | undefined {
    if (this.#lease === undefined || this.#lease.hasMargin) return undefined;
    const timeout = {
      ...{ domain: this.#journal.domain, node: this.#context.nodeId },
      ...{ replaced: this.#lease.nodes, ...NOTHING_PENDING },
    };
    const message = drainTimeoutText(timeout, this.#lease.shortage);
    return { kind: 'refused', code: 'QUIESCE_FAILED', message };
  }

  #unsteady(): string {
    return `domain '${this.#journal.domain}' changes all the time`;
  }

  /** Brings up what is committed; the step is over when that is usable. */
  async #complete(step: CommitStep): Promise<void> {
    const { effects } = this.#context;
    const { domain } = this.#journal;
    const { decision } = this.#frozen(step);
    const reset = guestReset(domain, decision);
    if (reset !== null) return this.#completeReset(step, reset);
    // What listeners present is theirs to take even where nothing runs.
    const isTaken =
      this.#domain()?.status === 'running' ||
      (decision.kind === 'models' && decision.transitions.some(isPresented));
    if (!isTaken) await effects.deactivate(domain);
    const cause = isTaken ? await effects.activate(domain, this.#graph) : undefined;
    this.#graph = undefined;
    if (cause !== undefined) {
      // What ran before may go on where nothing else can.
      await effects.release(domain);
      return this.#failActivation(step, cause);
    }
    await this.#recordApplied(step);
  }

  /**
   * Guests that are not usable stay closed: the step is applied when a repetition makes them so.
   *
   * @throws UnusableGuestsError
   */
  async #completeReset(step: CommitStep, reset: GuestReset): Promise<void> {
    const cause = await this.#context.effects.resetGuests(reset);
    if (cause !== undefined) throw new UnusableGuestsError(reset, cause);
    await this.#recordApplied(step);
  }

  async #recordApplied(step: CommitStep): Promise<void> {
    const applied = withOutcome({ ...step, outcome: 'APPLIED' }, { kind: 'RELEASED' }, isHolding);
    await this.#write(applied, { put: this.#resumedDomain() });
  }

  /** What is committed stays committed, except where only listeners had to take it, or a start. */
  async #failActivation(step: CommitStep, cause: string): Promise<void> {
    const frozen = this.#frozen(step);
    const { decision } = frozen;
    const domain = this.#domain();
    if (domain !== undefined && decision.kind === 'start_domain' && this.#journal.takesStartsBack) {
      // A start counts although it is over: its generation is never used again.
      const stopped = { ...withoutPause(domain), status: 'stopped' } as const;
      const target = { domain: stopped, transitions: [], schedule: null };
      const withdrawn = { ...step, hasEffect: false, withdrawn: cause };
      return this.#write(withdrawn, this.#takingBack(domain, target));
    }
    const isTakenBack = isListenerChange(frozen) && domain !== undefined;
    const fault = { kind: 'unusable', cause, isTakenBack } as const;
    if (!isTakenBack || decision.kind !== 'models') return this.#fail(step, fault);
    const target = {
      domain: withoutPause(domain),
      transitions: reversed(decision.transitions),
      schedule: decision.replacedSchedule,
    };
    await this.#fail({ ...step, hasEffect: false }, fault, this.#takingBack(domain, target));
    await this.#context.effects.activate(this.#journal.domain);
  }

  /** Taking back depends on nothing but the domain, which the owner holds. */
  #takingBack(domain: DomainRecord, target: DomainTarget): Partial<WriteCommand> {
    const write = domainWrite(this.#context, capture(this.#context, domain), target);
    return { ...write, fences: domainFence(this.#context.state, domain.name) };
  }

  /** A start that was taken back has failed when nothing of it is left. */
  async #endWithdrawn(step: CommitStep, cause: string): Promise<void> {
    const fault = { kind: 'unusable', cause, isTakenBack: true } as const;
    const { withdrawn: _, ...failed } = step;
    try {
      await this.#context.effects.deactivate(this.#journal.domain);
    } catch (error) {
      if (isLogFailure(error)) throw error;
      const remains = error instanceof Error ? error.message : String(error);
      return this.#fail(failed, { ...fault, remains });
    }
    await this.#fail(failed, fault);
  }

  /** Ends it all at a step; what still holds is let go in the same write. */
  async #fail(
    step: CommitStep,
    fault: StepFault,
    command: Partial<WriteCommand> = { put: this.#resumedDomain() },
  ): Promise<void> {
    const failed = withoutHolds({ ...step, outcome: 'FAILED' });
    const progress = withStep(this.#journal.progress, failed);
    await this.#journal.fail(progress, failed, fault, command);
    await this.#context.effects.release(this.#journal.domain);
  }

  /** The domain without the pause of the owner; nothing where it has none. */
  #resumedDomain(): readonly DomainRecord[] {
    const domain = this.#domain();
    return domain?.pausedBy === this.#journal.id ? [withoutPause(domain)] : [];
  }

  /** @throws Error when somebody else wrote the owner: it belongs to one execution */
  async #write(step: CommitStep | undefined, command: Partial<WriteCommand> = {}): Promise<void> {
    if (await this.#tryWrite(step, command)) return;
    throw new Error(`the state of '${this.#journal.id}' changed outside of its execution`);
  }

  #tryWrite(step: CommitStep | undefined, command: Partial<WriteCommand>): Promise<boolean> {
    const { progress } = this.#journal;
    const next = step === undefined ? progress : withStep(progress, step);
    return this.#journal.write(next, command);
  }
}

function notStarted(domain: DomainRecord, { target }: StepEffect, refusal: Outcome): StepFault {
  const { message } = refusal;
  const code = refusal.kind === 'failed' ? refusal.code : 'INTERNAL';
  const isStart = domain.status === 'stopped' && target.domain.status === 'running';
  return {
    kind: 'refused',
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
