import { NervixError } from '@nervix/model';
import type {
  ErrorCode,
  StalePreview,
  StatementOutcome,
  TransactionStatus,
  WireDiagnostic,
} from '@nervix/protocol';

/** Codes of the errors that the client itself finds. */
export type ClientErrorCode =
  | 'CLIENT_CONNECT_FAILED'
  | 'CLIENT_AUTHENTICATION_FAILED'
  | 'CLIENT_OUTCOME_UNCERTAIN'
  | 'CLIENT_DEADLINE_EXCEEDED'
  | 'CLIENT_CANCELLED'
  | 'CLIENT_PROTOCOL_VIOLATED'
  | 'CLIENT_STREAM_INTERRUPTED'
  | 'CLIENT_SESSION_ENDED'
  | 'CLIENT_REDIRECT_REFUSED'
  | 'CLIENT_INVALID_OPTIONS';

/** Every client error code with what it means; the codes are public API. */
export const CLIENT_ERROR_CODES: Readonly<Record<ClientErrorCode, string>> = {
  CLIENT_CONNECT_FAILED: 'no connection to the server; nothing was admitted',
  CLIENT_AUTHENTICATION_FAILED: 'the server refused the credentials',
  CLIENT_OUTCOME_UNCERTAIN: 'a command was sent and its outcome is unknown',
  CLIENT_DEADLINE_EXCEEDED: 'the time ran out before a command could be admitted',
  CLIENT_CANCELLED: 'the caller stopped waiting',
  CLIENT_PROTOCOL_VIOLATED: 'the server answered outside of the protocol',
  CLIENT_STREAM_INTERRUPTED: 'a row stream broke off without its closing record',
  CLIENT_SESSION_ENDED: 'the client was closed, or its session ended, before a request was sent',
  CLIENT_REDIRECT_REFUSED: 'the server names a leader that may not be followed',
  CLIENT_INVALID_OPTIONS: 'an option of the client cannot be used',
};

/** What led to an error. */
export interface ErrorCause {
  readonly cause?: unknown;
}

/** No server answered. Whatever was asked for did not begin. */
export class ConnectError extends NervixError<'CLIENT_CONNECT_FAILED'> {
  override readonly name = 'ConnectError';
  readonly server: string;

  constructor(server: string, reason: string, options: ErrorCause = {}) {
    super('CLIENT_CONNECT_FAILED', `cannot connect to ${server}: ${reason}`, {
      ...options,
      retryable: true,
      details: { server },
    });
    this.server = server;
  }
}

/** The server refused the user name or the password. Never retried by the client. */
export class AuthenticationError extends NervixError<'CLIENT_AUTHENTICATION_FAILED'> {
  override readonly name = 'AuthenticationError';

  constructor(server: string, user: string) {
    super('CLIENT_AUTHENTICATION_FAILED', `${server} refused the credentials of user '${user}'`, {
      details: { server, user },
    });
  }
}

/** What an error answer of the server holds beside its code and message. */
export interface RejectionFacts extends ErrorCause {
  readonly httpStatus?: number;
  readonly diagnostics?: readonly WireDiagnostic[];
  readonly field?: string;
  readonly executionReference?: string;
  readonly statements?: readonly StatementOutcome[];
  readonly transaction?: TransactionStatus;
  readonly stale?: StalePreview;
}

/** The server refused a request, or a command failed for good. `code` is the server's code. */
export class RejectedError extends NervixError<ErrorCode> {
  override readonly name = 'RejectedError';
  readonly diagnostics: readonly WireDiagnostic[];
  readonly httpStatus: number | undefined;
  readonly field: string | undefined;
  readonly executionReference: string | undefined;
  /** Outcome of every statement of a request that had several. */
  readonly statements: readonly StatementOutcome[] | undefined;
  /** State of the transaction that the request worked on, where the server reported it. */
  readonly transaction: TransactionStatus | undefined;
  /** Of a commit whose preview no longer holds: what it expected, and what holds now. */
  readonly stale: StalePreview | undefined;

  constructor(code: ErrorCode, message: string, facts: RejectionFacts = {}) {
    super(code, message, {
      cause: facts.cause,
      details: {
        ...(facts.field === undefined ? {} : { field: facts.field }),
        ...(facts.executionReference === undefined
          ? {}
          : { executionReference: facts.executionReference }),
      },
    });
    this.diagnostics = facts.diagnostics ?? [];
    this.httpStatus = facts.httpStatus;
    this.field = facts.field;
    this.executionReference = facts.executionReference;
    this.statements = facts.statements;
    this.transaction = facts.transaction;
    this.stale = facts.stale;
  }
}

/**
 * A command may or may not have taken effect. Repeating the same text with the same
 * `executionReference` finds out and never runs it a second time.
 */
export class UncertainError extends NervixError<'CLIENT_OUTCOME_UNCERTAIN'> {
  override readonly name = 'UncertainError';
  readonly executionReference: string;

  constructor(executionReference: string, reason: string, options: ErrorCause = {}) {
    super(
      'CLIENT_OUTCOME_UNCERTAIN',
      `the outcome of command ${executionReference} is unknown: ${reason}`,
      { ...options, retryable: true, details: { executionReference } },
    );
    this.executionReference = executionReference;
  }
}

/** The time of a call ran out while nothing of it could have been admitted. */
export class DeadlineError extends NervixError<'CLIENT_DEADLINE_EXCEEDED'> {
  override readonly name = 'DeadlineError';

  constructor(action: string, timeoutMs: number, options: ErrorCause = {}) {
    super('CLIENT_DEADLINE_EXCEEDED', `${action} did not finish within ${timeoutMs} ms`, {
      ...options,
      retryable: true,
      details: { timeoutMs },
    });
  }
}

/**
 * When the caller's signal fired: before anything was sent, before the server admitted what was sent
 * (it has no effect then, now or later), or while an answer was awaited.
 */
export type CancellationStage = 'before_send' | 'before_admission' | 'in_flight';

const STAGE_TEXTS: Readonly<Record<CancellationStage, string>> = {
  before_send: 'before anything was sent',
  before_admission: 'before the server admitted it',
  in_flight: 'while awaiting the answer',
};

/**
 * The caller's signal stopped the waiting. A command in flight is not cancelled by that: its
 * outcome can still be learned under `executionReference`.
 */
export class CancelledError extends NervixError<'CLIENT_CANCELLED'> {
  override readonly name = 'CancelledError';
  readonly stage: CancellationStage;
  readonly executionReference: string | undefined;

  constructor(stage: CancellationStage, executionReference?: string) {
    super('CLIENT_CANCELLED', `the call was cancelled ${STAGE_TEXTS[stage]}`, {
      details: { stage, ...(executionReference === undefined ? {} : { executionReference }) },
    });
    this.stage = stage;
    this.executionReference = executionReference;
  }
}

/** The answer did not follow the protocol; usually something else listens at the address. */
export class ProtocolViolationError extends NervixError<'CLIENT_PROTOCOL_VIOLATED'> {
  override readonly name = 'ProtocolViolationError';

  constructor(message: string, options: ErrorCause = {}) {
    super('CLIENT_PROTOCOL_VIOLATED', message, options);
  }
}

/** A row stream broke off. Rows published since then were not received. */
export class StreamInterruptedError extends NervixError<'CLIENT_STREAM_INTERRUPTED'> {
  override readonly name = 'StreamInterruptedError';

  constructor(relay: string, reason: string, options: ErrorCause = {}) {
    super('CLIENT_STREAM_INTERRUPTED', `the row stream of relay '${relay}' broke off: ${reason}`, {
      ...options,
      retryable: true,
      details: { relay },
    });
  }
}

/** The session over which a request was to go is over; nothing of the request was sent. */
export class SessionEndedError extends NervixError<'CLIENT_SESSION_ENDED'> {
  override readonly name = 'SessionEndedError';

  constructor(reason: string, options: ErrorCause = {}) {
    super('CLIENT_SESSION_ENDED', `the session is over: ${reason}`, options);
  }
}

/** A server named a leader that this client does not follow, such as `http` from `https`. */
export class RedirectRefusedError extends NervixError<'CLIENT_REDIRECT_REFUSED'> {
  override readonly name = 'RedirectRefusedError';
  /** Origin that the client refuses to follow. */
  readonly target: string;

  constructor(server: string, target: string, reason: string) {
    super('CLIENT_REDIRECT_REFUSED', `${server} names the leader '${target}': ${reason}`, {
      details: { server, target },
    });
    this.target = target;
  }
}

/** An option cannot be used as it is, such as a server address with a path. */
export class InvalidOptionsError extends NervixError<'CLIENT_INVALID_OPTIONS'> {
  override readonly name = 'InvalidOptionsError';

  constructor(message: string, options: ErrorCause = {}) {
    super('CLIENT_INVALID_OPTIONS', message, options);
  }
}

/** Every error that a client call rejects with. */
export type ClientError =
  | ConnectError
  | AuthenticationError
  | RejectedError
  | UncertainError
  | DeadlineError
  | CancelledError
  | ProtocolViolationError
  | StreamInterruptedError
  | SessionEndedError
  | RedirectRefusedError
  | InvalidOptionsError;
