import type { Statement } from '@nervix/model';
import { keywords } from '../../tokens.js';
import type { GrammarHost, Rule } from '../grammar-host.js';
import type { LiteralRules } from '../literals.js';
import type { ModelParts } from '../model-parts.js';
import { defineAlterEmitter } from './alter-emitter.js';
import { defineAlterGenerator } from './alter-generator.js';
import { defineAlterIngestor } from './alter-ingestor.js';
import { defineAlterPlacement } from './alter-placement.js';
import { defineAlterProcessors } from './alter-processor.js';
import { defineAlterReingestor } from './alter-reingestor.js';
import { defineAlterRelay } from './alter-relay.js';
import { defineAlterSchema } from './alter-schema.js';
import { defineAlterWireSchema } from './alter-wire-schema.js';
import { defineConsumerOperations } from './consumer-operation.js';

const K = keywords('ALTER');

/**
 * ALTER statements; the second word decides.
 *
 * @param others what else may follow ALTER
 */
export function defineAlter(
  g: GrammarHost,
  literals: LiteralRules,
  parts: ModelParts,
  others: readonly Rule<Statement>[],
): Rule<Statement> {
  const { routes, schemas, wireSchemas } = parts;
  const consumers = defineConsumerOperations(g, routes);
  const kinds: readonly Rule<Statement>[] = [
    defineAlterRelay(g, routes),
    ...defineAlterProcessors(g, literals, { routes, consumers }),
    defineAlterReingestor(g, routes, consumers),
    defineAlterGenerator(g, literals, routes),
    defineAlterIngestor(g, parts),
    defineAlterEmitter(g, { ...parts, consumers }),
    defineAlterPlacement(g, literals),
    defineAlterSchema(g, literals, schemas.field),
    defineAlterWireSchema(g, literals, wireSchemas),
    ...others,
  ];
  const alternatives = kinds.map((rule) => ({ ALT: () => g.call(rule) }));
  return g.rule('alter', () => {
    g.take(K.ALTER);
    return g.choose(0, alternatives);
  });
}
