import type { AckParticipation, DeduplicatorModel } from '@nervix/model';
import { keywords } from '../tokens.js';
import { ExpressionListSlot } from './expression.js';
import { type GrammarHost, label, phraseOf, type Rule } from './grammar-host.js';
import type { LiteralRules } from './literals.js';
import type { ProcessorClauseRules } from './processor-clauses.js';
import type { RouteRules } from './route.js';

const K = keywords('DEDUPLICATOR', 'MAX', 'TIME');
const PHRASE_DEDUPLICATE_ON = phraseOf('DEDUPLICATE ON');

const NAME = label('deduplicator_name');
const KEYS = label('deduplicate_on');

/** `DEDUPLICATOR name FROM … DEDUPLICATE ON … MAX TIME …`. */
export function defineDeduplicator(
  g: GrammarHost,
  literals: LiteralRules,
  rules: { readonly routes: RouteRules; readonly processors: ProcessorClauseRules },
): Rule<DeduplicatorModel, [AckParticipation]> {
  return g.rule('deduplicator', (acknowledgement: AckParticipation): DeduplicatorModel => {
    g.take(K.DEDUPLICATOR);
    const name = g.name(NAME);
    const { inputs, filter } = g.call(rules.processors.intake);
    g.phrase(PHRASE_DEDUPLICATE_ON);
    const deduplicateOn = g.slot(ExpressionListSlot, KEYS, []);
    g.take(K.MAX);
    g.take(K.TIME);
    const maxTime = g.call(literals.duration);
    const { branching, dependencies } = g.call(rules.processors.setting);
    const outputs = g.oneOrMore(0, () => g.call(rules.routes.flushedRoute));
    const model: DeduplicatorModel = {
      kind: 'deduplicator',
      name,
      acknowledgement,
      inputs,
      filter,
      deduplicateOn,
      maxTime,
      branching,
      dependencies,
      routes: outputs,
    };
    return g.close(model, 0);
  });
}
