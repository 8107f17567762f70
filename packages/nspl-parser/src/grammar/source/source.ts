import type { PayloadSource, ProducerSource, QuiesceMode } from '@nervix/model';
import { keywords } from '../../tokens.js';
import type { AcknowledgementRules } from '../acknowledgement.js';
import { type GrammarHost, label, type Rule } from '../grammar-host.js';
import type { LiteralRules } from '../literals.js';
import { defineLogSources } from './log-source.js';
import { defineMqttSource } from './mqtt-source.js';
import { definePushSources } from './push-source.js';
import { defineEndpointSource, definePollingSources } from './request-source.js';
import { defineSourceParts, type SourcePartRules } from './source-parts.js';

const K = keywords('CLIENT', 'SCHEMA', 'MODE', 'ACK');
const SCHEMA = label('ref:schema');

/** What an ingestor reads from; modes and ON QUIESCE belong to the source. */
export interface SourceRules {
  /** A source whose payloads a codec decodes. */
  readonly payloadSource: Rule<PayloadSource>;
  /** `CLIENT SCHEMA …`: records that need no codec. */
  readonly producerSource: Rule<ProducerSource>;
  /** What may follow ON QUIESCE of whichever source. */
  readonly quiesceBody: Rule<QuiesceMode>;
}

/** Sources of every kind. */
export function defineSources(
  g: GrammarHost,
  literals: LiteralRules,
  acknowledgement: AcknowledgementRules,
): SourceRules {
  const parts = defineSourceParts(g, literals, acknowledgement);
  const kinds: readonly Rule<PayloadSource>[] = [
    ...defineLogSources(g, parts),
    defineMqttSource(g, parts),
    ...definePushSources(g, parts),
    ...definePollingSources(g, parts),
    defineEndpointSource(g, parts),
  ];
  const alternatives = kinds.map((rule) => ({ ALT: () => g.call(rule) }));
  return {
    payloadSource: g.rule('source', () => g.choose(0, alternatives)),
    producerSource: defineProducerSource(g, parts, acknowledgement),
    quiesceBody: parts.quiesce.anyBody,
  };
}

function defineProducerSource(
  g: GrammarHost,
  { quiesce }: SourcePartRules,
  acknowledgement: AcknowledgementRules,
): Rule<ProducerSource> {
  return g.rule('producerSource', (): ProducerSource => {
    const first = g.position;
    g.take(K.CLIENT);
    g.take(K.SCHEMA);
    const schema = g.name(SCHEMA);
    g.take(K.MODE);
    g.take(K.ACK);
    const window = g.call(acknowledgement.window);
    const ackTimeout = g.call(acknowledgement.timeout);
    const retry = g.call(acknowledgement.retry);
    const onQuiesce = g.call(quiesce.suspend);
    const mode = { window, ackTimeout, retry, quiesce: onQuiesce };
    return g.close({ kind: 'producers', schema, ...mode }, first);
  });
}
