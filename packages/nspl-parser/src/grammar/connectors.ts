import { defineAcknowledgement } from './acknowledgement.js';
import type { GrammarHost } from './grammar-host.js';
import type { LiteralRules } from './literals.js';
import { defineSinks, type SinkRules } from './sink/sink.js';
import { defineSources, type SourceRules } from './source/source.js';

/** What connects a domain with other systems. */
export interface ConnectorRules {
  readonly sources: SourceRules;
  readonly sinks: SinkRules;
}

/** Sources and sinks of every kind. */
export function defineConnectors(g: GrammarHost, literals: LiteralRules): ConnectorRules {
  const acknowledgement = defineAcknowledgement(g, literals);
  return {
    sources: defineSources(g, literals, acknowledgement),
    sinks: defineSinks(g, literals, acknowledgement),
  };
}
