import type { CommandOutcome, TransactionState, TransactionStatus } from '@nervix/protocol';
import { CancelledError, RejectedError, UncertainError } from './errors.js';
import { newExecutionReference } from './execution-reference.js';

/** What a transaction asks of its client: to send one command of it. */
export type SendInTransaction = (command: {
  readonly query: string;
  readonly executionReference: string;
  readonly transaction: string;
  readonly expectedTransactionPosition?: number;
  readonly isRepetition: boolean;
  readonly signal?: AbortSignal;
}) => Promise<CommandOutcome>;

/** Options of the calls of a {@link Transaction}. */
export interface TransactionCallOptions {
  readonly signal?: AbortSignal;
}

/**
 * An open transaction on the server. Calls run one after the other, in the order in which they were
 * made. The position advances only by outcomes of the server.
 */
export class Transaction {
  readonly id: string;
  readonly domain: string;
  readonly #send: SendInTransaction;
  #position: number;
  #state: TransactionState;
  #tail: Promise<unknown> = Promise.resolve();
  /** References of ends whose outcome is unknown: repeating an end repeats its reference. */
  readonly #unsettledEnds: Map<'COMMIT' | 'REVERT', string> = new Map();

  constructor(status: TransactionStatus, send: SendInTransaction) {
    this.id = status.id;
    this.domain = status.domain;
    this.#position = status.accepted_operations;
    this.#state = status.state;
    this.#send = send;
  }

  /** How many operations the server has accepted, as far as this client knows. */
  get position(): number {
    return this.#position;
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
        this.#send({
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
   * Applies the transaction. After an {@link UncertainError} it may be called again, and then asks
   * for the outcome of the same commit.
   */
  commit(options: TransactionCallOptions = {}): Promise<CommandOutcome> {
    return this.#enqueue(() => this.#end('COMMIT', 'Committed', options));
  }

  /** Gives the transaction up: nothing of it takes effect. */
  revert(options: TransactionCallOptions = {}): Promise<CommandOutcome> {
    return this.#enqueue(() => this.#end('REVERT', 'Reverted', options));
  }

  async #end(
    verb: 'COMMIT' | 'REVERT',
    endState: TransactionState,
    options: TransactionCallOptions,
  ): Promise<CommandOutcome> {
    const unsettled = this.#unsettledEnds.get(verb);
    const executionReference = unsettled ?? newExecutionReference();
    this.#unsettledEnds.set(verb, executionReference);
    const stateBefore = this.#state;
    if (verb === 'COMMIT') this.#state = 'Committing';
    try {
      const outcome = await this.#send({
        query: verb,
        executionReference,
        transaction: this.id,
        isRepetition: unsettled !== undefined,
        ...options,
      });
      this.#unsettledEnds.delete(verb);
      this.#state = outcome.transaction?.state ?? endState;
      return outcome;
    } catch (error) {
      if (error instanceof RejectedError) {
        this.#unsettledEnds.delete(verb);
        this.#state = error.transaction?.state ?? stateBefore;
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
      return outcome;
    } catch (error) {
      if (error instanceof RejectedError) this.#adopt(error.transaction);
      throw error;
    }
  }

  #adopt(status: TransactionStatus | undefined): void {
    if (status === undefined || status.id !== this.id) return;
    this.#position = status.accepted_operations;
    this.#state = status.state;
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
