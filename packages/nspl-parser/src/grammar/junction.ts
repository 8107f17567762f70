import type { AckParticipation, JunctionModel } from '@nervix/model';
import { keywords } from '../tokens.js';
import { type GrammarHost, label, type Rule } from './grammar-host.js';
import type { ProcessorClauseRules } from './processor-clauses.js';
import type { RouteRules } from './route.js';

const K = keywords('JUNCTION');

const NAME = label('junction_name');

/** `JUNCTION name FROM …`. */
export function defineJunction(
  g: GrammarHost,
  routes: RouteRules,
  processors: ProcessorClauseRules,
): Rule<JunctionModel, [AckParticipation]> {
  return g.rule('junction', (acknowledgement: AckParticipation): JunctionModel => {
    g.take(K.JUNCTION);
    const name = g.name(NAME);
    const { inputs, filter } = g.call(processors.intake);
    const { branching, dependencies } = g.call(processors.setting);
    const outputs = g.oneOrMore(0, () => g.call(routes.flushedRoute));
    const model: JunctionModel = {
      kind: 'junction',
      name,
      acknowledgement,
      inputs,
      filter,
      branching,
      dependencies,
      routes: outputs,
    };
    return g.close(model, 0);
  });
}
