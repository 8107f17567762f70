import type { CommandOutcome, TransactionStatus } from '@nervix/protocol';
import {
  type CommandTransport,
  type CommandWait,
  callCommand,
  type PreparedCommand,
} from './command-call.js';
import { RejectedError } from './errors.js';
import type { SubscribeOptions, Subscription } from './subscription.js';
import type { Suggestion, SuggestOptions } from './suggestions.js';
import { isFinished, type TransactionChannel } from './transaction.js';

/** The way to the server that one transaction has for its commands. */
export interface TransactionTransport extends CommandTransport {
  /**
   * Takes a transaction up, from whoever holds it, and reads its status. One that has finished is
   * read and not taken up.
   */
  attach(id: string, wait: CommandWait): Promise<TransactionStatus>;
  /** Completes a text as the transaction sees its domain (CP-50). */
  suggest(options: SuggestOptions, transaction: string): Promise<readonly Suggestion[]>;
  /** Gives the way up; an open transaction stays open. */
  release(): void;
}

/** How a client talks to its server. */
export interface ClientTransport {
  /** Of commands that belong to no transaction. */
  readonly commands: CommandTransport;
  /** A new way for the commands of one transaction. */
  transaction(): TransactionTransport;
  /** Opens a live view of a relay. */
  subscribe(domain: string, options: SubscribeOptions): Promise<Subscription>;
  /** Completes a text as everybody sees the domain. */
  suggest(options: SuggestOptions): Promise<readonly Suggestion[]>;
  /** Ends everything that is held open. */
  close(options: CloseOptions): Promise<void>;
}

/** Options of closing a client. */
export interface CloseOptions {
  /**
   * Leaves open transactions to whoever attaches them next, until they expire; by default the
   * server reverts them.
   */
  readonly abandonTransaction?: boolean;
}

/** The channel of a transaction over its transport. */
export function transactionChannel(
  transport: TransactionTransport,
  { id, domain }: Pick<TransactionStatus, 'id' | 'domain'>,
): TransactionChannel {
  return {
    send: ({ signal, cancel, ...command }) => {
      const wait = {
        ...(signal === undefined ? {} : { signal }),
        ...(cancel === undefined ? {} : { cancel }),
      };
      return callCommand(transport, { ...command, domain }, wait);
    },
    suggest: (options) => transport.suggest({ domain, ...options }, id),
    release: () => transport.release(),
  };
}

/** Sends the `BEGIN` of a transaction. A way on which none began is given up. */
export async function beginOn(
  transport: TransactionTransport,
  command: PreparedCommand,
  wait: CommandWait,
): Promise<CommandOutcome> {
  try {
    return await callCommand(transport, command, wait);
  } catch (error) {
    transport.release();
    throw error;
  }
}

/**
 * Attaches a transaction.
 *
 * @throws RejectedError when it is unknown, of another user, or finished
 */
export async function attachOn(
  transport: TransactionTransport,
  id: string,
  wait: CommandWait,
): Promise<TransactionStatus> {
  try {
    const status = await transport.attach(id, wait);
    if (!isFinished(status.state)) return status;
    const outcome = status.state.toUpperCase();
    throw new RejectedError(
      'TRANSACTION_STATE',
      `transaction '${id}' finished with outcome ${outcome}`,
      { transaction: status },
    );
  } catch (error) {
    transport.release();
    throw error;
  }
}
