import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { SessionCounts } from '../observability/session-counts.js';
import { answerClientFault } from './client-fault.js';
import { NO_OPERATION } from './request-counting.js';

/** Configuration of a route whose body may take as long as it keeps coming. */
export const LONG_BODY: { readonly isLongBody: true } = { isLongBody: true };

/**
 * Ends requests whose body does not come: as a whole in time, or, where a route takes long bodies,
 * without a pause of that length. The server's own deadline knows no routes.
 *
 * @param timeoutMs longest wait
 */
export function addBodyDeadline(
  app: FastifyInstance,
  timeoutMs: number,
  counts: SessionCounts,
): void {
  app.addHook('onRequest', async (request, reply) => {
    if (!hasBody(request)) return;
    const onLate = (): void => {
      if (!request.raw.complete) endLate(request, reply, counts);
    };
    if (isLongBody(request)) boundPauses(request, timeoutMs, onLate);
    else boundWhole(request, timeoutMs, onLate);
  });
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function isLongBody({ routeOptions }: FastifyRequest): boolean {
  return (routeOptions.config as Partial<typeof LONG_BODY>).isLongBody === true;
}

function boundWhole({ raw }: FastifyRequest, timeoutMs: number, onLate: () => void): void {
  const timer = setTimeout(onLate, timeoutMs);
  timer.unref();
  const clear = (): void => clearTimeout(timer);
  raw.once('end', clear);
  raw.once('close', clear);
}

function boundPauses({ raw }: FastifyRequest, timeoutMs: number, onLate: () => void): void {
  raw.setTimeout(timeoutMs, onLate);
  // Whoever waits for the answer may wait longer.
  raw.once('end', () => raw.setTimeout(0));
}

function endLate(request: FastifyRequest, reply: FastifyReply, counts: SessionCounts): void {
  const { socket } = request.raw;
  if (reply.raw.headersSent) {
    socket.destroy();
    return;
  }
  const late = Object.assign(new Error('the body is late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
  const answer = answerClientFault(late, socket);
  if (answer !== undefined) counts.answered(NO_OPERATION, answer.error.code);
}
