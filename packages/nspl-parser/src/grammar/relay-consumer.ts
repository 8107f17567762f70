import type { AckParticipation, Model } from '@nervix/model';
import { defineCorrelator } from './correlator.js';
import { defineDeduplicator } from './deduplicator.js';
import { defineEmitter } from './emitter.js';
import type { GrammarHost, Rule } from './grammar-host.js';
import { defineInferencer } from './inferencer.js';
import { defineJunction } from './junction.js';
import type { LiteralRules } from './literals.js';
import { defineProcessorClauses } from './processor-clauses.js';
import { defineReingestor } from './reingestor.js';
import { defineReorderer } from './reorderer.js';
import { type RouteRules, takeAcknowledgement } from './route.js';
import type { SinkRules } from './sink/sink.js';
import { defineWasmProcessor } from './wasm-processor.js';
import { defineWindowProcessor } from './window-processor.js';

/** The kinds that read relays and take `ATTACHED` or `DETACHED` before the kind. */
export function defineRelayConsumer(
  g: GrammarHost,
  literals: LiteralRules,
  { routes, sinks }: { readonly routes: RouteRules; readonly sinks: SinkRules },
): Rule<Model> {
  const processors = defineProcessorClauses(g, routes);
  const rules = { routes, processors };
  const kinds: readonly Rule<Model, [AckParticipation]>[] = [
    defineJunction(g, routes, processors),
    defineDeduplicator(g, literals, rules),
    defineReorderer(g, literals, rules),
    defineCorrelator(g, literals, rules),
    defineWindowProcessor(g, literals, rules),
    defineInferencer(g, routes, processors),
    defineWasmProcessor(g, literals, rules),
    defineReingestor(g, routes, processors),
    defineEmitter(g, sinks, routes),
  ];
  return g.rule('consumer', () => {
    const acknowledgement = takeAcknowledgement(g, 0);
    return g.choose<Model>(
      1,
      kinds.map((rule) => ({ ALT: () => g.callWith(rule, acknowledgement) })),
    );
  });
}
