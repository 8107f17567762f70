import type { TransactionStatus } from '@nervix/protocol';
import type {
  AttachOutcome,
  ClientRequest,
  CommandOutcome as CommandOutcomeFrame,
  FrameLeader,
} from '@nervix/protocol/session';
import { CallDeadline } from '../call-deadline.js';
import type { TransactionTransport } from '../client-transport.js';
import type { AttemptContext, CommandWait, PreparedCommand } from '../command-call.js';
import { type CommandVerdict, judgeOutcome } from '../command-verdict.js';
import type { ResolvedOptions } from '../connect-options.js';
import { ConnectError, DeadlineError, RejectedError } from '../errors.js';
import { HttpTransport } from '../http-transport.js';
import type { Suggestion, SuggestOptions } from '../suggestions.js';
import { isFinished } from '../transaction.js';
import { commandFrame, diagnosticOf, outcomeOf, transactionOf } from './frame-outcome.js';
import type { SessionConnection } from './session-connection.js';
import {
  type Again,
  requestOver,
  type SessionQuestions,
  type Turn,
  violation,
} from './session-request.js';
import { CLEAN_CLOSE, RELEASING_CLOSE } from './session-socket.js';
import type { SessionSupply } from './session-supply.js';
import { suggestOver } from './suggest.js';

/** Sessions that one attempt may use up before it counts as turned away. */
const TURNS_MAX = 4;

const BOUND = { kind: 'done', value: 'bound' } as const;
const REFUSED = { kind: 'done', value: 'refused' } as const;

/** What came of attaching a transaction. */
type Attachment = { readonly isBound: boolean; readonly status: TransactionStatus };

/** Who a link belongs to. */
export interface LinkOwner {
  /** Told when the link is given up. */
  released(link: SessionLink): void;
  /** Uses a new link once. */
  once<T>(use: (link: SessionLink) => Promise<T>): Promise<T>;
}

/**
 * Commands over sessions, of which one is open at a time. When it is lost, the next one takes up
 * the transaction before anything is repeated (CL-48).
 */
export class SessionLink implements TransactionTransport, SessionQuestions {
  readonly options: ResolvedOptions;
  readonly #sessions: SessionSupply;
  readonly #owner: LinkOwner;
  #isReleased = false;
  /** What the server said when another session took the transaction; it is not taken back. */
  #takenOver: RejectedError | undefined;

  constructor(options: ResolvedOptions, sessions: SessionSupply, owner: LinkOwner) {
    this.options = options;
    this.#sessions = sessions;
    this.#owner = owner;
  }

  /** What is asked of a link that was given up, such as how a commit came out, holds no session. */
  async attempt(command: PreparedCommand, context: AttemptContext): Promise<CommandVerdict> {
    if (this.#isReleased) {
      if (this.#takenOver !== undefined) return { kind: 'failed', error: this.#takenOver };
      return this.#owner.once((link) => link.attempt(command, context));
    }
    const turn = await this.#turns(context, (connection) =>
      this.#command(connection, command, context),
    );
    return turn.kind === 'done' ? turn.value : turn;
  }

  async attach(id: string, wait: CommandWait): Promise<TransactionStatus> {
    const { status, isBound } = await this.ask(
      'attaching the transaction',
      wait,
      (connection, context) => this.#attach(connection, id, context),
    );
    if (isBound) this.#takenOver = undefined;
    return status;
  }

  async ask<T>(
    action: string,
    wait: CommandWait,
    turn: (connection: SessionConnection, context: AttemptContext) => Promise<Turn<T>>,
  ): Promise<T> {
    const deadline = new CallDeadline(this.options.requestTimeoutMs, wait.signal);
    for (;;) {
      deadline.throwIfCancelled('before_send');
      const context = { signal: deadline.attemptSignal(), deadline, isCancelling: false };
      const result = await this.#turns(context, (connection) => turn(connection, context));
      if (result.kind === 'done') return result.value;
      const failure = this.#failureOf(result, action, deadline);
      const untilMs = result.kind === 'not_sent' ? this.options.connectTimeoutMs : undefined;
      const isFinal = result.kind === 'failed' || result.kind === 'aborted';
      if (isFinal || !(await deadline.pause(0, untilMs))) throw failure;
    }
  }

  suggest(options: SuggestOptions, transaction?: string): Promise<readonly Suggestion[]> {
    if (this.#isReleased) return this.#owner.once((link) => link.suggest(options, transaction));
    const ask: SessionQuestions['ask'] = (action, wait, turn) =>
      this.ask(action, wait, async (connection, context) => {
        const binding = await this.#bind(connection, transaction, context);
        if (binding.kind !== 'done') return binding;
        return binding.value === 'bound' ? turn(connection, context) : notOpen(transaction);
      });
    return suggestOver({ ask }, options);
  }

  release(): void {
    this.#isReleased = true;
    this.#owner.released(this);
    void this.#sessions.close(RELEASING_CLOSE);
  }

  /** Ends the session; the server reverts its open transaction unless it is to be left (CL-44). */
  close(isTransactionLeft: boolean): Promise<void> {
    return this.#sessions.close(isTransactionLeft ? RELEASING_CLOSE : CLEAN_CLOSE);
  }

  async #turns<T>(
    { signal }: AttemptContext,
    take: (connection: SessionConnection) => Promise<Turn<T>>,
  ): Promise<Exclude<Turn<T>, Again>> {
    let again: Again | undefined;
    for (let turn = 0; turn < TURNS_MAX; turn += 1) {
      const opening = await this.#sessions.take(signal);
      if (opening.kind === 'aborted') return { kind: 'aborted', isSent: false };
      if (opening.kind !== 'open') return opening;
      const result = await take(opening.connection);
      if (result.kind !== 'again') return result;
      again = result;
    }
    const error = again?.error ?? new ConnectError(this.options.origin, 'no session took it');
    return { kind: 'busy', error, atLeastMs: 0 };
  }

  async #command(
    connection: SessionConnection,
    command: PreparedCommand,
    context: AttemptContext,
  ): Promise<Turn<CommandVerdict>> {
    const { transaction, executionReference } = command;
    const binding = await this.#bind(connection, transaction, context);
    if (binding.kind !== 'done') return binding;
    // What cannot be attached is asked about where requests name their transaction.
    if (binding.value === 'refused') return this.#byName(connection, command, context);
    const frame = commandFrame(command);
    const result = await requestOver(connection, frame, context, { executionReference });
    if (result.kind !== 'answered') return result;
    const { answer } = result;
    if (answer.t !== 'CommandOutcome') return violation(connection, answer);
    if (answer.execution_reference.toLowerCase() !== executionReference.toLowerCase()) {
      return violation(connection, answer);
    }
    return this.#judge(connection, answer);
  }

  /** Binds a session to the transaction that something belongs to, unless it is bound already. */
  async #bind(
    connection: SessionConnection,
    transaction: string | undefined,
    context: AttemptContext,
  ): Promise<Turn<'bound' | 'refused'>> {
    if (transaction === undefined || connection.boundTransaction === transaction) return BOUND;
    if (this.#takenOver !== undefined) return { kind: 'failed', error: this.#takenOver };
    const attached = await this.#attach(connection, transaction, context);
    if (attached.kind === 'done') return attached.value.isBound ? BOUND : REFUSED;
    const isRefused = attached.kind === 'failed' && attached.error instanceof RejectedError;
    return isRefused ? REFUSED : attached;
  }

  #judge(connection: SessionConnection, frame: CommandOutcomeFrame): Turn<CommandVerdict> {
    const { disposition } = frame;
    if (disposition.t === 'LeaderRedirect') return this.#follow(connection, disposition.leader);
    if (disposition.t === 'TransactionDetached') {
      connection.boundTransaction = undefined;
      return { kind: 'again', error: new RejectedError('TRANSACTION_DETACHED', frame.message) };
    }
    const outcome = outcomeOf(frame, disposition);
    if (disposition.t === 'TransactionTakenOver') {
      this.#takenOver = new RejectedError('TRANSACTION_TAKEN_OVER', frame.message);
    }
    const { transaction } = outcome;
    if (transaction !== undefined && isFinished(transaction.state)) {
      connection.boundTransaction = undefined;
    } else if (transaction !== undefined && outcome.origin === 'Executed') {
      connection.boundTransaction = transaction.id;
    }
    return { kind: 'done', value: judgeOutcome(outcome) };
  }

  #follow<T>(connection: SessionConnection, leader: FrameLeader | undefined): Turn<T> {
    const { origin } = connection;
    const following = this.#sessions.follow(connection, leader);
    if (following.kind === 'refused') return { kind: 'failed', error: following.error };
    const error = new ConnectError(origin, 'it does not lead');
    if (following.kind === 'following') return { kind: 'again', error };
    return { kind: 'busy', error, atLeastMs: 0 };
  }

  async #attach(
    connection: SessionConnection,
    id: string,
    context: AttemptContext,
  ): Promise<Turn<Attachment>> {
    const request: ClientRequest = { t: 'AttachTransactionRequest', transaction_id: id };
    const result = await requestOver(connection, request, { ...context, isCancelling: false });
    // Nothing is admitted by an attempt that got no further than this.
    if (result.kind === 'aborted') return { kind: 'aborted', isSent: false };
    if (result.kind === 'unknown') {
      return { kind: 'again', error: new ConnectError(connection.origin, result.reason) };
    }
    if (result.kind !== 'answered') return result;
    const { answer } = result;
    if (answer.t !== 'AttachOutcome') return violation(connection, answer);
    return this.#judgeAttach(connection, answer);
  }

  #judgeAttach(connection: SessionConnection, answer: AttachOutcome): Turn<Attachment> {
    const { disposition, message, diagnostics } = answer;
    switch (disposition.t) {
      case 'TransactionAttached': {
        const status = transactionOf(disposition.transaction);
        connection.boundTransaction = status.id;
        return { kind: 'done', value: { isBound: true, status } };
      }
      case 'TransactionAlreadyFinished': {
        const status = transactionOf(disposition.transaction);
        return { kind: 'done', value: { isBound: false, status } };
      }
      case 'LeaderRedirect':
        return this.#follow(connection, disposition.leader);
      case 'RequestFailed': {
        const facts = { diagnostics: diagnostics.map(diagnosticOf) };
        const error = new RejectedError(disposition.code, message, facts);
        return { kind: 'failed', error };
      }
    }
  }

  async #byName(
    { origin }: SessionConnection,
    command: PreparedCommand,
    context: AttemptContext,
  ): Promise<Turn<CommandVerdict>> {
    const http = new HttpTransport({ ...this.options, origin });
    return { kind: 'done', value: await http.attempt(command, context) };
  }

  #failureOf(
    result: Exclude<Turn<unknown>, Again | { kind: 'done' }>,
    action: string,
    deadline: CallDeadline,
  ): Error {
    switch (result.kind) {
      case 'failed':
      case 'busy':
      case 'not_sent':
        return result.error;
      case 'unknown':
        return new ConnectError(this.options.origin, result.reason);
      case 'cancelled':
      case 'aborted':
        deadline.throwIfCancelled('in_flight');
        return new DeadlineError(action, deadline.timeoutMs);
    }
  }
}

function notOpen(transaction: string | undefined): Turn<never> {
  const message = `transaction '${transaction}' is not open`;
  return { kind: 'failed', error: new RejectedError('TRANSACTION_STATE', message) };
}
