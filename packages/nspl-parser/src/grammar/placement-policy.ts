import type { PlacementPolicy } from '@nervix/model';
import { keywords } from '../tokens.js';
import { type GrammarHost, phraseOf, type Rule } from './grammar-host.js';

const K = keywords('NEUTRAL');

/** What a domain or a placement rule asks of where neighbours run. */
export function definePlacementPolicy(g: GrammarHost): Rule<PlacementPolicy> {
  const phrase = (policy: PlacementPolicy) => {
    const words = phraseOf(policy);
    return {
      ALT: () => {
        g.phrase(words);
        return policy;
      },
    };
  };
  const alternatives = [
    phrase('REQUIRE COLOCATION'),
    phrase('PREFER COLOCATION'),
    { ALT: () => g.takeAs(K.NEUTRAL, 'NEUTRAL' as const) },
    phrase('SUGGEST SEPARATION'),
  ];
  return g.rule('placementPolicy', () => g.choose<PlacementPolicy>(0, alternatives));
}
