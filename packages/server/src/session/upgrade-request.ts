import type { IncomingMessage } from 'node:http';
import { API_PATHS } from '@nervix/protocol';
import { FEATURE_LEVEL, SESSION_SUBPROTOCOL } from '@nervix/protocol/session';
import { type Refusal, refusal } from '../http/error-envelope.js';

/** What a client shows to be let into a session. */
export type ShownCredentials =
  | { readonly kind: 'ticket'; readonly ticket: string }
  | { readonly kind: 'authorization'; readonly authorization: string | undefined };

/** Whether a request asks for a session. */
export function asksForSession({ url, headers }: IncomingMessage): boolean {
  const isWebSocket = /^websocket$/i.test(headers.upgrade ?? '');
  return isWebSocket && (url ?? '').split('?', 1)[0] === API_PATHS.session;
}

/** Why a request cannot become a session, whoever sends it; undefined when it can. */
export function upgradeRefusal(request: IncomingMessage): Refusal | undefined {
  return levelRefusal(parametersOf(request)) ?? protocolRefusal(request) ?? originRefusal(request);
}

/** The credentials of a request: a ticket, a parameter for clients without headers, or a header. */
export function shownCredentials(request: IncomingMessage): ShownCredentials {
  const parameters = parametersOf(request);
  const ticket = parameters.get('ticket');
  if (ticket !== null) return { kind: 'ticket', ticket };
  const auth = parameters.get('auth');
  // A plus sign reads as a space in a query.
  const authorization =
    auth === null ? request.headers.authorization : `Basic ${auth.replaceAll(' ', '+')}`;
  return { kind: 'authorization', authorization };
}

function parametersOf({ url = '' }: IncomingMessage): URLSearchParams {
  const start = url.indexOf('?');
  return new URLSearchParams(start < 0 ? '' : url.slice(start + 1));
}

function levelRefusal(parameters: URLSearchParams): Refusal | undefined {
  const level = parameters.get('level') ?? '1';
  if (!/^[1-9]\d{0,8}$/.test(level)) {
    const message = "parameter 'level' must be a whole number from 1";
    return refusal('INVALID_REQUEST', message, { field: 'level' });
  }
  const [lowest, highest] = [Math.max(1, FEATURE_LEVEL - 1), FEATURE_LEVEL + 1];
  if (Number(level) >= lowest && Number(level) <= highest) return undefined;
  return refusal(
    'UNSUPPORTED_LEVEL',
    `client feature level ${level}; this node supports ${lowest} to ${highest}`,
  );
}

function protocolRefusal({ headers }: IncomingMessage): Refusal | undefined {
  const offered = headers['sec-websocket-protocol'];
  if (offered === undefined) return undefined;
  const names = offered.split(',').map((name) => name.trim());
  if (names.includes(SESSION_SUBPROTOCOL)) return undefined;
  return refusal('INVALID_REQUEST', `the subprotocol must be ${SESSION_SUBPROTOCOL}`);
}

/**
 * Browsers add a user's stored credentials to whatever page asks: a page of another origin has to
 * show credentials of its own.
 */
function originRefusal(request: IncomingMessage): Refusal | undefined {
  const { origin, host } = request.headers;
  if (origin === undefined || request.headers.authorization === undefined) return undefined;
  const shown = URL.canParse(origin) ? new URL(origin).host : '';
  if (shown === host) return undefined;
  return refusal('PERMISSION_DENIED', 'a page of another origin must show a ticket');
}
