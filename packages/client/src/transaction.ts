import type {
  CommandOutcome,
  Inspection,
  PreviewIdentity,
  TransactionState,
  TransactionStatus,
} from '@nervix/protocol';
import type { CommandWait } from './command-call.js';
import { CancelledError, ProtocolViolationError, RejectedError, UncertainError } from './errors.js';
import { newExecutionReference } from './execution-reference.js';
import type { Suggestion, SuggestOptions } from './suggestions.js';

/** What a transaction asks of its client: to send one command of it. */
export type SendInTransaction = (
  command: {
    readonly query: string;
    readonly executionReference: string;
    readonly transaction: string;
    readonly expectedTransactionPosition?: number;
    readonly expectedPreview?: PreviewIdentity;
    readonly isRepetition: boolean;
  } & CommandWait,
) => Promise<CommandOutcome>;

/** The way to the server that a transaction has for itself. */
export interface TransactionChannel {
  readonly send: SendInTransaction;
  readonly suggest: (options: SuggestOptions) => Promise<readonly Suggestion[]>;
  /** Told once, when the transaction has finished: nothing is sent for it any more. */
  readonly release: () => void;
}

/** Options of the calls of a {@link Transaction}. */
export interface TransactionCallOptions extends CommandWait {}

/** Options of {@link Transaction.commit}. */
export interface CommitOptions extends TransactionCallOptions {
  /** What the commit is to apply, in place of {@link Transaction.preview}. */
  readonly preview?: PreviewIdentity;
}

/** Options of {@link Transaction.inspect}. */
export interface InspectOptions extends TransactionCallOptions {
  /** Number of the operation to read about, from 1. */
  readonly operation?: number;
}

const ENDED_STATES: ReadonlySet<TransactionState> = new Set([
  'Committed',
  'Failed',
  'Reverted',
  'Expired',
]);

/** Whether a transaction in this state takes nothing any more. */
export function isFinished(state: TransactionState): boolean {
  return ENDED_STATES.has(state);
}

/** An end that was sent and has no outcome yet. */
interface UnsettledEnd {
  readonly executionReference: string;
  readonly expectedPreview?: PreviewIdentity;
}

/**
 * An open transaction on the server. Calls run one after the other, in the order in which they were
 * made. The position advances only by outcomes of the server.
 */
export class Transaction {
  readonly id: string;
  readonly domain: string;
  readonly #channel: TransactionChannel;
  #position: number;
  #state: TransactionState;
  #tail: Promise<unknown> = Promise.resolve();
  #preview: PreviewIdentity | undefined;
  #isReleased = false;
  /** Ends whose outcome is unknown: repeating an end repeats what was sent. */
  readonly #unsettledEnds: Map<'COMMIT' | 'REVERT', UnsettledEnd> = new Map();

  constructor(status: TransactionStatus, channel: TransactionChannel) {
    this.id = status.id;
    this.domain = status.domain;
    this.#position = status.accepted_operations;
    this.#state = status.state;
    this.#channel = channel;
  }

  /** How many operations the server has accepted, as far as this client knows. */
  get position(): number {
    return this.#position;
  }

  /**
   * What the transaction would do, as this client saw it last: by an accepted append or by an
   * inspection of all that was accepted. A refused commit does not change it.
   */
  get preview(): PreviewIdentity | undefined {
    return this.#preview;
  }

  /** State as of the last outcome; `Committing` while a commit's outcome is unknown. */
  get state(): TransactionState {
    return this.#state;
  }

  /**
   * Adds one statement.
   *
   * @throws RejectedError when the server refuses it; the transaction is then as it was
   */
  append(nspl: string, options: TransactionCallOptions = {}): Promise<CommandOutcome> {
    return this.#enqueue(() =>
      this.#track(
        this.#channel.send({
          query: nspl,
          executionReference: newExecutionReference(),
          transaction: this.id,
          expectedTransactionPosition: this.#position,
          isRepetition: false,
          ...options,
        }),
      ),
    );
  }

  /**
   * Reads what the transaction would do, or has done. The preview that it shows is the one that the
   * next {@link commit} expects.
   */
  async inspect({ operation, ...options }: InspectOptions = {}): Promise<Inspection> {
    const which = operation === undefined ? '' : ` OPERATION ${operation}`;
    const query = `DESCRIBE TRANSACTION${which} FORMAT JSON`;
    const { inspection } = await this.describe(query, options);
    if (inspection === undefined) {
      throw new ProtocolViolationError('the answer to DESCRIBE TRANSACTION has no inspection');
    }
    return inspection;
  }

  /** Sends a `DESCRIBE TRANSACTION` as it is written; it joins no queue of the server. */
  describe(nspl: string, options: TransactionCallOptions = {}): Promise<CommandOutcome> {
    return this.#enqueue(async () => {
      const outcome = await this.#channel.send({
        query: nspl,
        executionReference: newExecutionReference(),
        transaction: this.id,
        isRepetition: false,
        ...options,
      });
      this.#learn(outcome.inspection);
      return outcome;
    });
  }

  /**
   * Applies the transaction, if its preview still holds. After an {@link UncertainError} it may be
   * called again, and then asks for the outcome of the same commit.
   *
   * @throws RejectedError with `PREVIEW_STALE` and both previews when it does not; nothing was
   * applied then, and {@link inspect} shows what would be
   */
  commit({ preview, ...options }: CommitOptions = {}): Promise<CommandOutcome> {
    return this.#enqueue(() => {
      const expected = preview ?? this.#preview;
      const end = expected === undefined ? {} : { expectedPreview: expected };
      return this.#end('COMMIT', 'Committed', { ...options, ...end });
    });
  }

  /** Completes a text with what the transaction has queued so far; only over sessions. */
  suggest(options: SuggestOptions): Promise<readonly Suggestion[]> {
    return this.#channel.suggest(options);
  }

  /** Lets go of the transaction, and leaves it open to whoever attaches it, until it expires. */
  abandon(): void {
    this.#releaseOnce();
  }

  /** Gives the transaction up: nothing of it takes effect. */
  revert(options: TransactionCallOptions = {}): Promise<CommandOutcome> {
    return this.#enqueue(() => this.#end('REVERT', 'Reverted', options));
  }

  async #end(
    verb: 'COMMIT' | 'REVERT',
    endState: TransactionState,
    {
      expectedPreview,
      ...options
    }: TransactionCallOptions & Omit<UnsettledEnd, 'executionReference'>,
  ): Promise<CommandOutcome> {
    const unsettled = this.#unsettledEnds.get(verb);
    const end: UnsettledEnd = unsettled ?? {
      executionReference: newExecutionReference(),
      ...(expectedPreview === undefined ? {} : { expectedPreview }),
    };
    this.#unsettledEnds.set(verb, end);
    const stateBefore = this.#state;
    if (verb === 'COMMIT') this.#state = 'Committing';
    try {
      const outcome = await this.#channel.send({
        query: verb,
        ...end,
        transaction: this.id,
        isRepetition: unsettled !== undefined,
        ...options,
      });
      this.#unsettledEnds.delete(verb);
      this.#enter(outcome.transaction?.state ?? endState);
      return outcome;
    } catch (error) {
      if (error instanceof RejectedError) {
        this.#unsettledEnds.delete(verb);
        this.#enter(error.transaction?.state ?? stateBefore);
      } else if (unsettled === undefined && !mayBeAdmitted(error)) {
        this.#unsettledEnds.delete(verb);
        this.#state = stateBefore;
      }
      throw error;
    }
  }

  async #track(sending: Promise<CommandOutcome>): Promise<CommandOutcome> {
    try {
      const outcome = await sending;
      this.#adopt(outcome.transaction);
      this.#preview = outcome.transaction_admission?.preview ?? this.#preview;
      return outcome;
    } catch (error) {
      if (error instanceof RejectedError) this.#adopt(error.transaction);
      throw error;
    }
  }

  #adopt(status: TransactionStatus | undefined): void {
    if (status === undefined || status.id !== this.id) return;
    this.#position = status.accepted_operations;
    this.#enter(status.state);
  }

  #enter(state: TransactionState): void {
    this.#state = state;
    if (isFinished(state)) this.#releaseOnce();
  }

  #releaseOnce(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.#channel.release();
  }

  /** An inspection of another position shows no preview of what is accepted now. */
  #learn(inspection: Inspection | undefined): void {
    const { transaction_id: id } = inspection?.transaction ?? {};
    const { position, planning_basis: basis } = inspection?.report ?? {};
    if (id !== this.id || position !== this.#position || typeof basis !== 'string') return;
    this.#preview = { transaction_id: this.id, position: this.#position, planning_basis: basis };
  }

  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#tail.then(work);
    this.#tail = result.catch(() => undefined);
    return result;
  }
}

/** Whether an end may have been admitted although its call failed. */
function mayBeAdmitted(error: unknown): boolean {
  if (error instanceof UncertainError) return true;
  return error instanceof CancelledError && error.stage === 'in_flight';
}

/** Commits a transaction when the work in it resolves, and reverts it when the work rejects. */
export async function runInTransaction(
  transaction: Transaction,
  work: (transaction: Transaction) => Promise<unknown>,
): Promise<void> {
  try {
    await work(transaction);
  } catch (error) {
    // What keeps it from being reverted matters less than why; it then stays until it expires.
    await transaction.revert().catch(() => transaction.abandon());
    throw error;
  }
  if (!isFinished(transaction.state)) await transaction.commit();
}
