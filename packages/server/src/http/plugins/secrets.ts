import { isUtf8 } from 'node:buffer';
import { API_PATHS, EXECUTION_REFERENCE_HEADER, SECRET_BYTES_MAX } from '@nervix/protocol';
import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify';
import { newReference } from '../../control-plane/execution-reference.js';
import { refusal, sendError, sendRefusal } from '../error-envelope.js';
import { emptyQuerySchema, secretQuerySchema } from '../request-schemas.js';
import { sendReply } from '../send-reply.js';
import { principalOf, type SessionContext } from '../session-context.js';

interface SecretRoute {
  readonly Params: { readonly domain: string; readonly name: string };
  readonly Querystring: { readonly key?: string };
  readonly Body: Buffer | undefined;
}

const place = `${API_PATHS.domains}/:domain/secrets`;
const schema = { querystring: secretQuerySchema };

/**
 * `PUT`, `DELETE` and `GET` of the secrets of a domain. The body is a value as it stands, whatever its
 * media type says, and goes nowhere but to the store: no answer and no record of the log quotes it.
 */
export function secretsPlugin(
  app: FastifyInstance,
  { controlPlane, now }: SessionContext,
  done: () => void,
): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: SECRET_BYTES_MAX },
    (_request, body, parsed) => parsed(null, body),
  );
  app.setErrorHandler<FastifyError>((error, _request, reply) => {
    if (error.code !== 'FST_ERR_CTP_BODY_TOO_LARGE') throw error;
    const message = `the value of a secret has at most ${SECRET_BYTES_MAX} bytes`;
    return sendRefusal(reply, refusal('PAYLOAD_TOO_LARGE', message));
  });
  app.get<SecretRoute>(place, { schema: { querystring: emptyQuerySchema } }, (request, reply) => {
    const answer = controlPlane.secrets(request.params.domain);
    return answer.kind === 'found'
      ? reply.header('cache-control', 'no-store').send(answer.value)
      : sendError(reply, answer.error);
  });
  app.put<SecretRoute>(`${place}/:name`, { schema }, async (request, reply) => {
    const asked = requestOf(request, now());
    reply.header(EXECUTION_REFERENCE_HEADER, asked.reference);
    const { body = Buffer.alloc(0) } = request;
    if (!isUtf8(body)) {
      return sendRefusal(reply, refusal('INVALID_REQUEST', 'the body is not valid UTF-8'));
    }
    const value = body.toString('utf8');
    return sendReply(reply, await controlPlane.writeSecret({ ...asked, value }), asked.reference);
  });
  app.delete<SecretRoute>(`${place}/:name`, { schema }, async (request, reply) => {
    const asked = requestOf(request, now());
    reply.header(EXECUTION_REFERENCE_HEADER, asked.reference);
    return sendReply(reply, await controlPlane.removeSecret(asked), asked.reference);
  });
  done();
}

function requestOf(request: FastifyRequest<SecretRoute>, nowMs: number) {
  const { domain, name } = request.params;
  const { key } = request.query;
  const given = request.headers[EXECUTION_REFERENCE_HEADER];
  const reference = typeof given === 'string' ? given.toLowerCase() : newReference(nowMs);
  const asked = { owner: principalOf(request), domain, name, reference };
  return key === undefined ? asked : { ...asked, key };
}
