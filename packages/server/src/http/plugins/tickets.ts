import { API_PATHS, type SessionTicket } from '@nervix/protocol';
import type { FastifyInstance } from 'fastify';
import { refusal, sendRefusal } from '../error-envelope.js';
import { emptyQuerySchema } from '../request-schemas.js';
import { principalOf, type SessionContext } from '../session-context.js';

/** `POST /api/v1/tickets`: a ticket that opens one session within a minute. */
export function ticketsPlugin(
  app: FastifyInstance,
  { tickets }: SessionContext,
  done: () => void,
): void {
  app.post(API_PATHS.tickets, { schema: { querystring: emptyQuerySchema } }, (request, reply) => {
    const ticket = tickets.sell(principalOf(request));
    if (ticket === undefined) {
      return sendRefusal(reply, refusal('SERVER_BUSY', 'too many tickets wait for their use'));
    }
    const answer: SessionTicket = { ticket };
    return reply.header('cache-control', 'no-store').send(answer);
  });
  done();
}
