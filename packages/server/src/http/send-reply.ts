import { type CommandOutcome, EXECUTION_REFERENCE_HEADER } from '@nervix/protocol';
import type { FastifyReply } from 'fastify';
import type { CommandReply } from '../control-plane/control-plane.js';
import { type ErrorFacts, noteFailure, sendError } from './error-envelope.js';

/** Sends what a command came to, under the reference that it ran under. */
export function sendReply(
  reply: FastifyReply,
  answer: CommandReply,
  reference: string,
): FastifyReply {
  if (answer.kind === 'failed') {
    return sendError(reply, { execution_reference: reference, ...answer.error });
  }
  const { outcome } = answer;
  reply.header(EXECUTION_REFERENCE_HEADER, outcome.execution_reference);
  switch (outcome.disposition.t) {
    case 'CommandCompleted':
      return reply.code(200).header('cache-control', 'no-store').send(outcome);
    case 'OutcomeUnknown':
      return noteFailure(reply, 'OUTCOME_UNKNOWN')
        .code(202)
        .headers({ 'retry-after': '1', 'cache-control': 'no-store' })
        .send(outcome);
    case 'RequestFailed':
      return sendError(reply, failureOf(outcome, outcome.disposition.code));
    case 'PreviewStale': {
      const { expected, current } = outcome.disposition;
      return sendError(reply, { ...failureOf(outcome, 'PREVIEW_STALE'), expected, current });
    }
  }
}

function failureOf(outcome: CommandOutcome, code: ErrorFacts['code']): ErrorFacts {
  return {
    code,
    message: outcome.message,
    diagnostics: outcome.diagnostics,
    execution_reference: outcome.execution_reference,
    ...(outcome.statements === undefined ? {} : { statements: outcome.statements }),
    ...(outcome.transaction === undefined ? {} : { transaction: outcome.transaction }),
  };
}
