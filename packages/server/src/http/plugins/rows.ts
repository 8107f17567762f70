import { API_PATHS } from '@nervix/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RowsRequest } from '../../control-plane/control-plane.js';
import {
  type ErrorFacts,
  internalFault,
  refusal,
  sendError,
  sendRefusal,
} from '../error-envelope.js';
import { countHijacked } from '../request-counting.js';
import { rowsQuerySchema } from '../request-schemas.js';
import { RowResponse } from '../row-response.js';
import { principalOf, type SessionContext } from '../session-context.js';

interface RowsRoute {
  readonly Params: { readonly domain: string; readonly relay: string };
  readonly Querystring: {
    readonly where?: string;
    readonly sample?: string;
    readonly delivery?: 'blocking' | 'dropping';
  };
}

/** `GET /api/v1/domains/{domain}/relays/{relay}/rows`: a relay's rows while the client stays. */
export function rowsPlugin(app: FastifyInstance, context: SessionContext, done: () => void): void {
  app.route<RowsRoute>({
    method: 'GET',
    url: `${API_PATHS.domains}/:domain/relays/:relay/rows`,
    // The answer to HEAD would open a stream only to throw its rows away.
    exposeHeadRoute: false,
    schema: { querystring: rowsQuerySchema },
    handler: (request, reply) => streamRows(request, reply, context),
  });
  done();
}

async function streamRows(
  request: FastifyRequest<RowsRoute>,
  reply: FastifyReply,
  context: SessionContext,
): Promise<FastifyReply> {
  const asked = rowsRequest(request);
  if (!(asked.sampleRate <= 1)) {
    const message = "parameter 'sample' must be from 0 to 1";
    return sendRefusal(reply, refusal('INVALID_REQUEST', message, { field: 'sample' }));
  }
  const response = new RowResponse(reply.raw, {
    format: wantsEvents(request) ? 'sse' : 'ndjson',
    commentIntervalMs: context.commentIntervalMs,
    onOver: () => context.rowResponses.delete(response),
    onCloseFailed: (error) => context.logger.error('closing a row stream failed', {}, error),
  });
  context.rowResponses.add(response);
  try {
    const answer = await context.controlPlane.openRows(asked, response, principalOf(request));
    if (answer.kind === 'refused') {
      if (!response.isOpen) return sendError(reply, answer.error);
      return failOpen(answer.error);
    }
    reply.hijack();
    countHijacked(request, context.counts);
    response.open();
    response.attach(answer.value);
    return reply;
  } catch (error) {
    if (!response.isOpen) throw error;
    context.logger.error('opening a row stream failed', {}, error);
    return failOpen(internalFault().error);
  }

  /** After the head an error answer can no longer be sent; the last record says it. */
  function failOpen({ code, message }: ErrorFacts): FastifyReply {
    reply.hijack();
    countHijacked(request, context.counts, code);
    response.fail(message);
    return reply;
  }
}

function rowsRequest({ params, query }: FastifyRequest<RowsRoute>): RowsRequest {
  return {
    domain: params.domain,
    relay: params.relay,
    where: query.where ?? null,
    sampleRate: Number(query.sample ?? '1'),
    delivery: query.delivery === 'dropping' ? 'DROPPING' : 'BLOCKING',
  };
}

function wantsEvents({ headers }: FastifyRequest<RowsRoute>): boolean {
  return /(^|[\s,])text\/event-stream\b/i.test(headers.accept ?? '');
}
