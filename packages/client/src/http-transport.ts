import {
  API_PATHS,
  type CommandOutcome,
  type CommandRequest,
  type TransactionState,
  type TransactionStatus,
} from '@nervix/protocol';
import type { ClientTransport, TransactionTransport } from './client-transport.js';
import {
  type AttemptContext,
  type CommandTransport,
  type CommandWait,
  callCommand,
  type PreparedCommand,
} from './command-call.js';
import { type CommandVerdict, judgeOutcome } from './command-verdict.js';
import type { ResolvedOptions } from './connect-options.js';
import {
  AuthenticationError,
  ConnectError,
  InvalidOptionsError,
  ProtocolViolationError,
} from './errors.js';
import { newExecutionReference } from './execution-reference.js';
import {
  type ExchangeResult,
  exchange,
  type HttpRequest,
  isErrorCode,
  readErrorBody,
  rejection,
} from './http-exchange.js';
import { openSubscription, type SubscribeOptions, type Subscription } from './subscription.js';
import type { Suggestion } from './suggestions.js';

type Answered = Extract<ExchangeResult, { kind: 'answered' }>;

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

function judgeRefusal(options: ResolvedOptions, answer: Answered): CommandVerdict {
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

/** Sends one request of a command, and says what came of it. Never rejects. */
export async function attemptCommand(
  options: ResolvedOptions,
  request: HttpRequest,
  signal: AbortSignal,
): Promise<CommandVerdict> {
  const result = await exchange(options, request, signal);
  switch (result.kind) {
    case 'answered':
      return judge(options, result);
    case 'not_sent':
      return { kind: 'not_sent', error: new ConnectError(options.origin, result.reason, result) };
    case 'lost':
      return { kind: 'unknown', reason: result.reason, atLeastMs: 0 };
    case 'aborted':
      return { kind: 'aborted', isSent: true };
  }
}

function judge(options: ResolvedOptions, answer: Answered): CommandVerdict {
  const { status, retryAfterMs } = answer;
  const isSuccess = status >= 200 && status < 300;
  if (!isSuccess) return judgeRefusal(options, answer);
  const outcome = readOutcome(answer.body);
  if (outcome !== undefined) {
    const pause = retryAfterMs === undefined ? {} : { retryAfterMs };
    return judgeOutcome(outcome, { httpStatus: status, ...pause });
  }
  const error = readErrorBody(answer.body);
  const reason = error?.message ?? `the answer with status ${status} cannot be read`;
  return { kind: 'unknown', reason, atLeastMs: retryAfterMs ?? 0 };
}

/** Of the states that a report names. */
const STATES: Readonly<Record<string, TransactionState>> = {
  OPEN: 'Open',
  COMMITTING: 'Committing',
  COMMITTED: 'Committed',
  FAILED: 'Failed',
  REVERTED: 'Reverted',
  EXPIRED: 'Expired',
};

/**
 * Sends commands as requests of the HTTP API; each attempt is a request of its own, and names its
 * transaction. Nothing is held open.
 */
export class HttpTransport implements ClientTransport, TransactionTransport {
  readonly options: ResolvedOptions;

  constructor(options: ResolvedOptions) {
    this.options = options;
  }

  get commands(): CommandTransport {
    return this;
  }

  transaction(): TransactionTransport {
    return this;
  }

  /** Requests name their transaction, so attaching is reading it. */
  async attach(id: string, wait: CommandWait): Promise<TransactionStatus> {
    const { inspection } = await callCommand(
      this,
      {
        query: `DESCRIBE TRANSACTION '${id}' FORMAT JSON`,
        executionReference: newExecutionReference(),
        isRepetition: false,
      },
      wait,
    );
    const standing = inspection?.transaction ?? {};
    const { domain, state, accepted_operations, applied_operations } = standing;
    const known = STATES[String(state)];
    if (
      known === undefined ||
      typeof domain !== 'string' ||
      typeof accepted_operations !== 'number' ||
      typeof applied_operations !== 'number'
    ) {
      throw new ProtocolViolationError('the report of a transaction does not say how it stands');
    }
    return { id, domain, state: known, accepted_operations, applied_operations };
  }

  subscribe(domain: string, options: SubscribeOptions): Promise<Subscription> {
    return openSubscription(this.options, domain, options);
  }

  suggest(): Promise<readonly Suggestion[]> {
    const reason = "completion needs a session: connect with `transport: 'session'`";
    return Promise.reject(new InvalidOptionsError(reason));
  }

  release(): void {}

  async close(): Promise<void> {}

  attempt(
    command: PreparedCommand,
    { signal }: Pick<AttemptContext, 'signal'>,
  ): Promise<CommandVerdict> {
    const body = requestBody(command);
    const request = { method: 'POST', path: API_PATHS.commands, body } as const;
    return attemptCommand(this.options, request, signal);
  }
}
