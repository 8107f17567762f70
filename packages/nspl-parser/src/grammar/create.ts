import type { Model, Statement } from '@nervix/model';
import { keywords } from '../tokens.js';
import { defineBranch } from './branch.js';
import { defineClient } from './client.js';
import { defineCodec } from './codec.js';
import type { ConnectorRules } from './connector.js';
import { defineConsumer } from './consumer.js';
import { type DomainDraft, defineDomain } from './domain.js';
import { defineGenerator } from './generator.js';
import { type GrammarHost, phraseOf, type Rule } from './grammar-host.js';
import { defineIngestor } from './ingestor.js';
import type { LiteralRules } from './literals.js';
import { defineRelay } from './relay.js';
import type { RouteRules } from './route.js';
import { defineSchema } from './schema.js';
import { defineUser, type UserDraft } from './user.js';
import { defineEndpoint, defineVhost } from './vhost-endpoint.js';
import { defineWireSchema } from './wire-schema.js';

const K = keywords('CREATE');
const PHRASE_IF_NOT_EXISTS = phraseOf('IF NOT EXISTS');

/** CREATE of every kind: the head is read once, then the kind decides. */
export function defineCreate(
  g: GrammarHost,
  literals: LiteralRules,
  routes: RouteRules,
  { sources, sinks }: ConnectorRules,
): Rule<Statement> {
  const { ingestor } = defineIngestor(g, sources, routes);
  const plainKinds: Rule<Model | DomainDraft | UserDraft>[] = [
    defineDomain(g, literals),
    defineUser(g),
    defineSchema(g, literals),
    defineWireSchema(g),
    defineCodec(g),
    defineBranch(g, literals),
    defineRelay(g, routes),
    defineClient(g),
    defineVhost(g, literals),
    defineEndpoint(g),
    ingestor,
    defineGenerator(g, literals, routes),
  ];
  const consumer = defineConsumer(g, literals, { routes, sinks });
  const alternatives = [...plainKinds, consumer].map((rule) => ({ ALT: () => g.call(rule) }));
  return g.rule('create', (): Statement => {
    g.take(K.CREATE);
    const ifNotExists =
      g.maybe(0, () => {
        g.phrase(PHRASE_IF_NOT_EXISTS);
        return true;
      }) === true;
    const body = g.choose(0, alternatives);
    if (body.kind === 'create_domain' || body.kind === 'create_user') {
      return { ...body, ifNotExists };
    }
    return { kind: 'create_model', ifNotExists, model: body };
  });
}
