import { API_PATHS } from '@nervix/protocol';
import type { CommandVerdict } from '../command-verdict.js';
import type { ResolvedOptions } from '../connect-options.js';
import { AuthenticationError, ConnectError } from '../errors.js';
import { type ExchangeResult, exchange } from '../http-exchange.js';
import { refusalOf } from '../read-call.js';
import { type ConnectionSettings, SessionConnection } from './session-connection.js';

/** What became of opening a session at one of several nodes; no command was sent by it. */
export type SessionOpening =
  | { readonly kind: 'open'; readonly connection: SessionConnection }
  | Extract<CommandVerdict, { kind: 'failed' | 'busy' | 'not_sent' }>
  | { readonly kind: 'aborted' };

/** What is told of a session beside its replies. */
export type SessionEvents = Pick<ConnectionSettings, 'observe' | 'ended'>;

type Ticket = { readonly kind: 'ticket'; readonly ticket: string } | NotOpened;
type NotOpened = Exclude<SessionOpening, { kind: 'open' }>;

function sessionUrl(origin: string, ticket: string): string {
  const url = new URL(API_PATHS.session, origin);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  url.searchParams.set('ticket', ticket);
  return url.href;
}

function readTicket(options: ResolvedOptions, result: ExchangeResult): Ticket {
  if (result.kind === 'aborted') return result;
  if (result.kind !== 'answered') {
    return { kind: 'not_sent', error: new ConnectError(options.origin, result.reason, result) };
  }
  const ticket = (result.body as { readonly ticket?: unknown } | null | undefined)?.ticket;
  if (result.status === 200 && typeof ticket === 'string') return { kind: 'ticket', ticket };
  const error = refusalOf(options, result.status, result.body);
  if (result.status !== 503 && result.status !== 429) return { kind: 'failed', error };
  return { kind: 'busy', error, atLeastMs: result.retryAfterMs ?? 0 };
}

/**
 * Opens a session at one node. The credentials go by a request that says what became of them, and
 * buys a ticket: the WebSocket of browsers takes no headers, and none tells why it did not open.
 */
async function openAt(
  options: ResolvedOptions,
  events: SessionEvents,
  signal: AbortSignal,
): Promise<SessionOpening> {
  const { origin, connectTimeoutMs, keepaliveMs } = options;
  const timeout = AbortSignal.timeout(Math.ceil(connectTimeoutMs));
  const attempt = AbortSignal.any([signal, timeout]);
  const request = { method: 'POST', path: API_PATHS.tickets } as const;
  const ticket = readTicket(options, await exchange(options, request, attempt));
  if (ticket.kind !== 'ticket') return ticket.kind === 'aborted' ? gaveUp() : ticket;
  const url = sessionUrl(origin, ticket.ticket);
  const opening = await SessionConnection.open({ origin, url, keepaliveMs, ...events }, attempt);
  if (opening.kind === 'open') return opening;
  if (opening.kind === 'aborted') return gaveUp();
  return { kind: 'not_sent', error: new ConnectError(origin, opening.reason) };

  function gaveUp(): SessionOpening {
    if (signal.aborted) return { kind: 'aborted' };
    const reason = `no session opened within ${connectTimeoutMs} ms`;
    return { kind: 'not_sent', error: new ConnectError(origin, reason) };
  }
}

/** Whether other nodes would give the same answer. */
function isEverywhere(opening: SessionOpening): boolean {
  if (opening.kind === 'open' || opening.kind === 'aborted') return true;
  return opening.kind === 'failed' && opening.error instanceof AuthenticationError;
}

/**
 * Opens a session at the first of several nodes that takes it.
 *
 * @param origins nodes in the order in which they are tried, at least one
 */
export async function openSession(
  options: ResolvedOptions,
  origins: readonly string[],
  events: SessionEvents,
  signal: AbortSignal,
): Promise<SessionOpening> {
  let last: SessionOpening = { kind: 'aborted' };
  for (const origin of origins) {
    last = await openAt({ ...options, origin }, events, signal);
    if (isEverywhere(last)) return last;
  }
  return last;
}
