import type { FastifyInstance } from 'fastify';
import { openApiDocument } from '../openapi-document.js';
import { emptyQuerySchema } from '../request-schemas.js';

/** `GET /api/v1/openapi.json`: the description of this API. */
export function descriptionPlugin(app: FastifyInstance, _options: object, done: () => void): void {
  const schema = { querystring: emptyQuerySchema };
  app.get('/api/v1/openapi.json', { schema }, async () => openApiDocument);
  done();
}
