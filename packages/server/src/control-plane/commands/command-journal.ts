import { assert } from '@nervix/model';
import type { ParsedStatement } from '@nervix/nspl-parser';
import type { QueueableStatement, TransactionPlan } from '@nervix/planner';
import { executionKey } from '../../replicated-state/record-keys.js';
import type {
  CommitProgress,
  CommitStep,
  ContentRecord,
  ExecutionRecord,
  LeaseOwner,
} from '../../replicated-state/records.js';
import type { Fence, WriteCommand, WriteResult } from '../../replicated-state/write-command.js';
import type { ControlContext } from '../control-context.js';
import { isHeldByAnother, noLongerHeld, withoutPause } from '../execution/domain-lease.js';
import { unattempted } from '../execution/frozen-step.js';
import type { Journal, StepFault } from '../execution/journal.js';
import { writeOwned } from '../execution/owned-write.js';
import { nextStep } from '../execution/step-progress.js';
import { failed, type Outcome } from '../outcome.js';
import { archive, readArchive } from '../transactions/content-archive.js';
import { faultOutcome, successOutcome } from './command-outcome.js';
import { type FrozenCommand, storedCommand } from './frozen-command.js';

/** How often a change is planned again because what it was planned from changed meanwhile. */
const ATTEMPTS_MAX = 16;

/** The statement of a command with its text, as it is stored. */
export type StoredStatement = Omit<ParsedStatement, 'statement' | 'spans'> & {
  readonly statement: QueueableStatement;
};

/** What a command is about. */
export type CommandBinding = Pick<ExecutionRecord, 'reference' | 'domain'>;

/**
 * Records the steps of a command that runs by itself, one attempt after the other. Nothing is stored
 * before somebody has to go on behind it; with its outcome goes all that was.
 */
export class CommandJournal implements Journal {
  readonly takesStartsBack = true;
  readonly #context: ControlContext;
  readonly #binding: CommandBinding;
  readonly #stored: StoredStatement | undefined;
  /** Holds as long as nobody else wrote the record; of revision 0 while there is none. */
  #fence: Fence;
  #record: ExecutionRecord;
  #frozen: FrozenCommand | undefined;
  #statementContents: ReturnType<typeof archive> | undefined;
  #outcome: Outcome | undefined;

  /** @param statement undefined where the store has lost it */
  constructor(
    context: ControlContext,
    binding: CommandBinding,
    statement: StoredStatement | undefined,
  ) {
    this.#context = context;
    this.#binding = binding;
    this.#stored = statement;
    const { reference, domain } = binding;
    const key = executionKey(reference.id);
    this.#fence = { key, revision: context.state.revisionOf(key) };
    this.#record = context.state.execution(reference.id) ?? {
      kind: 'execution',
      reference,
      domain,
      statement: [],
      spent: [],
      progress: null,
    };
    const plan = this.#record.progress?.plan;
    if (plan !== undefined) this.#frozen = readArchive(context.state, reference.id, plan);
  }

  get id(): string {
    return this.#binding.reference.id;
  }

  get owner(): LeaseOwner {
    return { kind: 'command', reference: this.id };
  }

  get domain(): string {
    return this.#binding.domain;
  }

  get statement(): QueueableStatement {
    assert(this.#stored !== undefined, 'a command that goes on has its statement');
    return this.#stored.statement;
  }

  get progress(): CommitProgress {
    const { progress } = this.#record;
    assert(progress !== null, 'an attempt has been planned');
    return progress;
  }

  /** Whether an attempt is under way. */
  get isUnderWay(): boolean {
    return this.#outcome === undefined && this.#record.progress !== null;
  }

  get isOver(): boolean {
    return !this.isUnderWay;
  }

  /** Whether somebody else would go on with the command. */
  get isRecorded(): boolean {
    return this.#fence.revision > 0;
  }

  /** What the command came to, once that is known. */
  get outcome(): Outcome | undefined {
    return this.#outcome;
  }

  /** What the attempt that is under way does; undefined where the store has lost it. */
  get frozen(): FrozenCommand | undefined {
    return this.#frozen;
  }

  refusal(): Extract<StepFault, { kind: 'refused' }> | undefined {
    const { state } = this.#context;
    if (!isHeldByAnother(state, this.domain, this.owner)) return undefined;
    const message = noLongerHeld(this.domain, this.owner);
    // Whoever holds the domain now decides what becomes of what was written.
    if (this.isRecorded) throw new Error(message);
    return { kind: 'refused', code: 'DOMAIN_BUSY', message };
  }

  /** Begins an attempt. */
  begin(plan: TransactionPlan, frozen: FrozenCommand): void {
    this.#frozen = frozen;
    this.#record = { ...this.#record, progress: { plan: [], steps: unattempted(plan) } };
  }

  async write(progress: CommitProgress, command: Partial<WriteCommand>): Promise<boolean> {
    const frozen = this.#frozen;
    assert(frozen !== undefined, 'what is carried out has been planned');
    const [step] = progress.steps;
    if (nextStep(progress) === undefined && step !== undefined) {
      return this.#end(successOutcome(this.domain, this.statement, frozen, step), command);
    }
    return this.#advance({ ...this.#record, progress }, frozen, command);
  }

  complete(): Promise<void> {
    throw new Error('the last step of a command ends it');
  }

  async fail(
    _progress: CommitProgress,
    step: CommitStep,
    fault: StepFault,
    command: Partial<WriteCommand>,
  ): Promise<void> {
    const isDone =
      fault.kind === 'inputs_changed'
        ? await this.#spend(step, fault.reason, command)
        : await this.#decide(faultOutcome(this.domain, this.statement, fault), command);
    if (!isDone) throw new Error(`the state of ${this.id} changed outside of its execution`);
  }

  /** Ends the command; where nothing of it is stored, its outcome is left to others to record. */
  async decide(outcome: Outcome): Promise<void> {
    const domain = this.#context.state.domain(this.domain);
    const put = domain?.pausedBy === this.id ? [withoutPause(domain)] : [];
    if (await this.#decide(outcome, { put })) return;
    throw new Error(`the state of ${this.id} changed outside of its execution`);
  }

  async #decide(outcome: Outcome, command: Partial<WriteCommand>): Promise<boolean> {
    if (this.isRecorded) return this.#end(outcome, command);
    this.#outcome = outcome;
    return true;
  }

  /** Keeps an attempt as one that came to nothing; the next one is planned from what holds then. */
  async #spend(
    { attempts }: CommitStep,
    reason: string,
    command: Partial<WriteCommand>,
  ): Promise<boolean> {
    const spent = [...this.#record.spent, { reason, engagements: attempts }];
    if (spent.length >= ATTEMPTS_MAX) {
      const message = `domain '${this.domain}' changed after the mutation batch was planned`;
      return this.#decide(failed('INPUTS_CHANGED', message), command);
    }
    const next = { ...this.#record, spent, progress: null };
    if (await this.#advance(next, undefined, command)) return true;
    const refusal = this.refusal();
    if (refusal === undefined) return false;
    return this.#decide(faultOutcome(this.domain, this.statement, refusal), {});
  }

  /** Stores the command as it goes on. */
  async #advance(
    next: ExecutionRecord,
    frozen: FrozenCommand | undefined,
    command: Partial<WriteCommand>,
  ): Promise<boolean> {
    const { reference: statement, records } = this.#archivedStatement();
    const contents: ContentRecord[] = [...records];
    let { progress } = next;
    const [step] = progress?.steps ?? [];
    if (progress?.plan.length === 0 && frozen !== undefined && step !== undefined) {
      const plan = archive(this.id, storedCommand(frozen, step));
      contents.push(...plan.records);
      progress = { ...progress, plan: plan.reference };
    }
    const record = { ...next, statement, progress };
    const result = await this.#write(record, { ...command, contents });
    if (result.kind !== 'applied') return this.#isDecidedElsewhere(result);
    this.#fence = { ...this.#fence, revision: result.revision };
    this.#record = record;
    return true;
  }

  async #end(outcome: Outcome, command: Partial<WriteCommand>): Promise<boolean> {
    const recordedAtMs = this.#context.nowMs();
    const reference = { ...this.#binding.reference, outcome, recordedAtMs };
    const result = await this.#write(null, { ...command, reference });
    if (result.kind !== 'applied') return this.#isDecidedElsewhere(result);
    this.#outcome = outcome;
    return true;
  }

  #write(
    record: ExecutionRecord | null,
    command: Parameters<typeof writeOwned>[3],
  ): Promise<WriteResult> {
    const { domain, owner } = this;
    const contents = [...(record?.statement ?? []), ...(record?.progress?.plan ?? [])];
    const next = { owner, domain, record, isHolding: record !== null, contents };
    return writeOwned(this.#context, this.#fence, next, command);
  }

  /** An outcome that is recorded already is that of the command. */
  #isDecidedElsewhere({ kind }: WriteResult): boolean {
    const recorded = this.#context.state.reference(this.id);
    if (kind !== 'recorded' || recorded === undefined) return false;
    this.#outcome = recorded.outcome;
    return true;
  }

  #archivedStatement(): ReturnType<typeof archive> {
    this.#statementContents ??= archive(this.id, this.#stored);
    return this.#statementContents;
  }
}
