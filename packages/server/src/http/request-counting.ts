import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { SessionCounts } from '../observability/session-counts.js';
import { failureOf } from './error-envelope.js';
import { openApiDocument } from './openapi-document.js';

/** How a request is counted that is no operation of the API. */
export const NO_OPERATION = '-';

const COMPLETED = 'COMPLETED';

type Operations = Readonly<Record<string, { readonly operationId: string } | undefined>>;
const paths = openApiDocument['paths'] as Readonly<Record<string, Operations | undefined>>;

/** Counts the connections of a server, and every answer by its operation and outcome. */
export function countRequests(app: FastifyInstance, counts: SessionCounts): void {
  app.server.on('connection', (socket) => {
    counts.opened();
    socket.once('close', () => counts.closed());
  });
  app.addHook('onSend', async (request, reply) => {
    // Cut off within its body: nobody is there for this answer, and a timeout is counted as such.
    if (request.raw.destroyed && !request.raw.complete) return;
    counts.answered(operationOf(request), failureOf(reply) ?? COMPLETED);
  });
}

/** Counts an answer that the framework does not send. */
export function countHijacked(
  request: Pick<FastifyRequest, 'method' | 'routeOptions'>,
  counts: SessionCounts,
  result: string = COMPLETED,
): void {
  counts.answered(operationOf(request), result);
}

function operationOf({
  method,
  routeOptions,
}: Pick<FastifyRequest, 'method' | 'routeOptions'>): string {
  const path = (routeOptions.url ?? '').replace(/:([a-z]+)/g, '{$1}');
  const described = method === 'HEAD' ? 'get' : method.toLowerCase();
  return paths[path]?.[described]?.operationId ?? NO_OPERATION;
}
