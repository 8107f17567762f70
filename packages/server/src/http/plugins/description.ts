import { API_PATHS } from '@nervix/protocol';
import { SESSION_SCHEMA } from '@nervix/protocol/session';
import type { FastifyInstance } from 'fastify';
import { openApiDocument } from '../openapi-document.js';
import { emptyQuerySchema } from '../request-schemas.js';

/** Descriptions: `GET /api/v1/openapi.json` of this API, `GET /api/v1/schema` of sessions. */
export function descriptionPlugin(app: FastifyInstance, _options: object, done: () => void): void {
  const schema = { querystring: emptyQuerySchema };
  app.get('/api/v1/openapi.json', { schema }, async () => openApiDocument);
  app.get(API_PATHS.schema, { schema }, async () => SESSION_SCHEMA);
  done();
}
