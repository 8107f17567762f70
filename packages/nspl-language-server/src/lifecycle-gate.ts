import { ErrorCodes, Message, type RequestMessage } from 'vscode-languageserver';

/** How far a session has come. */
export type LifecyclePhase = 'created' | 'initialized' | 'shut down';

/** The answer to what cannot be read as a message. */
export function parseRefusal(): Refusal {
  return refusal(null, ErrorCodes.ParseError);
}

/** An error response to a request. */
export interface Refusal {
  readonly jsonrpc: '2.0';
  readonly id: number | string | null;
  readonly error: { readonly code: number; readonly message: string };
}

/** What becomes of a message: it is worked on, answered with an error, or ignored. */
export type Verdict = 'pass' | 'ignore' | Refusal;

/**
 * Decides which messages the state of the session allows: nothing before `initialize`, nothing but
 * `exit` after `shutdown`, and nothing that is no message at all.
 */
export class LifecycleGate {
  #phase: LifecyclePhase = 'created';

  get phase(): LifecyclePhase {
    return this.#phase;
  }

  judge(message: Message): Verdict {
    if (Message.isRequest(message)) return this.#judgeRequest(message);
    if (Message.isNotification(message)) {
      return this.#phase === 'initialized' || message.method === 'exit' ? 'pass' : 'ignore';
    }
    // The server asks for nothing, so that a response is as unexpected as what is none.
    return Message.isResponse(message) ? 'ignore' : refusal(null, ErrorCodes.InvalidRequest);
  }

  #judgeRequest({ id, method, params }: RequestMessage): Verdict {
    const isFirst = method === 'initialize';
    if (this.#phase === 'created') {
      if (!isFirst) return refusal(id, ErrorCodes.ServerNotInitialized);
      // One that cannot be answered begins no session, so that the next may.
      if (!hasCapabilities(params)) return refusal(id, ErrorCodes.InvalidParams);
      this.#phase = 'initialized';
      return 'pass';
    }
    if (isFirst || this.#phase === 'shut down') return refusal(id, ErrorCodes.InvalidRequest);
    if (method === 'shutdown') this.#phase = 'shut down';
    return 'pass';
  }
}

function hasCapabilities(params: unknown): boolean {
  if (typeof params !== 'object' || params === null) return false;
  const { capabilities } = params as { readonly capabilities?: unknown };
  return typeof capabilities === 'object' && capabilities !== null;
}

const MESSAGES: ReadonlyMap<number, string> = new Map([
  [ErrorCodes.ServerNotInitialized, 'the server has not been initialized'],
  [ErrorCodes.InvalidRequest, 'the request is not possible in this state'],
  [ErrorCodes.InvalidParams, 'initialize needs the capabilities of the client'],
  [ErrorCodes.ParseError, 'the message is no JSON'],
]);

function refusal(id: number | string | null, code: number): Refusal {
  return { jsonrpc: '2.0', id, error: { code, message: MESSAGES.get(code) ?? 'refused' } };
}
