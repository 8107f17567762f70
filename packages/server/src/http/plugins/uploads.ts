import { API_PATHS } from '@nervix/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LONG_BODY } from '../body-deadline.js';
import { refusal, sendError, sendRefusal } from '../error-envelope.js';
import { emptyQuerySchema } from '../request-schemas.js';
import { principalOf, type SessionContext } from '../session-context.js';

interface UploadRoute {
  readonly Params: {
    readonly domain: string;
    readonly resource: string;
    readonly upload: string;
  };
}

/**
 * `PUT /api/v1/domains/{domain}/resources/{resource}/uploads/{upload}`: a tar archive as the next
 * version of a resource. The body is read as the store takes it, whatever its media type says.
 */
export function uploadsPlugin(
  app: FastifyInstance,
  context: SessionContext,
  done: () => void,
): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, body, parsed) => parsed(null, body));
  app.route<UploadRoute>({
    method: 'PUT',
    url: `${API_PATHS.domains}/:domain/resources/:resource/uploads/:upload`,
    schema: { querystring: emptyQuerySchema },
    config: LONG_BODY,
    handler: (request, reply) => takeUpload(request, reply, context),
  });
  done();
}

const IDENTITY = /^\s*(identity)?\s*$/i;

async function takeUpload(
  request: FastifyRequest<UploadRoute>,
  reply: FastifyReply,
  { controlPlane }: SessionContext,
): Promise<FastifyReply> {
  const coding = request.headers['content-encoding'];
  if (coding !== undefined && !IDENTITY.test(coding)) {
    const message = 'the archive must be sent without a content encoding';
    return sendRefusal(reply, refusal('UNSUPPORTED_MEDIA_TYPE', message));
  }
  const announced = request.headers['content-length'];
  if (announced === undefined) {
    const message = 'an upload must tell its size in Content-Length';
    return sendRefusal(reply, refusal('INVALID_REQUEST', message));
  }
  const { domain, resource, upload } = request.params;
  const answer = await controlPlane.upload({
    owner: principalOf(request),
    domain: domain.toLowerCase(),
    resource: resource.toLowerCase(),
    identity: upload,
    bytes: Number(announced),
    // Whoever stops reading still gets an answer, which needs the connection.
    body: request.raw.iterator({ destroyOnReturn: false }),
  });
  if (answer.kind === 'installed') {
    return reply.header('cache-control', 'no-store').send(answer.value);
  }
  // Clients that send all before they read would wait for ever: what is left is read and dropped.
  request.raw.resume();
  return sendError(reply, answer.error);
}
