import type { ErrorCode } from '@nervix/protocol';
import { HISTORY_KEY, referenceKey } from '../replicated-state/record-keys.js';
import type { ReferenceRecord } from '../replicated-state/records.js';
import { isSameUser } from '../replicated-state/user-identity.js';
import { WithdrawnError } from './command-admission.js';
import type { ControlContext } from './control-context.js';
import { REFERENCE_AHEAD_MAX_MS, referenceTimeMs } from './execution-reference.js';
import { failed, type Outcome } from './outcome.js';
import { type ReferencedCommand, referenceRecord } from './submission.js';

/** Failures that say nothing about the command, so that its reference stays usable. */
const UNDECIDED: ReadonlySet<ErrorCode> = new Set([
  'REQUEST_SHAPE',
  'INVALID_REQUEST',
  'SERVER_BUSY',
  'OUTCOME_UNKNOWN',
  'STORAGE_FAILED',
  'INTERNAL',
  'NO_ATTACHED_TRANSACTION',
  'TRANSACTION_DETACHED',
  'TRANSACTION_TAKEN_OVER',
]);

/** Where an outcome came from: this execution, or the record of an earlier one. */
export interface RecordedExecution {
  readonly outcome: Outcome;
  readonly isRecovered: boolean;
}

/**
 * Runs each reference at most once: a repetition joins the running execution or gets the recorded
 * outcome, and reuse for anything else is refused.
 */
export class ExecutionHistory {
  readonly #context: ControlContext;
  readonly #running = new Map<
    string,
    { submission: ReferencedCommand; outcome: Promise<Outcome> }
  >();

  constructor(context: ControlContext) {
    this.#context = context;
  }

  async run(
    submission: ReferencedCommand,
    execute: () => Promise<Outcome>,
  ): Promise<RecordedExecution> {
    const { reference } = submission;
    const running = this.#running.get(reference);
    if (running !== undefined) {
      const conflict = conflictOf(submission, {
        owner: running.submission.owner,
        domain: running.submission.domain,
        transaction: running.submission.transaction,
        position: running.submission.expectedPosition,
        digest: running.submission.digest,
      });
      if (conflict !== undefined) return { outcome: conflict, isRecovered: false };
      // What it joins has its effect, whoever goes on waiting.
      if (!submission.admission.admit()) throw new WithdrawnError();
      const joined = await unlessWithdrawn(running.outcome);
      // What another caller withdrew was not withdrawn by this one.
      if (joined === undefined) return this.run(submission, execute);
      return { outcome: joined, isRecovered: true };
    }
    const record = this.#context.state.reference(reference);
    if (record !== undefined) {
      const conflict = conflictOf(submission, record);
      return conflict === undefined
        ? { outcome: record.outcome, isRecovered: true }
        : { outcome: conflict, isRecovered: false };
    }
    const pending = this.#context.state.execution(reference)?.reference;
    const refusal =
      pending === undefined ? this.#admissionRefusal(reference) : conflictOf(submission, pending);
    if (refusal !== undefined) return { outcome: refusal, isRecovered: false };
    const outcome = this.#decide(submission, execute);
    this.#running.set(reference, { submission, outcome });
    try {
      return { outcome: await outcome, isRecovered: false };
    } finally {
      this.#running.delete(reference);
    }
  }

  /**
   * Forgets finished references older than the retry validity. The fence moves first, in the same
   * write, so a forgotten reference is refused for ever instead of running again.
   */
  async reclaim(): Promise<void> {
    const { state, limits, log } = this.#context;
    const horizon = this.#context.nowMs() - limits.commandRetryValidityMs;
    const expired: string[] = [];
    let newestTime = state.retryFenceMs;
    for (const { id, recordedAtMs } of state.references()) {
      const timeMs = referenceTimeMs(id) ?? 0;
      // A caller's clock may run ahead: its references wait until the fence may pass their time.
      if (recordedAtMs > horizon || timeMs > horizon) continue;
      expired.push(referenceKey(id));
      newestTime = Math.max(newestTime, timeMs);
      if (expired.length >= 1_024) break;
    }
    if (expired.length === 0) return;
    await log.write({
      fences: [{ key: HISTORY_KEY, revision: state.revisionOf(HISTORY_KEY) }],
      put: [{ kind: 'history', retryFenceMs: newestTime }],
      remove: expired,
    });
  }

  /** Executes, and records what no write of the execution itself recorded. */
  async #decide(submission: ReferencedCommand, execute: () => Promise<Outcome>): Promise<Outcome> {
    const { state, log } = this.#context;
    const outcome = await execute();
    if (outcome.kind === 'failed' && UNDECIDED.has(outcome.code)) return outcome;
    if (state.reference(submission.reference) === undefined) {
      if (!submission.admission.admit()) throw new WithdrawnError();
      await log.write({ reference: referenceRecord(submission, outcome, this.#context.nowMs()) });
    }
    return outcome;
  }

  #admissionRefusal(reference: string): Outcome | undefined {
    const { state, limits } = this.#context;
    const time = referenceTimeMs(reference);
    if (time === undefined) {
      return failed('INVALID_REQUEST', 'the execution reference must be a UUIDv7');
    }
    if (time <= state.retryFenceMs) {
      return failed(
        'EXECUTION_REFERENCE_EXPIRED',
        'the execution reference is older than the retained history; its outcome is unknown',
      );
    }
    if (time > this.#context.nowMs() + REFERENCE_AHEAD_MAX_MS) {
      return failed(
        'INVALID_REQUEST',
        'the execution reference is more than 5 minutes ahead of the clock of this node',
      );
    }
    const interrupted = state
      .executions()
      .filter(({ reference: { id } }) => !this.#running.has(id));
    const admitted = state.referenceCount + this.#running.size + interrupted.length;
    if (admitted >= limits.commandExecutionCapacity) {
      return failed('HISTORY_FULL', 'the execution history is full; repeat the command later');
    }
    return undefined;
  }
}

async function unlessWithdrawn(outcome: Promise<Outcome>): Promise<Outcome | undefined> {
  try {
    return await outcome;
  } catch (error) {
    if (error instanceof WithdrawnError) return undefined;
    throw error;
  }
}

type Binding = Pick<ReferenceRecord, 'owner' | 'domain' | 'transaction' | 'position' | 'digest'>;

/** The first difference, in the order owner, domain, position, content. */
function conflictOf(submission: ReferencedCommand, binding: Binding): Outcome | undefined {
  const difference = !isSameUser(binding.owner, submission.owner)
    ? 'owner'
    : binding.domain !== submission.domain
      ? 'domain'
      : binding.transaction !== submission.transaction ||
          binding.position !== submission.expectedPosition
        ? 'position'
        : binding.digest !== submission.digest
          ? 'content'
          : undefined;
  if (difference === undefined) return undefined;
  const message = `execution reference '${submission.reference}' was already used with another ${difference}`;
  return { ...failed('EXECUTION_REFERENCE_CONFLICT', message), conflict: difference };
}
