import {
  API_PATHS,
  type CommandOutcome,
  type CommandRequest,
  type PreviewIdentity,
} from '@nervix/protocol';
import { CallDeadline } from './call-deadline.js';
import type { ResolvedOptions } from './connect-options.js';
import {
  AuthenticationError,
  CancelledError,
  ConnectError,
  DeadlineError,
  ProtocolViolationError,
  RejectedError,
  UncertainError,
} from './errors.js';
import {
  type ExchangeResult,
  exchange,
  isErrorCode,
  readErrorBody,
  rejection,
} from './http-exchange.js';

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

type Answered = Extract<ExchangeResult, { kind: 'answered' }>;

/** What one answer means for the command. */
type Verdict =
  | { readonly kind: 'completed'; readonly outcome: CommandOutcome }
  | { readonly kind: 'failed'; readonly error: Error }
  /** Nothing new is known: ask again, after a pause. */
  | { readonly kind: 'unknown'; readonly reason: string; readonly atLeastMs: number }
  /** This attempt was turned away before admission. */
  | { readonly kind: 'busy'; readonly error: Error; readonly atLeastMs: number };

function requestBody(command: PreparedCommand): string {
  const body: CommandRequest = {
    query: command.query,
    execution_reference: command.executionReference,
    ...(command.domain === undefined ? {} : { domain: command.domain }),
    ...(command.transaction === undefined ? {} : { transaction: command.transaction }),
    ...(command.expectedTransactionPosition === undefined
      ? {}
      : { expected_transaction_position: command.expectedTransactionPosition }),
    ...(command.expectedPreview === undefined ? {} : { expected_preview: command.expectedPreview }),
  };
  return JSON.stringify(body);
}

function readOutcome(body: unknown): CommandOutcome | undefined {
  const outcome = body as Partial<CommandOutcome> | null | undefined;
  if (typeof outcome?.message !== 'string') return undefined;
  if (typeof outcome.disposition?.t !== 'string') return undefined;
  return { ...(outcome as CommandOutcome), diagnostics: outcome.diagnostics ?? [] };
}

function judgeOutcome(answer: Answered, outcome: CommandOutcome): Verdict {
  const { disposition } = outcome;
  switch (disposition.t) {
    case 'CommandCompleted':
      return { kind: 'completed', outcome };
    case 'OutcomeUnknown':
      return {
        kind: 'unknown',
        reason:
          disposition.cause === 'StillApplying'
            ? 'it is still being applied'
            : 'leadership was lost',
        atLeastMs: answer.retryAfterMs ?? 0,
      };
    case 'RequestFailed':
      return {
        kind: 'failed',
        error: new RejectedError(disposition.code, outcome.message, {
          httpStatus: answer.status,
          diagnostics: outcome.diagnostics,
          executionReference: outcome.execution_reference,
          ...(outcome.statements === undefined ? {} : { statements: outcome.statements }),
          ...(outcome.transaction === undefined ? {} : { transaction: outcome.transaction }),
        }),
      };
    case 'PreviewStale':
      return {
        kind: 'failed',
        error: new RejectedError('PREVIEW_STALE', outcome.message, {
          httpStatus: answer.status,
          diagnostics: outcome.diagnostics,
          executionReference: outcome.execution_reference,
          stale: { expected: disposition.expected, current: disposition.current },
        }),
      };
    default:
      return { kind: 'unknown', reason: 'the answer has an unknown disposition', atLeastMs: 0 };
  }
}

function judgeRefusal(options: ResolvedOptions, answer: Answered): Verdict {
  const { status, retryAfterMs: atLeastMs = 0 } = answer;
  if (status === 401) {
    return { kind: 'failed', error: new AuthenticationError(options.origin, options.user) };
  }
  const error = readErrorBody(answer.body);
  if (error === undefined || !isErrorCode(error.code)) {
    const violation = new ProtocolViolationError(
      `${options.origin} answered ${status} without an error of the protocol`,
    );
    if (status === 503 || status === 429) return { kind: 'busy', error: violation, atLeastMs };
    // An intermediary's 502 or 504 says nothing about what the server did.
    if (status >= 500) return { kind: 'unknown', reason: violation.message, atLeastMs };
    return { kind: 'failed', error: violation };
  }
  if (error.code === 'OUTCOME_UNKNOWN')
    return { kind: 'unknown', reason: error.message, atLeastMs };
  const refused = rejection(status, error);
  if (error.code === 'SERVER_BUSY' || status === 429) {
    return { kind: 'busy', error: refused, atLeastMs };
  }
  return { kind: 'failed', error: refused };
}

function judge(options: ResolvedOptions, answer: Answered): Verdict {
  const isSuccess = answer.status >= 200 && answer.status < 300;
  if (!isSuccess) return judgeRefusal(options, answer);
  const outcome = readOutcome(answer.body);
  if (outcome !== undefined) return judgeOutcome(answer, outcome);
  const error = readErrorBody(answer.body);
  const reason = error?.message ?? `the answer with status ${answer.status} cannot be read`;
  return { kind: 'unknown', reason, atLeastMs: answer.retryAfterMs ?? 0 };
}

/** Refusals that come before the server looks at a command, so they settle no earlier attempt. */
function settlesEarlierAttempts(error: Error): boolean {
  if (!(error instanceof RejectedError)) return false;
  return (
    error.code !== 'EXECUTION_REFERENCE_EXPIRED' &&
    error.code !== 'PERMISSION_DENIED' &&
    error.httpStatus !== 503
  );
}

/** Runs one prepared command to a final answer, under the one reference it has. */
class CommandCall {
  readonly #options: ResolvedOptions;
  readonly #command: PreparedCommand;
  readonly #deadline: CallDeadline;
  readonly #request: { readonly method: 'POST'; readonly path: string; readonly body: string };
  /** Why the command may have been admitted without our knowing, once that is so. */
  #doubt: string | undefined;
  #lastError: Error | undefined;

  constructor(options: ResolvedOptions, command: PreparedCommand, signal?: AbortSignal) {
    this.#options = options;
    this.#command = command;
    this.#deadline = new CallDeadline(options.requestTimeoutMs, signal);
    this.#request = { method: 'POST', path: API_PATHS.commands, body: requestBody(command) };
  }

  async run(): Promise<CommandOutcome> {
    this.#deadline.throwIfCancelled('before_send');
    for (;;) {
      const result = await exchange(this.#options, this.#request, this.#deadline.attemptSignal());
      const outcome = await this.#take(result);
      if (outcome !== undefined) return outcome;
      this.#throwIfCancelled();
    }
  }

  /** Takes in one attempt: an outcome, a thrown end, or undefined after the pause for the next. */
  async #take(result: ExchangeResult): Promise<CommandOutcome | undefined> {
    switch (result.kind) {
      case 'answered':
        return this.#takeVerdict(judge(this.#options, result));
      case 'not_sent':
        this.#lastError = new ConnectError(this.#options.origin, result.reason, result);
        await this.#pauseOrEnd(0, this.#isInDoubt ? undefined : this.#options.connectTimeoutMs);
        return undefined;
      case 'lost':
        this.#doubt = result.reason;
        this.#lastError = undefined;
        await this.#pauseOrEnd(0);
        return undefined;
      case 'aborted':
        this.#doubt ??= `no answer came within ${this.#deadline.timeoutMs} ms`;
        this.#throwIfCancelled();
        throw this.#ending();
    }
  }

  async #takeVerdict(verdict: Verdict): Promise<CommandOutcome | undefined> {
    switch (verdict.kind) {
      case 'completed':
        return verdict.outcome;
      case 'failed':
        this.#lastError = verdict.error;
        throw settlesEarlierAttempts(verdict.error) ? verdict.error : this.#ending();
      case 'unknown':
        this.#doubt = verdict.reason;
        this.#lastError = undefined;
        await this.#pauseOrEnd(verdict.atLeastMs);
        return undefined;
      case 'busy':
        this.#lastError = verdict.error;
        await this.#pauseOrEnd(verdict.atLeastMs);
        return undefined;
    }
  }

  get #isInDoubt(): boolean {
    return this.#doubt !== undefined;
  }

  async #pauseOrEnd(atLeastMs: number, untilMs?: number): Promise<void> {
    const hasTime = await this.#deadline.pause(atLeastMs, untilMs);
    if (!hasTime) throw this.#ending();
  }

  #throwIfCancelled(): void {
    if (!this.#deadline.isCancelled) return;
    if (!this.#isInDoubt) throw new CancelledError('before_send');
    throw new CancelledError('in_flight', this.#command.executionReference);
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
  options: ResolvedOptions,
  command: PreparedCommand,
  signal?: AbortSignal,
): Promise<CommandOutcome> {
  return new CommandCall(options, command, signal).run();
}
