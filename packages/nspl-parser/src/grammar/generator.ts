import type { GeneratorModel } from '@nervix/model';
import { keywords } from '../tokens.js';
import { takeClockDuration } from './clock-duration.js';
import { type GrammarHost, label, phraseOf, type Rule } from './grammar-host.js';
import type { LiteralRules } from './literals.js';
import { type RouteRules, SET_ONLY } from './route.js';

const K = keywords('GENERATOR', 'EACH');
const PHRASE_USING_MATERIALIZED_STATE = phraseOf('USING MATERIALIZED STATE');

const NAME = label('generator_name');
const RELAY = label('ref:relay');

/** `GENERATOR name USING MATERIALIZED STATE … EACH …`. */
export function defineGenerator(
  g: GrammarHost,
  literals: LiteralRules,
  routes: RouteRules,
): Rule<GeneratorModel> {
  return g.rule('generator', (): GeneratorModel => {
    g.take(K.GENERATOR);
    const name = g.name(NAME);
    g.phrase(PHRASE_USING_MATERIALIZED_STATE);
    const state = g.relayName(RELAY);
    g.take(K.EACH);
    const eachNanos = takeClockDuration(g, literals);
    const branching = g.call(routes.branching);
    const outputs = g.oneOrMore(0, () => g.callWith(routes.setOnlyRoute, SET_ONLY));
    const model: GeneratorModel = {
      kind: 'generator',
      name,
      state,
      eachNanos,
      branching,
      routes: outputs,
    };
    return g.close(model, 0);
  });
}
