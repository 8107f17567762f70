import type { FrameTransaction } from '@nervix/protocol/session';
import type { CommandReply, ControlPlane, Principal } from '../control-plane/control-plane.js';
import type { TransactionHolder } from '../control-plane/transactions/transaction-bindings.js';
import { transactionFrame } from './frames/transaction-frame.js';

/** Who a session acts for, and the transaction that it takes for its own. */
export class SessionView {
  readonly principal: Principal;
  /** The session among all that hold transactions. */
  readonly holder: TransactionHolder = { kind: 'session' };
  readonly #controlPlane: Pick<ControlPlane, 'transaction' | 'isAttached'>;
  #attached: string | null = null;

  constructor(
    principal: Principal,
    controlPlane: Pick<ControlPlane, 'transaction' | 'isAttached'>,
  ) {
    this.principal = principal;
    this.#controlPlane = controlPlane;
  }

  get attached(): string | null {
    return this.#attached;
  }

  attach(transaction: string): void {
    this.#attached = transaction;
  }

  /**
   * Learns from a reply which transaction the session has now. A transaction that was taken away
   * stays claimed while it lives: what was meant for it must not run by itself.
   *
   * @returns the transaction that the reply is to tell of
   */
  learn(reply: CommandReply, reference: string): FrameTransaction | undefined {
    const status = reply.kind === 'completed' ? reply.outcome.transaction : reply.error.transaction;
    const record = status === undefined ? undefined : this.#controlPlane.transaction(status.id);
    if (record === undefined) return undefined;
    const { id, state } = record;
    if (state !== 'OPEN' && state !== 'COMMITTING') {
      if (this.#attached === id) this.#attached = null;
      return transactionFrame(record);
    }
    const isHeld = this.#controlPlane.isAttached(id, this.holder);
    if (isHeld || id === reference.toLowerCase()) this.#attached = id;
    return isHeld ? transactionFrame(record) : undefined;
  }
}
