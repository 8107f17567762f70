import type { ClientRequest, RequestCancelled } from '@nervix/protocol/session';
import type { AttemptContext, CommandWait } from '../command-call.js';
import type { CommandVerdict } from '../command-verdict.js';
import { ConnectError, RejectedError } from '../errors.js';
import type { RequestEnd } from './in-flight-requests.js';
import type { SessionConnection, TerminalReply } from './session-connection.js';
import { judgeRejection } from './session-refusal.js';

/** A reply that says something of its request. */
export type Answer = Exclude<TerminalReply, { readonly t: 'RequestRejected' | 'RequestCancelled' }>;

/** Turned away before the server admitted anything, for a reason that is gone: ask once more. */
export interface Again {
  readonly kind: 'again';
  readonly error: Error;
}

/** What one request over a session came to. */
export type RequestResult =
  | { readonly kind: 'answered'; readonly answer: Answer }
  | Exclude<CommandVerdict, { kind: 'completed' | 'not_sent' }>
  | Again;

/** What one turn on one session came to. */
export type Turn<T> =
  | { readonly kind: 'done'; readonly value: T }
  | Exclude<CommandVerdict, { kind: 'completed' }>
  | Again;

/** Asks sessions what has no effect of its own. */
export interface SessionQuestions {
  /**
   * Asks again and again until an answer comes.
   *
   * @param turn asks once over one session
   * @throws ClientError when it is refused, or not answered in time
   */
  ask<T>(
    action: string,
    wait: CommandWait,
    turn: (connection: SessionConnection, context: AttemptContext) => Promise<Turn<T>>,
  ): Promise<T>;
}

/** How long to wait for a reply, and whether to ask the server to cancel (CL-23). */
interface Wait {
  readonly signal: AbortSignal;
  readonly sent: (id: bigint) => void;
  readonly stop: () => void;
}

function plainWait({ signal }: AttemptContext): Wait {
  return { signal, sent: () => undefined, stop: () => undefined };
}

/** A caller who aborts asks the server to cancel, and still waits for what comes of that. */
function cancellingWait(connection: SessionConnection, context: AttemptContext): Wait {
  const unsent = new AbortController();
  const timeout = AbortSignal.timeout(Math.ceil(context.deadline.remainingMs));
  const signal = AbortSignal.any([timeout, unsent.signal]);
  let id: bigint | undefined;
  const cancel = (): void => {
    if (id === undefined) unsent.abort();
    else void connection.cancel(id, signal);
  };
  context.signal.addEventListener('abort', cancel, { once: true });
  return {
    signal,
    sent: (given) => {
      id = given;
    },
    stop: () => context.signal.removeEventListener('abort', cancel),
  };
}

function stageOf({ stage }: RequestCancelled): 'before_admission' | 'in_flight' {
  return stage === 'BeforeAdmission' ? 'before_admission' : 'in_flight';
}

function judgeEnd(
  connection: SessionConnection,
  end: RequestEnd<TerminalReply>,
  { deadline }: AttemptContext,
  executionReference: string | undefined,
): RequestResult {
  switch (end.kind) {
    case 'replied': {
      const { reply } = end;
      if (reply.t === 'RequestRejected') return judgeRejection(reply, executionReference);
      if (reply.t === 'RequestCancelled') return { kind: 'cancelled', stage: stageOf(reply) };
      return { kind: 'answered', answer: reply };
    }
    case 'interrupted':
      if (end.isSent) return { kind: 'unknown', reason: end.reason, atLeastMs: 0 };
      return { kind: 'again', error: new ConnectError(connection.origin, end.reason) };
    case 'too_large': {
      const message = `the request takes ${end.bytes} bytes, and the server takes fewer`;
      const facts = executionReference === undefined ? {} : { executionReference };
      return { kind: 'failed', error: new RejectedError('PAYLOAD_TOO_LARGE', message, facts) };
    }
    case 'aborted':
      // A session that does not answer in time is not waited for again (CL-47).
      if (end.isSent && !deadline.isCancelled)
        connection.fail('a request was not answered in time');
      return end;
  }
}

/** What is known of a request beside what it asks. */
export interface RequestFacts {
  /** Of the command that it carries. */
  readonly executionReference?: string;
  /** Told of the reply before anything else is read. */
  readonly replied?: (reply: TerminalReply) => void;
}

/** Sends one request over a session, once, and waits for what comes of it. Never rejects. */
export async function requestOver(
  connection: SessionConnection,
  request: ClientRequest,
  context: AttemptContext,
  { executionReference, replied }: RequestFacts = {},
): Promise<RequestResult> {
  const wait = context.isCancelling ? cancellingWait(connection, context) : plainWait(context);
  try {
    const { sent } = wait;
    const end = await connection.request(request, wait.signal, { sent, replied });
    return judgeEnd(connection, end, context, executionReference);
  } catch (error) {
    if (error instanceof RejectedError) return { kind: 'failed', error };
    throw error;
  } finally {
    wait.stop();
  }
}

/** A reply of another kind than the request asks for ends the session. */
export function violation(
  connection: SessionConnection,
  answer: Answer,
): Extract<CommandVerdict, { kind: 'unknown' }> {
  const reason = `protocol violation: ${answer.t} answers another request`;
  connection.fail(reason);
  return { kind: 'unknown', reason, atLeastMs: 0 };
}
