import type { QueueableStatement } from '@nervix/planner';
import { contentKey, leaseKey } from '../../replicated-state/record-keys.js';
import type { DomainRecord, ExecutionRecord } from '../../replicated-state/records.js';
import { admittedContext, WithdrawnError } from '../command-admission.js';
import type { ControlContext } from '../control-context.js';
import { ownerText } from '../domain-locks.js';
import { UnusableGuestsError } from '../execution/unusable-guests.js';
import { failed, type Outcome, stillApplying } from '../outcome.js';
import { unsupportedChange } from '../planning/supported-statement.js';
import { isLogFailure } from '../storage-failure.js';
import { bindingOf, type Submission } from '../submission.js';
import { readArchive } from '../transactions/content-archive.js';
import { CommandExecution } from './command-execution.js';
import type { StoredStatement } from './command-journal.js';

/**
 * Runs statements that change a domain by themselves, each reference once at a time, and goes on
 * with those that a crash or another leader interrupted.
 */
export class CommandDriver {
  readonly #context: ControlContext;
  readonly #running = new Map<string, Promise<Outcome>>();
  /** Contents of these references are being removed. */
  readonly #forgetting = new Map<string, Promise<unknown>>();

  constructor(context: ControlContext) {
    this.#context = context;
  }

  /** Runs a statement; one that is under way is joined, one that was interrupted goes on. */
  async change(
    submission: Submission,
    { name: domain }: DomainRecord,
    statement: QueueableStatement,
  ): Promise<Outcome> {
    const { reference, admission, parsed } = submission;
    await this.#forgetting.get(reference);
    const running = this.#running.get(reference);
    if (running !== undefined) {
      // What it joins goes on, whoever waits for it.
      if (!admission.admit()) throw new WithdrawnError();
      return running;
    }
    const unsupported = unsupportedChange(statement);
    if (unsupported !== undefined) return failed('UNSUPPORTED_CAPABILITY', unsupported);
    const busy = this.#context.locks.acquire(domain, ownerText({ kind: 'command', reference }));
    if (busy !== undefined) return failed('DOMAIN_BUSY', busy);
    const context = admittedContext(this.#context, admission);
    const binding = { reference: bindingOf(submission), domain };
    const { text, span } = parsed;
    const execution = new CommandExecution(context, binding, { statement, text, span }, parsed);
    return this.#hold(reference, domain, () => this.#run(reference, domain, execution));
  }

  /** Does the work on a domain that is locked for it. */
  async #hold(reference: string, domain: string, work: () => Promise<Outcome>): Promise<Outcome> {
    const outcome = work();
    this.#running.set(reference, outcome);
    try {
      return await outcome;
    } finally {
      this.#running.delete(reference);
      this.#context.locks.release(domain);
    }
  }

  /** A failure of the log has its own answer; behind any other what is stored is taken up again. */
  async #run(reference: string, domain: string, execution: CommandExecution): Promise<Outcome> {
    try {
      return await execution.run();
    } catch (error) {
      const isLeft = !execution.isRecorded || error instanceof WithdrawnError;
      if (isLeft || isLogFailure(error)) throw error;
      const facts = { domain, execution_reference: reference };
      this.#context.logger.error('a command was interrupted', facts, error);
      const reason = error instanceof Error ? error.message : String(error);
      const what = `command '${reference}' remains in progress after an execution error`;
      const message = error instanceof UnusableGuestsError ? reason : `${what}: ${reason}`;
      return stillApplying(message);
    }
  }

  /** Goes on with a command that nobody works on. */
  async resume(reference: string, domain: string): Promise<void> {
    const { locks, state, logger } = this.#context;
    if (locks.acquire(domain, ownerText({ kind: 'command', reference })) !== undefined) return;
    // While it waited for its turn, a repetition may have brought it to its end.
    const record = state.execution(reference);
    if (record === undefined) return locks.release(domain);
    const { kind } = await this.#hold(reference, domain, () => this.#goOn(record));
    const facts = { domain, execution_reference: reference, outcome: kind };
    logger.info('interrupted command taken up', facts);
  }

  async #goOn(record: ExecutionRecord): Promise<Outcome> {
    const { reference, domain, statement } = record;
    const stored = readArchive<StoredStatement>(this.#context.state, reference.id, statement);
    const execution = new CommandExecution(this.#context, record, stored);
    return this.#run(reference.id, domain, execution);
  }

  /** Gives back what belongs to nobody: leases, and contents whose record was never written. */
  async releaseAbandoned(): Promise<void> {
    const { state, log, locks } = this.#context;
    for (const { domain, owner } of state.leases()) {
      const isLive =
        owner.kind === 'command'
          ? state.execution(owner.reference) !== undefined
          : state.transaction(owner.id)?.state === 'COMMITTING';
      if (isLive || locks.acquire(domain, ownerText(owner)) !== undefined) continue;
      try {
        const key = leaseKey(domain);
        await log.write({ fences: [{ key, revision: state.revisionOf(key) }], remove: [key] });
      } finally {
        locks.release(domain);
      }
    }
    for (const owner of state.contentOwners()) {
      const isLive = state.transaction(owner) ?? state.execution(owner) ?? this.#running.get(owner);
      if (isLive !== undefined) continue;
      const remove = [...state.contents(owner).keys()].map((digest) => contentKey(owner, digest));
      const write = log.write({ remove });
      this.#forgetting.set(
        owner,
        write.catch(() => undefined),
      );
      try {
        await write;
      } finally {
        this.#forgetting.delete(owner);
      }
    }
  }
}
