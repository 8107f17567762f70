import { failed, type Outcome } from '../outcome.js';

/**
 * Who works on an open transaction: a session, or one request that named it. Holders are told apart
 * as objects.
 */
export interface TransactionHolder {
  readonly kind: 'session' | 'request';
}

/** Which holder has which transaction. Memory of the leader alone; nothing of it is replicated. */
export class TransactionBindings {
  readonly #holders = new Map<string, TransactionHolder>();

  /** Gives a transaction to a holder, whoever had it. */
  bind(transaction: string, holder: TransactionHolder): void {
    this.#holders.set(transaction, holder);
  }

  isBound(transaction: string): boolean {
    return this.#holders.has(transaction);
  }

  isHeldBy(transaction: string, holder: TransactionHolder): boolean {
    return this.#holders.get(transaction) === holder;
  }

  /** Lets go of a transaction if the holder has it; tells whether it had. */
  release(transaction: string, holder: TransactionHolder): boolean {
    return this.isHeldBy(transaction, holder) && this.#holders.delete(transaction);
  }

  /** Forgets a transaction that is no more. */
  forget(transaction: string): void {
    this.#holders.delete(transaction);
  }

  /** Why a holder may not work on the transaction that it takes for its own, or undefined. */
  refusal(transaction: string, holder: TransactionHolder): Outcome | undefined {
    const current = this.#holders.get(transaction);
    if (current === holder) return undefined;
    return current === undefined
      ? failed(
          'TRANSACTION_DETACHED',
          `transaction '${transaction}' is not attached to this leader; ` +
            'attach it before continuing',
        )
      : failed(
          'TRANSACTION_TAKEN_OVER',
          `transaction '${transaction}' was taken over by another session`,
        );
  }
}
