import type {
  AckParticipation,
  EntryRoute,
  MaterializedDependency,
  ReingestorModel,
} from '@nervix/model';
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
    const dependencies: MaterializedDependency[] = [];
    g.repeat(0, () => {
      dependencies.push(g.call(routes.dependency));
    });
    const entries: EntryRoute[] = [];
    g.repeatOnce(0, () => {
      entries.push(g.call(routes.entryRoute));
    });
    const model: ReingestorModel = {
      kind: 'reingestor',
      name,
      acknowledgement,
      inputs,
      filter,
      dependencies: Object.freeze(dependencies),
      routes: Object.freeze(entries),
    };
    return g.close(model, 0);
  });
}
