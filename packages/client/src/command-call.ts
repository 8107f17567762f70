import type { CommandOutcome, PreviewIdentity } from '@nervix/protocol';
import { CallDeadline } from './call-deadline.js';
import type { CommandVerdict } from './command-verdict.js';
import type { ResolvedOptions } from './connect-options.js';
import {
  type CancellationStage,
  CancelledError,
  DeadlineError,
  RejectedError,
  UncertainError,
} from './errors.js';

/** A command frozen for all its attempts. */
export interface PreparedCommand {
  readonly executionReference: string;
  readonly query: string;
  readonly domain?: string;
  readonly transaction?: string;
  readonly expectedTransactionPosition?: number;
  readonly expectedPreview?: PreviewIdentity;
  /** Whether an earlier call may already have sent it. */
  readonly isRepetition: boolean;
}

/** How a caller waits for a command. */
export interface CommandWait {
  /** Ends the waiting. */
  readonly signal?: AbortSignal;
  /** Whether the signal also asks the server to cancel; only sessions can. */
  readonly cancel?: boolean;
}

/** What bounds one attempt. */
export interface AttemptContext {
  /** The caller's, or the end of the time. */
  readonly signal: AbortSignal;
  readonly deadline: CallDeadline;
  /** Whether a caller who aborts wants the server to cancel what it has not admitted. */
  readonly isCancelling: boolean;
}

/** Brings a command to the server once, and says what came of it. Never rejects. */
export interface CommandTransport {
  readonly options: ResolvedOptions;
  attempt(command: PreparedCommand, context: AttemptContext): Promise<CommandVerdict>;
}

/**
 * Age at which a command is sent no more, in milliseconds: servers keep what a reference came to for
 * 15 minutes, and later could only tell that they do not know any more (CL-32).
 */
const REPEATED_UNTIL_MS = 600_000;

/** Refusals that come before the server looks at a command, so they settle no earlier attempt. */
const UNSETTLING_CODES: ReadonlySet<string> = new Set([
  'EXECUTION_REFERENCE_EXPIRED',
  'PAYLOAD_TOO_LARGE',
  'PERMISSION_DENIED',
  'TRANSACTION_DETACHED',
  'TRANSACTION_TAKEN_OVER',
]);

function settlesEarlierAttempts(error: Error): boolean {
  if (!(error instanceof RejectedError)) return false;
  return !UNSETTLING_CODES.has(error.code) && error.httpStatus !== 503;
}

/** Runs one prepared command to a final answer, under the one reference it has. */
class CommandCall {
  readonly #transport: CommandTransport;
  readonly #command: PreparedCommand;
  readonly #deadline: CallDeadline;
  readonly #isCancelling: boolean;
  /** Why the command may have been admitted without our knowing, once that is so. */
  #doubt: string | undefined;
  #lastError: Error | undefined;

  constructor(transport: CommandTransport, command: PreparedCommand, wait: CommandWait) {
    this.#transport = transport;
    this.#command = command;
    this.#isCancelling = wait.cancel ?? false;
    this.#deadline = new CallDeadline(transport.options.requestTimeoutMs, wait.signal);
  }

  async run(): Promise<CommandOutcome> {
    this.#deadline.throwIfCancelled('before_send');
    for (;;) {
      const verdict = await this.#transport.attempt(this.#command, {
        signal: this.#deadline.attemptSignal(),
        deadline: this.#deadline,
        isCancelling: this.#isCancelling,
      });
      if (verdict.kind === 'completed') return verdict.outcome;
      await this.#take(verdict);
      this.#throwIfCancelled();
    }
  }

  /** Takes in one attempt that has no outcome: throws the end, or pauses before the next. */
  async #take(verdict: Exclude<CommandVerdict, { kind: 'completed' }>): Promise<void> {
    switch (verdict.kind) {
      case 'failed':
        this.#lastError = verdict.error;
        throw settlesEarlierAttempts(verdict.error) ? verdict.error : this.#ending();
      case 'unknown':
        this.#doubt = verdict.reason;
        this.#lastError = undefined;
        await this.#pauseOrEnd(verdict.atLeastMs);
        return;
      case 'busy':
        this.#lastError = verdict.error;
        await this.#pauseOrEnd(verdict.atLeastMs);
        return;
      case 'not_sent':
        this.#lastError = verdict.error;
        await this.#pauseOrEnd(
          0,
          this.#isInDoubt ? undefined : this.#transport.options.connectTimeoutMs,
        );
        return;
      case 'cancelled':
        throw this.#cancelled(verdict.stage);
      case 'aborted':
        if (verdict.isSent) {
          this.#doubt ??= `no answer came within ${this.#deadline.timeoutMs} ms`;
        }
        this.#throwIfCancelled();
        throw this.#ending();
    }
  }

  get #isInDoubt(): boolean {
    return this.#doubt !== undefined;
  }

  async #pauseOrEnd(atLeastMs: number, untilMs: number = REPEATED_UNTIL_MS): Promise<void> {
    const hasTime = await this.#deadline.pause(atLeastMs, Math.min(untilMs, REPEATED_UNTIL_MS));
    if (!hasTime) throw this.#ending();
  }

  #throwIfCancelled(): void {
    if (this.#deadline.isCancelled) throw this.#cancelled('before_send');
  }

  /** An earlier attempt may still have been admitted, whatever became of the last one. */
  #cancelled(stage: CancellationStage): CancelledError {
    if (!this.#isInDoubt && stage !== 'in_flight') return new CancelledError(stage);
    return new CancelledError('in_flight', this.#command.executionReference);
  }

  #uncertain(cause: Error | undefined): UncertainError {
    const doubt = this.#doubt ?? 'an earlier attempt was not answered';
    const reason = cause === undefined ? doubt : `${doubt}; then ${cause.message}`;
    return new UncertainError(this.#command.executionReference, reason, { cause });
  }

  /** The error of a call whose time is over. */
  #ending(): Error {
    const isOldDoubt = this.#command.isRepetition && this.#lastError instanceof RejectedError;
    if (this.#isInDoubt || isOldDoubt) return this.#uncertain(this.#lastError);
    return this.#lastError ?? new DeadlineError('the command', this.#deadline.timeoutMs);
  }
}

/**
 * Sends a command until a final answer comes, always under its one reference.
 *
 * @throws UncertainError when it may have been admitted and no answer settled it in time
 */
export function callCommand(
  transport: CommandTransport,
  command: PreparedCommand,
  wait: CommandWait = {},
): Promise<CommandOutcome> {
  return new CommandCall(transport, command, wait).run();
}
