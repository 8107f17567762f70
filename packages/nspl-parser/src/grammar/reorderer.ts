import type { AckParticipation, ReordererModel } from '@nervix/model';
import { keywords } from '../tokens.js';
import { ExpressionListSlot } from './expression.js';
import { type GrammarHost, label, type Rule } from './grammar-host.js';
import type { LiteralRules } from './literals.js';
import type { ProcessorClauseRules } from './processor-clauses.js';
import type { RouteRules } from './route.js';

const K = keywords('REORDERER', 'BY', 'MAX', 'TIME');

const NAME = label('reorderer_name');
const KEYS = label('reorder_by');

/** `REORDERER name FROM … BY … MAX TIME …`. */
export function defineReorderer(
  g: GrammarHost,
  literals: LiteralRules,
  rules: { readonly routes: RouteRules; readonly processors: ProcessorClauseRules },
): Rule<ReordererModel, [AckParticipation]> {
  return g.rule('reorderer', (acknowledgement: AckParticipation): ReordererModel => {
    g.take(K.REORDERER);
    const name = g.name(NAME);
    const { inputs, filter } = g.call(rules.processors.intake);
    g.take(K.BY);
    const by = g.slot(ExpressionListSlot, KEYS, []);
    g.take(K.MAX);
    g.take(K.TIME);
    const maxTime = g.call(literals.duration);
    const { branching, dependencies } = g.call(rules.processors.setting);
    const outputs = g.oneOrMore(0, () => g.call(rules.routes.flushedRoute));
    const model: ReordererModel = {
      kind: 'reorderer',
      name,
      acknowledgement,
      inputs,
      filter,
      by,
      maxTime,
      branching,
      dependencies,
      routes: outputs,
    };
    return g.close(model, 0);
  });
}
