import type { Model, Statement } from '@nervix/model';
import { keywords } from '../tokens.js';
import { defineBranch } from './branch.js';
import { defineClient } from './client.js';
import { defineCodec } from './codec.js';
import type { ConnectorRules } from './connector.js';
import { defineDeduplicator } from './deduplicator.js';
import { type DomainDraft, defineDomain } from './domain.js';
import { defineEmitter } from './emitter.js';
import { type GrammarHost, phraseOf, type Rule } from './grammar-host.js';
import { defineIngestor } from './ingestor.js';
import { defineJunction } from './junction.js';
import type { LiteralRules } from './literals.js';
import { defineProcessors } from './processor.js';
import { defineRelay } from './relay.js';
import { type RouteRules, takeAcknowledgement } from './route.js';
import { defineSchema } from './schema.js';
import type { SinkRules } from './sink/sink.js';
import { defineUser, type UserDraft } from './user.js';
import { defineEndpoint, defineVhost } from './vhost-endpoint.js';
import { defineWindowProcessor } from './window-processor.js';
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

/** The kinds that read relays and take `ATTACHED` or `DETACHED` before the kind. */
function defineConsumer(
  g: GrammarHost,
  literals: LiteralRules,
  { routes, sinks }: { readonly routes: RouteRules; readonly sinks: SinkRules },
): Rule<Model> {
  const processors = defineProcessors(g, routes);
  const junction = defineJunction(g, routes, processors);
  const deduplicator = defineDeduplicator(g, literals, { routes, processors });
  const window = defineWindowProcessor(g, literals, { routes, processors });
  const emitter = defineEmitter(g, sinks, routes);
  return g.rule('consumer', () => {
    const acknowledgement = takeAcknowledgement(g, 0);
    return g.choose<Model>(1, [
      { ALT: () => g.callWith(junction, acknowledgement) },
      { ALT: () => g.callWith(deduplicator, acknowledgement) },
      { ALT: () => g.callWith(window, acknowledgement) },
      { ALT: () => g.callWith(emitter, acknowledgement) },
    ]);
  });
}
