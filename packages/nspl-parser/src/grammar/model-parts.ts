import { type ConnectorRules, defineConnectors } from './connectors.js';
import type { GrammarHost } from './grammar-host.js';
import { defineIngestor, type IngestorRules } from './ingestor.js';
import type { LiteralRules } from './literals.js';
import { defineRoutes, type RouteRules } from './route.js';
import { defineSchema, type SchemaRules } from './schema.js';
import { defineWireSchema, type WireSchemaRules } from './wire-schema.js';

/** What CREATE and ALTER of models have in common. */
export interface ModelParts extends ConnectorRules {
  readonly routes: RouteRules;
  readonly schemas: SchemaRules;
  readonly wireSchemas: WireSchemaRules;
  readonly ingestors: IngestorRules;
}

/** The parts of models that statements of several families hold. */
export function defineModelParts(g: GrammarHost, literals: LiteralRules): ModelParts {
  const routes = defineRoutes(g, literals);
  const connectors = defineConnectors(g, literals);
  return {
    ...connectors,
    routes,
    schemas: defineSchema(g, literals),
    wireSchemas: defineWireSchema(g, literals),
    ingestors: defineIngestor(g, connectors.sources, routes),
  };
}
