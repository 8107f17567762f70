import type { Model, Statement } from '@nervix/model';
import { keywords } from '../tokens.js';
import type { AdministrationDraft } from './administration.js';
import { defineBranch } from './branch.js';
import { defineClient } from './client.js';
import { defineCodec } from './codec.js';
import { type DomainDraft, defineDomain } from './domain.js';
import { defineGenerator } from './generator.js';
import { type GrammarHost, phraseOf, type Rule } from './grammar-host.js';
import { defineHashMap } from './hash-map.js';
import type { LiteralRules } from './literals.js';
import type { ModelParts } from './model-parts.js';
import { definePlacement } from './placement.js';
import { defineRelay } from './relay.js';
import { defineRelayConsumer } from './relay-consumer.js';
import { defineResource, type ResourceDraft } from './resource.js';
import { defineSignalingProtocol } from './signaling-protocol.js';
import { defineUdf } from './udf.js';
import { defineUser, type UserDraft } from './user.js';
import { defineEndpoint, defineVhost } from './vhost-endpoint.js';

const K = keywords('CREATE');
const PHRASE_IF_NOT_EXISTS = phraseOf('IF NOT EXISTS');

/** What CREATE makes that is no model. */
type Draft = DomainDraft | UserDraft | ResourceDraft | AdministrationDraft;

/**
 * CREATE of every kind: the head is read once, then the kind decides.
 *
 * @param others what else may follow CREATE
 */
export function defineCreate(
  g: GrammarHost,
  literals: LiteralRules,
  { routes, schemas, wireSchemas, ingestors, sinks }: ModelParts,
  others: readonly Rule<AdministrationDraft>[],
): Rule<Statement> {
  const plainKinds: Rule<Model | Draft>[] = [
    defineDomain(g, literals),
    defineUser(g),
    schemas.schema,
    wireSchemas.wireSchema,
    defineCodec(g, literals),
    defineBranch(g, literals),
    defineRelay(g, routes),
    defineClient(g),
    defineVhost(g, literals),
    defineEndpoint(g),
    defineSignalingProtocol(g, literals),
    defineHashMap(g),
    defineUdf(g, literals),
    definePlacement(g, literals),
    defineResource(g),
    ingestors.ingestor,
    defineGenerator(g, literals, routes),
  ];
  const consumer = defineRelayConsumer(g, literals, { routes, sinks });
  const alternatives = [...plainKinds, consumer, ...others].map((rule) => ({
    ALT: () => g.call(rule),
  }));
  return g.rule('create', (): Statement => {
    g.take(K.CREATE);
    const ifNotExists =
      g.maybe(0, () => {
        g.phrase(PHRASE_IF_NOT_EXISTS);
        return true;
      }) === true;
    const body = g.choose(0, alternatives);
    return isDraft(body)
      ? { ...body, ifNotExists }
      : { kind: 'create_model', ifNotExists, model: body };
  });
}

function isDraft(body: Model | Draft): body is Draft {
  return /^create_/u.test(body.kind);
}
