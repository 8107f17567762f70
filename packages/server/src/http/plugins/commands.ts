import { isUtf8 } from 'node:buffer';
import {
  API_PATHS,
  type CommandOutcome,
  type CommandRequest,
  type ErrorBody,
  EXECUTION_REFERENCE_HEADER,
} from '@nervix/protocol';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { newReference } from '../../control-plane/execution-reference.js';
import { BODY_NOT_UTF8, refusal, sendRefusal } from '../error-envelope.js';
import { commandQuerySchema, commandRequestSchema } from '../request-schemas.js';
import { sendReply } from '../send-reply.js';
import { principalOf, type SessionContext } from '../session-context.js';
import { prefersText, textAnswer } from '../text-answer.js';

interface CommandQuery {
  readonly domain?: string;
  readonly transaction?: string;
  readonly expected_transaction_position?: string;
}

/**
 * `POST /api/v1/commands`: runs NSPL, sent as a JSON request or, for people with curl, as text; who
 * sends text may have the answer as text too.
 */
export function commandsPlugin(
  app: FastifyInstance,
  context: SessionContext,
  done: () => void,
): void {
  // Read as bytes: a decoder would put U+FFFD where they are no text, and the statement would run.
  const readJson = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes, parsed) => {
    const body = readText(bytes);
    if (body.kind === 'refused') parsed(body.error);
    else void readJson(request, body.text, parsed);
  });
  app.addContentTypeParser('text/plain', { parseAs: 'buffer' }, (request, bytes, parsed) => {
    const body = readText(bytes);
    if (body.kind === 'refused') return parsed(body.error);
    const named = namedInQuery(request.query as CommandQuery);
    return parsed(null, { query: body.text, ...named } satisfies CommandRequest);
  });
  app.route<{ Body: CommandRequest; Querystring: CommandQuery }>({
    method: 'POST',
    url: API_PATHS.commands,
    schema: { body: commandRequestSchema, querystring: commandQuerySchema },
    // Known before the body is read, so that even a refusal of the body names a reference.
    onRequest: async (request, reply) => {
      reply.header(EXECUTION_REFERENCE_HEADER, newReference(context.now()));
      const coding = request.headers['content-encoding'];
      if (coding !== undefined && !IDENTITY.test(coding)) {
        const message = 'the body must be sent without a content encoding';
        return sendRefusal(reply, refusal('UNSUPPORTED_MEDIA_TYPE', message));
      }
      return undefined;
    },
    onSend: async (request, reply, payload) => {
      if (!wantsText(request) || typeof payload !== 'string') return payload;
      reply.type('text/plain; charset=utf-8');
      const answer = JSON.parse(payload) as CommandOutcome | ErrorBody;
      return textAnswer(answer, (request.body as CommandRequest | undefined)?.query);
    },
    handler: async (request, reply) => {
      const body: CommandRequest = { ...namedInQuery(request.query), ...request.body };
      const reference =
        body.execution_reference ?? String(reply.getHeader(EXECUTION_REFERENCE_HEADER));
      reply.header(EXECUTION_REFERENCE_HEADER, reference);
      // A client that goes away is no cancellation: nothing here listens for its disconnect.
      const answer = await context.controlPlane.execute(
        { ...body, execution_reference: reference },
        principalOf(request),
      );
      return sendReply(reply, answer, reference);
    },
  });
  done();
}

/** What the address of a request says of it, in the terms of its body. */
function namedInQuery({
  expected_transaction_position: position,
  ...named
}: CommandQuery): Omit<CommandRequest, 'query'> {
  return position === undefined
    ? named
    : { ...named, expected_transaction_position: Number(position) };
}

const IDENTITY = /^\s*(identity)?\s*$/i;

type BodyText =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'refused'; readonly error: Error };

function readText(bytes: Buffer | string): BodyText {
  if (typeof bytes !== 'string' && !isUtf8(bytes)) {
    return { kind: 'refused', error: Object.assign(new Error(), { code: BODY_NOT_UTF8 }) };
  }
  return { kind: 'text', text: bytes.toString() };
}

function wantsText({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  const isText = /^\s*text\/plain\s*(;|$)/i.test(headers['content-type'] ?? '');
  return isText && prefersText(headers.accept);
}
