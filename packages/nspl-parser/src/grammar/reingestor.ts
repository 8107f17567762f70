import type { AckParticipation, ReingestorModel } from '@nervix/model';
import { keywords } from '../tokens.js';
import { type GrammarHost, label, type Rule } from './grammar-host.js';
import type { ProcessorClauseRules } from './processor-clauses.js';
import type { RouteRules } from './route.js';

const K = keywords('REINGESTOR');

const NAME = label('reingestor_name');

/** `REINGESTOR name FROM …`, whose routes choose their branches. */
export function defineReingestor(
  g: GrammarHost,
  routes: RouteRules,
  processors: ProcessorClauseRules,
): Rule<ReingestorModel, [AckParticipation]> {
  return g.rule('reingestor', (acknowledgement: AckParticipation): ReingestorModel => {
    g.take(K.REINGESTOR);
    const name = g.name(NAME);
    const { inputs, filter } = g.call(processors.intake);
    const dependencies = g.zeroOrMore(0, () => g.call(routes.dependency));
    const entries = g.oneOrMore(0, () => g.call(routes.entryRoute));
    const model: ReingestorModel = {
      kind: 'reingestor',
      name,
      acknowledgement,
      inputs,
      filter,
      dependencies,
      routes: entries,
    };
    return g.close(model, 0);
  });
}
