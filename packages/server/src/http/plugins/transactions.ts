import { API_PATHS, type TransactionList } from '@nervix/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { internalFault, sendError, sendRefusal } from '../error-envelope.js';
import { emptyQuerySchema, inspectionQuerySchema } from '../request-schemas.js';
import { principalOf, type SessionContext } from '../session-context.js';

interface TransactionRoute {
  readonly Params: { readonly transaction: string };
  readonly Querystring: { readonly operation?: string };
}

/** Reads of transactions: the list, and the report of one. */
export function transactionsPlugin(
  app: FastifyInstance,
  context: SessionContext,
  done: () => void,
): void {
  const { transactions } = API_PATHS;
  app.get(transactions, { schema: { querystring: emptyQuerySchema } }, (_request, reply) => {
    const list: TransactionList = { transactions: context.controlPlane.transactions() };
    return reply.header('cache-control', 'no-store').send(list);
  });
  app.get<TransactionRoute>(
    `${transactions}/:transaction`,
    { schema: { querystring: inspectionQuerySchema } },
    (request, reply) => sendInspection(request, reply, context),
  );
  done();
}

async function sendInspection(
  request: FastifyRequest<TransactionRoute>,
  reply: FastifyReply,
  { controlPlane }: SessionContext,
): Promise<FastifyReply> {
  const { operation } = request.query;
  const answer = await controlPlane.inspect({
    principal: principalOf(request),
    transaction: request.params.transaction.toLowerCase(),
    operation: operation === undefined ? null : BigInt(operation),
  });
  if (answer.kind === 'inspected') {
    return reply.header('cache-control', 'no-store').send(answer.inspection);
  }
  const { refusal: outcome } = answer;
  if (outcome.kind !== 'failed') return sendRefusal(reply, internalFault());
  const { code, message, diagnostics } = outcome;
  return sendError(reply, { code, message, diagnostics });
}
