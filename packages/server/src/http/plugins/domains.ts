import { API_PATHS, type DomainList } from '@nervix/protocol';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { ReadReply } from '../../control-plane/control-plane.js';
import { sendError } from '../error-envelope.js';
import { emptyQuerySchema } from '../request-schemas.js';
import type { SessionContext } from '../session-context.js';

interface DomainRoute {
  readonly Params: { readonly domain: string };
}

const schema = { querystring: emptyQuerySchema };
const domainPath = `${API_PATHS.domains}/:domain`;

/** Reads of domains: the list, one domain, its entities and its graph. */
export function domainsPlugin(
  app: FastifyInstance,
  context: SessionContext,
  done: () => void,
): void {
  const { controlPlane } = context;
  app.get(API_PATHS.domains, { schema }, async (_request, reply) => {
    const list: DomainList = { domains: controlPlane.domains() };
    return reply.header('cache-control', 'no-store').send(list);
  });
  app.get<DomainRoute>(domainPath, { schema }, async (request, reply) =>
    sendRead(reply, controlPlane.domain(request.params.domain)),
  );
  app.get<DomainRoute>(`${domainPath}/entities`, { schema }, async (request, reply) =>
    sendRead(reply, controlPlane.entities(request.params.domain)),
  );
  app.get<DomainRoute>(`${domainPath}/graph`, { schema }, async (request, reply) =>
    sendRead(reply, await controlPlane.graph(request.params.domain)),
  );
  done();
}

function sendRead<T>(reply: FastifyReply, answer: ReadReply<T>): FastifyReply {
  return answer.kind === 'found'
    ? reply.header('cache-control', 'no-store').send(answer.value)
    : sendError(reply, answer.error);
}
