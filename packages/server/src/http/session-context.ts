import type { FastifyRequest } from 'fastify';
import type { SessionTickets } from '../auth/session-tickets.js';
import type { ControlPlane, Principal } from '../control-plane/control-plane.js';
import type { Logger } from '../logging/logger.js';
import type { SessionCounts } from '../observability/session-counts.js';
import type { RowResponse } from './row-response.js';

/** What the plugins of the session listener share. */
export interface SessionContext {
  readonly controlPlane: ControlPlane;
  readonly logger: Logger;
  readonly commentIntervalMs: number;
  /** Row streams being sent, to end them when the listener closes. */
  readonly rowResponses: Set<RowResponse>;
  readonly counts: SessionCounts;
  readonly tickets: SessionTickets;
  /** Unix milliseconds. */
  now(): number;
}

/** Name under which a request carries its {@link Principal}. */
export const PRINCIPAL = 'principal';

/** The authenticated user of a request. */
export function principalOf(request: FastifyRequest): Principal {
  return request.getDecorator<Principal>(PRINCIPAL);
}
