import { assert } from '@nervix/model';
import type {
  CommitProgress,
  CommitStep,
  ReferenceRecord,
  TransactionFault,
  TransactionRecord,
} from '../../replicated-state/records.js';
import type { Fence, WriteCommand } from '../../replicated-state/write-command.js';
import type { ControlContext } from '../control-context.js';
import type { Journal, StepFault } from '../execution/journal.js';
import { appliedOperations } from '../execution/step-progress.js';
import { finished } from './transaction-states.js';
import { transactionFence, writeTransaction } from './transaction-write.js';

/** What a repetition of a reference is told once the transaction has ended. */
export type RecordedEnd = (ended: TransactionRecord) => ReferenceRecord;

/** Records the steps of a commit in the record of its transaction. */
export class CommitJournal implements Journal {
  readonly takesStartsBack = false;
  readonly #context: ControlContext;
  readonly #recordEnd: RecordedEnd | null;
  #record: TransactionRecord;
  /** Holds as long as nobody else wrote the record. */
  #fence: Fence;

  /** @param recordEnd makes the record that is written with the end; null where nobody waits */
  constructor(context: ControlContext, record: TransactionRecord, recordEnd: RecordedEnd | null) {
    this.#context = context;
    this.#record = record;
    this.#fence = transactionFence(context, record.id);
    this.#recordEnd = recordEnd;
  }

  get id(): string {
    return this.#record.id;
  }

  get owner(): { readonly kind: 'transaction'; readonly id: string } {
    return { kind: 'transaction', id: this.id };
  }

  get domain(): string {
    return this.#record.domain;
  }

  get progress(): CommitProgress {
    const { progress } = this.#record;
    assert(progress !== null, 'a transaction that commits has progress');
    return progress;
  }

  get isOver(): boolean {
    return this.#record.state !== 'COMMITTING';
  }

  /** The record as it was written last. */
  get record(): TransactionRecord {
    return this.#record;
  }

  refusal(): undefined {
    return undefined;
  }

  write(progress: CommitProgress, command: Partial<WriteCommand>): Promise<boolean> {
    return this.#write(
      { ...this.#record, progress, applied: appliedOperations(progress) },
      command,
    );
  }

  complete(): Promise<void> {
    return this.#end('COMMITTED', this.#record, {});
  }

  fail(
    progress: CommitProgress,
    { first: operation }: CommitStep,
    fault: StepFault,
    command: Partial<WriteCommand>,
  ): Promise<void> {
    const { code, message } = this.#told(fault, operation);
    const error = { operation, code, message, diagnostics: [{ message, operation }] };
    const applied = appliedOperations(progress);
    return this.#end('FAILED', { ...this.#record, progress, applied, error }, command);
  }

  #told(fault: StepFault, operation: number): Pick<TransactionFault, 'code' | 'message'> {
    const { id } = this.#record;
    switch (fault.kind) {
      case 'refused':
        return fault;
      case 'inputs_changed': {
        const message = `transaction '${id}' planning inputs changed: ${fault.reason}`;
        return { code: 'INPUTS_CHANGED', message };
      }
      case 'unpublished': {
        const message = `failed to publish schedule for domain '${this.domain}': ${fault.cause}`;
        return { code: fault.code, message };
      }
      case 'unusable': {
        const message =
          `transaction '${id}' committed the effect beginning at statement ${operation}, but it ` +
          `failed to become usable: ${fault.cause}`;
        const end = fault.isTakenBack ? '; the model batch was rolled back' : '';
        return { code: 'ACTIVATION_FAILED', message: message + end };
      }
    }
  }

  async #end(
    state: 'COMMITTED' | 'FAILED',
    record: TransactionRecord,
    command: Partial<WriteCommand>,
  ): Promise<void> {
    const ended = finished(record, state, this.#context.nowMs());
    const reference = this.#recordEnd?.(ended) ?? null;
    if (await this.#write(ended, { ...command, reference })) return;
    throw new Error(`the state of transaction '${this.id}' changed outside of its commit`);
  }

  async #write(next: TransactionRecord, command: Partial<WriteCommand>): Promise<boolean> {
    const result = await writeTransaction(this.#context, this.#fence, next, command);
    if (result.kind !== 'applied') return false;
    this.#fence = { ...this.#fence, revision: result.revision };
    this.#record = next;
    return true;
  }
}
