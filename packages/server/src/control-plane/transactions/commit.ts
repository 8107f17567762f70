import { equalData } from '@nervix/model';
import type { TransactionRecord } from '../../replicated-state/records.js';
import { admittedContext } from '../command-admission.js';
import { CommandDriver } from '../commands/command-driver.js';
import type { ControlContext } from '../control-context.js';
import { ownerText } from '../domain-locks.js';
import { withoutPause } from '../execution/domain-lease.js';
import type { FrozenStep } from '../execution/frozen-step.js';
import { StepExecution } from '../execution/step-execution.js';
import { withoutHolds } from '../execution/step-progress.js';
import { type Outcome, stillApplying } from '../outcome.js';
import { storageFailureOutcome } from '../storage-failure.js';
import { referenceRecord } from '../submission.js';
import { busy, CommitAdmission, type CommitRequest } from './commit-admission.js';
import { CommitJournal, type RecordedEnd } from './commit-journal.js';
import { readArchive } from './content-archive.js';
import { finished, finishedOutcome, isOverdue, notOpen } from './transaction-states.js';
import { transactionFence, writeTransaction } from './transaction-write.js';

/** Interrupted commands and commits that are taken up at a time; those of different domains never wait. */
const RESUMED_AT_ONCE = 8;

/** A commit that somebody is at work on. */
interface RunningCommit {
  readonly expected: CommitRequest['expected'];
  readonly outcome: Promise<Outcome>;
}

/**
 * Commits transactions: admission freezes a plan, execution carries it out. A commit that a crash
 * interrupted goes on where its progress says.
 */
export class CommitDriver {
  readonly #context: ControlContext;
  readonly #running = new Map<string, RunningCommit>();
  /** Runs the transactions of one statement that nobody sees. */
  readonly commands: CommandDriver;

  constructor(context: ControlContext) {
    this.#context = context;
    this.commands = new CommandDriver(context);
  }

  /** Runs COMMIT; one that is under way is joined, a finished one answers again. */
  async commit(record: TransactionRecord, request: CommitRequest): Promise<Outcome> {
    const { id, domain } = record;
    const running = this.#running.get(id);
    if (running !== undefined) return this.#join(record, request, running);
    if (record.state !== 'OPEN' && record.state !== 'COMMITTING') return finishedOutcome(record);
    if (isOverdue(record, this.#context.nowMs())) return notOpen(record, 'EXPIRED');
    const { locks } = this.#context;
    const holder = locks.ownerOf(domain);
    if (locks.acquire(domain, ownerText({ kind: 'transaction', id })) !== undefined) {
      return busy(record, holder);
    }
    return this.#hold(record, request.expected, () => this.#run(record, request));
  }

  /** Does the work of a commit whose domain is locked for it; who asks meanwhile joins it. */
  async #hold(
    { id, domain }: TransactionRecord,
    expected: RunningCommit['expected'],
    work: () => Promise<Outcome>,
  ): Promise<Outcome> {
    const outcome = work();
    this.#running.set(id, { expected, outcome });
    try {
      return await outcome;
    } finally {
      this.#running.delete(id);
      this.#context.locks.release(domain);
    }
  }

  /**
   * Waits for the commit that is under way. Where that was refused, one that expects another preview
   * has its own turn: the refusal says nothing about it.
   */
  async #join(
    { id }: TransactionRecord,
    request: CommitRequest,
    running: RunningCommit,
  ): Promise<Outcome> {
    const outcome = await running.outcome;
    const record = this.#context.state.transaction(id);
    const isSame = equalData(running.expected, request.expected);
    return isSame || record?.state !== 'OPEN' ? outcome : this.commit(record, request);
  }

  /**
   * Finishes every command and every commit that was under way when the node stopped, or whose write
   * the log refused. One that cannot go on keeps no other from it.
   *
   * @throws RaftError when the store failed
   */
  async resumeAll(): Promise<void> {
    const { state } = this.#context;
    const commands = state.executions().map(({ reference, domain }) => {
      return () => this.commands.resume(reference.id, domain);
    });
    const commits = state.transactions().flatMap(({ id, domain, state: name }) => {
      return name === 'COMMITTING' ? [() => this.#resume(id, domain)] : [];
    });
    const waiting = [...commands, ...commits].values();
    const work = async (): Promise<void> => {
      for (const resume of waiting) await resume();
    };
    const workers = Array.from({ length: RESUMED_AT_ONCE }, work);
    const ends = await Promise.allSettled(workers);
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
    await this.commands.releaseAbandoned();
  }

  async #resume(id: string, domain: string): Promise<void> {
    const { locks, state } = this.#context;
    if (locks.acquire(domain, ownerText({ kind: 'transaction', id })) !== undefined) return;
    // While it waited for its turn, a repeated COMMIT may have brought it to its end.
    const record = state.transaction(id);
    if (record?.state === 'COMMITTING') await this.#hold(record, null, () => this.#goOn(record));
    else locks.release(domain);
  }

  async #goOn(record: TransactionRecord): Promise<Outcome> {
    const { id: transaction, domain } = record;
    try {
      const ended = await this.#execute(record, null);
      const facts = { domain, transaction, state: ended.state };
      this.#context.logger.info('interrupted commit finished', facts);
      return finishedOutcome(ended);
    } catch (error) {
      return this.#interrupted(record, error);
    }
  }

  async #run(record: TransactionRecord, request: CommitRequest): Promise<Outcome> {
    let admitted = record;
    if (record.state === 'OPEN') {
      const context = admittedContext(this.#context, request.submission.admission);
      const admission = await new CommitAdmission(context, request).admit(record.id);
      if (admission.kind === 'decided') return admission.outcome;
      admitted = admission.record;
    }
    const { submission } = request;
    const recordEnd: RecordedEnd = (ended) =>
      referenceRecord(submission, finishedOutcome(ended), this.#context.nowMs());
    try {
      return finishedOutcome(await this.#execute(admitted, recordEnd));
    } catch (error) {
      return this.#interrupted(admitted, error);
    }
  }

  /** A failure of the log has its own answer; behind any other the commit is taken up again. */
  #interrupted({ id, domain }: TransactionRecord, error: unknown): Outcome {
    if (storageFailureOutcome(error) !== undefined) throw error;
    this.#context.logger.error('a commit was interrupted', { domain, transaction: id }, error);
    const reason = error instanceof Error ? error.message : String(error);
    return stillApplying(
      `transaction '${id}' commit remains in progress after an execution error: ${reason}`,
    );
  }

  async #execute(
    record: TransactionRecord,
    recordEnd: RecordedEnd | null,
  ): Promise<TransactionRecord> {
    const { state } = this.#context;
    const reference = record.progress?.plan ?? [];
    const plan = readArchive<readonly FrozenStep[]>(state, record.id, reference);
    if (plan === undefined) return this.#withoutPlan(record);
    const journal = new CommitJournal(this.#context, record, recordEnd);
    await new StepExecution(this.#context, journal, plan).run();
    return journal.record;
  }

  /** A store that lost a part of a plan must not let its commit hold the domain for ever. */
  async #withoutPlan(record: TransactionRecord): Promise<TransactionRecord> {
    const message = `transaction '${record.id}' retains no readable plan of its commit`;
    const operation = Math.min(record.applied + 1, record.accepted);
    const diagnostics = [{ message, operation }];
    const error = { operation, code: 'INTERNAL', message, diagnostics } as const;
    const { progress } = record;
    const steps = progress?.steps.map(withoutHolds) ?? [];
    const known = { ...record, progress: progress === null ? null : { ...progress, steps } };
    const next = { ...finished(known, 'FAILED', this.#context.nowMs()), error };
    const domain = this.#context.state.domain(record.domain);
    const put = domain?.pausedBy === record.id ? [withoutPause(domain)] : [];
    const fence = transactionFence(this.#context, record.id);
    const { kind } = await writeTransaction(this.#context, fence, next, { put });
    if (kind !== 'applied')
      throw new Error(`the state of ${record.id} changed outside of its commit`);
    await this.#context.effects.release(record.domain);
    return next;
  }
}
