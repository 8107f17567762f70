import type { Branching, Expression, Inputs, MaterializedDependency } from '@nervix/model';
import { keywords } from '../tokens.js';
import type { GrammarHost, Rule } from './grammar-host.js';
import type { RouteRules } from './route.js';

const K = keywords('FROM');

export interface ProcessorClauseRules {
  /** `FROM inputs [FILTER WHERE …]`. */
  readonly intake: Rule<{ readonly inputs: Inputs; readonly filter: Expression | null }>;
  /** `BRANCHED BY … | UNBRANCHED` and the materialized states used. */
  readonly setting: Rule<{
    readonly branching: Branching;
    readonly dependencies: readonly MaterializedDependency[];
  }>;
}

/** Clauses that every relay-consuming processor shares. */
export function defineProcessorClauses(g: GrammarHost, routes: RouteRules): ProcessorClauseRules {
  const intake = g.rule('intake', () => {
    g.take(K.FROM);
    const inputs = g.call(routes.inputs);
    const filter = g.maybe(0, () => g.call(routes.filter)) ?? null;
    return { inputs, filter };
  });
  const setting = g.rule('setting', () => {
    const branching = g.call(routes.branching);
    const dependencies = g.zeroOrMore(0, () => g.call(routes.dependency));
    return { branching, dependencies: dependencies };
  });
  return { intake, setting };
}
