import { failed, type Outcome } from '../outcome.js';

/**
 * Who works on an open transaction: a session, or one request that named it. Holders are told apart
 * as objects.
 */
export interface TransactionHolder {
  readonly kind: 'session' | 'request';
}

/**
 * Which holder has which transaction. Memory of one tenure of a leader: nothing of it is replicated, and
 * who leads again knows nothing of what another leader gave away meanwhile.
 */
export class TransactionBindings {
  readonly #tenure: () => bigint;
  readonly #known = new Map<string, TransactionHolder>();
  #knownTenure: bigint | undefined;

  /** @param tenure the term that the node knows; another one is another tenure */
  constructor(tenure: () => bigint) {
    this.#tenure = tenure;
  }

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

  get #holders(): Map<string, TransactionHolder> {
    const tenure = this.#tenure();
    if (tenure !== this.#knownTenure) this.#known.clear();
    this.#knownTenure = tenure;
    return this.#known;
  }
}
