import { differences, planChangeSteps, type QuiesceLevel } from '@nervix/planner';
import type { ErrorCode, WireDiagnostic } from '@nervix/protocol';
import { transactionKey } from '../../replicated-state/record-keys.js';
import type {
  CommitStep,
  DomainRecord,
  TransactionFault,
  TransactionRecord,
} from '../../replicated-state/records.js';
import type { Fence } from '../../replicated-state/write-command.js';
import { modelChangeOf } from '../commands/change-models.js';
import { startRefusal, stopRefusal } from '../commands/lifecycle.js';
import { domainPolicySteps } from '../commands/set-domain-placement.js';
import type { ControlContext } from '../control-context.js';
import { type DomainWrite, domainFence, domainWrite, writePrepared } from '../domain-write.js';
import { failed, type Outcome } from '../outcome.js';
import { domainBasis, domainRevision, planningInput } from '../scheduling/domain-basis.js';
import { changesGraph } from '../scheduling/running-graph.js';
import { isModelStatement, statementsOf } from './commit-steps.js';
import { refusalFault, rehearsalFault } from './operation-faults.js';
import { blamedOperations, rehearse } from './rehearse.js';
import { finished, finishedOutcome, isOverdue, notOpen, touched } from './transaction-states.js';

type Undo = Partial<DomainWrite>;

/** Why a step failed, and what takes its effect back. */
interface StepFault {
  readonly code: ErrorCode;
  readonly message: string;
  readonly step: CommitStep;
  /** By default one that blames the step's first operation. */
  readonly diagnostics?: readonly WireDiagnostic[];
  readonly undo?: Undo;
}

/**
 * Commits transactions: rehearse everything, freeze the steps in one durable write, then carry them
 * out one by one, each with its progress in the same write. A commit that a crash interrupted goes
 * on where its progress says.
 */
export class CommitDriver {
  readonly #context: ControlContext;
  readonly #running = new Map<string, Promise<Outcome>>();

  constructor(context: ControlContext) {
    this.#context = context;
  }

  /** Runs COMMIT; one that is under way is joined, a finished one answers again. */
  async commit(record: TransactionRecord): Promise<Outcome> {
    const { id, domain } = record;
    const running = this.#running.get(id);
    if (running !== undefined) return running;
    if (record.state !== 'OPEN' && record.state !== 'COMMITTING') return finishedOutcome(record);
    if (isOverdue(record, this.#context.nowMs())) return notOpen(record, 'EXPIRED');
    const { locks } = this.#context;
    const holder = locks.ownerOf(domain);
    if (holder !== undefined) {
      return failed(
        'DOMAIN_BUSY',
        `transaction '${id}' cannot mutate domain '${domain}' while it is owned by ${holder}`,
      );
    }
    locks.acquire(domain, `transaction '${id}'`);
    const run = this.#run(record);
    this.#running.set(id, run);
    try {
      return await run;
    } finally {
      this.#running.delete(id);
      locks.release(domain);
    }
  }

  /**
   * Finishes every commit that was under way when the node stopped, or whose write the log refused.
   * Running domains are active again by then, or their failure is known.
   */
  async resumeAll(): Promise<void> {
    for (const record of this.#context.state.transactions()) {
      if (record.state !== 'COMMITTING') continue;
      const busy = this.#context.locks.acquire(record.domain, `transaction '${record.id}'`);
      if (busy !== undefined) continue;
      try {
        const result = await this.#resume(record);
        this.#context.logger.info('interrupted commit finished', {
          domain: record.domain,
          transaction: record.id,
          state: result.state,
        });
      } finally {
        this.#context.locks.release(record.domain);
      }
    }
  }

  async #run(record: TransactionRecord): Promise<Outcome> {
    const admitted = record.state === 'OPEN' ? await this.#admit(record) : record;
    if ('outcome' in admitted) return admitted.outcome;
    return finishedOutcome(await this.#carryOut(admitted));
  }

  /** Goes on behind the last effect that is durable, provided that effect became usable. */
  async #resume(record: TransactionRecord): Promise<TransactionRecord> {
    const failure = this.#context.activation.failureOf(record.domain);
    const last = record.steps[record.completedSteps - 1];
    if (failure === undefined || last === undefined) return this.#carryOut(record);
    const message =
      `transaction '${record.id}' committed the effect beginning at statement ${last.first}, ` +
      `but it failed to become usable: ${failure}`;
    return this.#finish(record, 'FAILED', { code: 'ACTIVATION_FAILED', message, step: last });
  }

  async #admit(record: TransactionRecord): Promise<TransactionRecord | { outcome: Outcome }> {
    const { state, limits } = this.#context;
    const domain = state.domain(record.domain);
    if (domain === undefined) {
      return { outcome: failed('NOT_FOUND', `domain '${record.domain}' does not exist`) };
    }
    // Taken before anything is awaited: an append or a REVERT may be answered meanwhile.
    const key = transactionKey(record.id);
    const fences = [...domainFence(state, domain.name), { key, revision: state.revisionOf(key) }];
    const rehearsal = rehearse(domainBasis(this.#context, domain), record.operations, false);
    const nowMs = this.#context.nowMs();
    if (rehearsal.kind === 'refused') {
      const { operation } = rehearsal;
      const { code, diagnostics, message: reason } = rehearsalFault(rehearsal, record);
      const message = `transaction operation ${operation} failed: ${reason}`;
      // Only what later statements could have supplied ends the transaction; everything else may
      // be gone at the next attempt.
      if (!rehearsal.isIncomplete) return { outcome: failed(code, message, diagnostics) };
      const error = { operation, message, code, diagnostics };
      return this.#admitAs(fences, { ...finished(record, 'FAILED', nowMs), error });
    }
    const unready = await this.#startRefusal(domain, record, rehearsal.steps);
    if (unready !== undefined) return { outcome: unready };
    const next: TransactionRecord = {
      ...touched(record, nowMs, limits.transactionIdleTimeoutMs),
      state: 'COMMITTING',
      steps: rehearsal.steps,
    };
    return this.#admitAs(fences, next);
  }

  /**
   * Why a stopped domain could not be started as the transaction leaves it. Asked before anything
   * is applied, so that an address taken elsewhere does not cut the commit in two.
   */
  async #startRefusal(
    domain: DomainRecord,
    record: TransactionRecord,
    steps: readonly CommitStep[],
  ): Promise<Outcome | undefined> {
    const start = steps.find(({ kind }) => kind === 'start');
    if (start === undefined || domain.status !== 'stopped') return undefined;
    const before = rehearse(
      domainBasis(this.#context, domain),
      record.operations.slice(0, start.first - 1),
      false,
    );
    if (before.kind === 'refused') return undefined;
    const { models, scheduling } = before.basis;
    const started: DomainRecord = {
      ...before.basis.domain,
      status: 'running',
      generation: domain.generation + 1,
    };
    const { activation } = this.#context;
    const refusal = await activation.prepare(started, models, scheduling.previous);
    if (refusal?.kind !== 'failed') return undefined;
    const { first: operation } = start;
    const reason = `failed to start domain '${domain.name}': ${refusal.message}`;
    return failed(refusal.code, `transaction operation ${operation} failed: ${reason}`, [
      { message: reason, operation },
    ]);
  }

  /** Moves an open transaction on if nothing that it was planned from has changed. */
  async #admitAs(
    fences: readonly Fence[],
    next: TransactionRecord,
  ): Promise<TransactionRecord | { outcome: Outcome }> {
    const result = await this.#context.log.write({ fences, put: [next] });
    if (result.kind === 'applied') return next;
    const isOwnChange = result.kind === 'raced' && result.key === transactionKey(next.id);
    const reason = isOwnChange ? 'the transaction changed' : `domain '${next.domain}' changed`;
    return {
      outcome: failed(
        'INPUTS_CHANGED',
        `transaction '${next.id}' planning inputs changed before commit admission: ${reason}`,
      ),
    };
  }

  async #carryOut(admitted: TransactionRecord): Promise<TransactionRecord> {
    let record = admitted;
    while (record.state === 'COMMITTING') {
      const step = record.steps[record.completedSteps];
      record =
        step === undefined
          ? await this.#finish(record, 'COMMITTED')
          : await this.#runStep(record, step);
    }
    return record;
  }

  async #runStep(record: TransactionRecord, step: CommitStep): Promise<TransactionRecord> {
    const { state } = this.#context;
    const domain = state.domain(record.domain);
    if (domain === undefined) {
      const message = `domain '${record.domain}' does not exist`;
      return this.#finish(record, 'FAILED', { code: 'NOT_FOUND', message, step });
    }
    if (step.kind === 'models') return this.#runModels(record, step, domain);
    if (step.kind === 'placement') return this.#runPolicy(record, step, domain);
    const [statement] = statementsOf(record, step);
    const refusal =
      statement?.kind === 'start' ? startRefusal(domain, statement) : stopRefusal(domain);
    if (refusal?.kind === 'failed') {
      const { code, message } = refusal;
      return this.#finish(record, 'FAILED', { code, message, step });
    }
    const next: DomainRecord =
      step.kind === 'start'
        ? { ...domain, status: 'running', generation: domain.generation + 1 }
        : { ...domain, status: 'stopped' };
    if (step.kind === 'start') {
      const { models, scheduling } = domainBasis(this.#context, next);
      const { activation } = this.#context;
      const unready = await activation.prepare(next, models, scheduling.previous);
      if (unready?.kind === 'failed') {
        const message = `failed to start domain '${domain.name}': ${unready.message}`;
        return this.#finish(record, 'FAILED', { code: unready.code, message, step });
      }
    }
    const advanced = await this.#write(record, advance(record, step, 'DYNAMIC'), {
      fences: domainFence(state, domain.name),
      put: [next],
      remove: [],
    });
    if (step.kind === 'stop') {
      await this.#context.activation.deactivate(domain.name);
      return advanced;
    }
    const error = await this.#context.activation.activate(domain.name);
    if (error === undefined) return advanced;
    const message = `failed to start domain '${domain.name}': ${error}`;
    const undo: Undo = { put: [{ ...next, status: 'stopped' }] };
    const fault: StepFault = { code: 'ACTIVATION_FAILED', message, step, undo };
    const failure = await this.#finish(record, 'FAILED', fault);
    await this.#context.activation.deactivate(domain.name);
    return failure;
  }

  async #runPolicy(
    record: TransactionRecord,
    step: CommitStep,
    before: DomainRecord,
  ): Promise<TransactionRecord> {
    const [statement] = statementsOf(record, step);
    const placement =
      statement?.kind === 'alter_domain' ? statement.setting.policy : before.placement;
    const domain: DomainRecord = { ...before, placement };
    const basis = domainBasis(this.#context, domain);
    const planned = await this.#context.placements.run(domain.name, (resolver) =>
      domainPolicySteps(basis, placement, resolver),
    );
    if (planned.kind === 'rejected') {
      const fault = refusalFault([planned.refusal], [step.first], record);
      return this.#finish(record, 'FAILED', { ...fault, step });
    }
    const { entries: schedule, level } = planned.schedule;
    const target = { domain, models: basis.models, differences: [], schedule };
    return this.#write(record, advance(record, step, level), domainWrite(this.#context, target));
  }

  async #runModels(
    record: TransactionRecord,
    step: CommitStep,
    domain: DomainRecord,
  ): Promise<TransactionRecord> {
    const { state, activation } = this.#context;
    const basis = domainBasis(this.#context, domain);
    const changes = statementsOf(record, step).flatMap((statement) =>
      isModelStatement(statement) ? [modelChangeOf(statement)] : [],
    );
    const revision = domainRevision(this.#context, domain.name);
    const input = planningInput(basis, revision);
    const planned = await this.#context.placements.run(domain.name, (resolver) =>
      planChangeSteps({ ...input, resolver }, changes),
    );
    if (planned.kind === 'rejected') {
      const blamed = blamedOperations(planned, step, changes);
      const fault = refusalFault(planned.refusals, blamed, record);
      return this.#finish(record, 'FAILED', { ...fault, step });
    }
    const { next: models, changed } = planned;
    const schedule = planned.schedule?.entries ?? null;
    const isReplacing = domain.status === 'running' && changesGraph(changed);
    if (isReplacing) {
      const owned = schedule ?? basis.scheduling.previous;
      const unready = await activation.prepare(domain, models, owned);
      if (unready?.kind === 'failed') {
        const { code, message } = unready;
        return this.#finish(record, 'FAILED', { code, message, step });
      }
    }
    const target = { domain, models, differences: changed, schedule };
    const write = domainWrite(this.#context, target);
    const advanced = await this.#write(record, advance(record, step, planned.level), write);
    if (!isReplacing) return advanced;
    const error = await activation.activate(domain.name);
    if (error === undefined) return advanced;
    const undo = domainWrite(this.#context, {
      domain,
      models: basis.models,
      differences: differences(state.models(domain.name), basis.models),
      schedule: basis.scheduling.previous,
    });
    const message = `failed to publish schedule for domain '${domain.name}': ${error}`;
    const fault: StepFault = { code: 'ACTIVATION_FAILED', message, step, undo };
    const failure = await this.#finish(record, 'FAILED', fault);
    await activation.activate(domain.name);
    return failure;
  }

  /** Ends the transaction. What a failed step did is undone in the same write. */
  async #finish(
    record: TransactionRecord,
    state: 'COMMITTED' | 'FAILED',
    fault?: StepFault,
  ): Promise<TransactionRecord> {
    const error = fault === undefined ? null : transactionFault(fault);
    const next = { ...finished(record, state, this.#context.nowMs()), error };
    const { put = [], ...undo } = fault?.undo ?? {};
    await this.#context.log.write({ ...undo, put: [...put, next] });
    return next;
  }

  /** Writes progress together with its effect, if everything is still as it was planned. */
  async #write(
    record: TransactionRecord,
    next: TransactionRecord,
    { fences, put, remove }: DomainWrite,
  ): Promise<TransactionRecord> {
    const { state } = this.#context;
    const key = transactionKey(record.id);
    const result = await writePrepared(this.#context, record.domain, {
      fences: [...fences, { key, revision: state.revisionOf(key) }],
      put: [next, ...put],
      remove,
    });
    if (result.kind === 'applied') return next;
    throw new Error(`the state of transaction '${record.id}' changed outside of its commit`);
  }
}

function transactionFault({ code, message, step, diagnostics }: StepFault): TransactionFault {
  const operation = diagnostics?.[0]?.operation ?? step.first;
  return { operation, code, message, diagnostics: diagnostics ?? [{ message, operation }] };
}

const WIDTH: Readonly<Record<QuiesceLevel, number>> = {
  DYNAMIC: 0,
  ENTITY_PAUSE: 1,
  DOMAIN_PAUSE: 2,
};

/**
 * The record behind a step. The step's statements leave it, so that the write which holds them as
 * models is no larger than those that queued them.
 */
function advance(
  record: TransactionRecord,
  step: CommitStep,
  level: QuiesceLevel,
): TransactionRecord {
  const before = record.quiesceLevel;
  return {
    ...record,
    completedSteps: record.completedSteps + 1,
    applied: step.last,
    operations: record.operations.slice(step.last - record.applied),
    quiesceLevel: before !== null && WIDTH[before] >= WIDTH[level] ? before : level,
  };
}
